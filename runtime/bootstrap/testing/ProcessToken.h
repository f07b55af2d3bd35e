// A number for names that tests share with nobody else.
//
// Process numbers are not enough: tests that run side by side in sandboxes have
// their own, and count from one each, but share the names of sockets.

#ifndef RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_
#define RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_

#include <random>

namespace sbp::bootstrap {

/// Always the same in a process and its forks, another in other processes.
inline unsigned processToken() {
  static const unsigned token = std::random_device()();
  return token;
}

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_TESTING_PROCESSTOKEN_H_
