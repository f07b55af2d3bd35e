// Launches of kernels, with their arguments.

#ifndef RUNTIME_CUDA_LAUNCHLIST_H_
#define RUNTIME_CUDA_LAUNCHLIST_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/cuda/Driver.h"

namespace sbp::cuda {

/// A launch of a function, ready to run.
struct Launch {
  Function function = nullptr;
  unsigned blocks = 1, threads = 1;

  bool operator==(const Launch& other) const {
    return function == other.function && blocks == other.blocks &&
           threads == other.threads;
  }
};

/// Launches that follow one another in a stream.
class LaunchList {
 public:
  /// Adds `launch`, whose parameters are the addresses `arguments`. `what`
  /// names the launch in errors, and must outlive the list.
  void add(const Launch& launch, absl::Span<const Address> arguments,
           const std::string& what);

  /// Removes all launches.
  void clear();

  size_t size() const { return items_.size(); }

  /// Starts the launches one after another in `stream`.
  absl::Status start(const Driver& driver, StreamHandle stream) const;

  /// Whether the lists have the same launches with the same arguments.
  bool operator==(const LaunchList& other) const;

  /// A hash for unordered containers.
  struct Hash {
    size_t operator()(const LaunchList& list) const { return list.hash_; }
  };

 private:
  struct Item {
    Launch launch;
    size_t numArguments = 0;
    const std::string* what = nullptr;

    bool operator==(const Item& other) const {
      return launch == other.launch && numArguments == other.numArguments;
    }
  };

  std::vector<Item> items_;
  std::vector<Address> arguments_;  // of all launches, in their order
  size_t hash_ = 0;
};

/// Starts `launch` in `stream`. The parameters of the launch
/// are the addresses `arguments`; `what` names it in errors.
absl::Status start(const Launch& launch, absl::Span<const Address> arguments,
                   const std::string& what, const Driver& driver,
                   StreamHandle stream);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_LAUNCHLIST_H_
