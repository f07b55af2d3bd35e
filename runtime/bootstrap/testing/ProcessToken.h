// A random number for making names that only one test process uses.
//
// Process ids do not suffice: tests that run side by side in sandboxes each
// have their own process ids, counted from one, but share the names of sockets.

#ifndef RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_
#define RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_

#include <random>

namespace sbp::bootstrap {

/// Returns a random number, the same at each call in a process. Forks made
/// after the first call return the same number.
inline unsigned processToken() {
  static const unsigned token = std::random_device()();
  return token;
}

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_
