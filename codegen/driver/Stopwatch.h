// Prints how long each part of a compilation takes.

#ifndef CODEGEN_DRIVER_STOPWATCH_H_
#define CODEGEN_DRIVER_STOPWATCH_H_

#include <chrono>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {

/// Measures the time between laps. The first part begins with construction.
class Stopwatch {
 public:
  /// Makes a stopwatch that prints on standard error if `isVerbose`, else not
  /// at all.
  explicit Stopwatch(bool isVerbose) : isVerbose_(isVerbose) {}

  /// Ends the part `what`, which began when the part before it ended, and
  /// prints its seconds.
  void lap(llvm::StringRef what) {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> seconds = now - last_;
    last_ = now;
    if (isVerbose_)
      llvm::errs() << llvm::formatv("{0,8:f3} s  {1}\n", seconds.count(), what);
  }

 private:
  bool isVerbose_;
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_STOPWATCH_H_
