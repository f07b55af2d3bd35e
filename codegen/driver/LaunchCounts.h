// Counts the launches of kernels in one run of each entry on GPUs.

#ifndef CODEGEN_DRIVER_LAUNCHCOUNTS_H_
#define CODEGEN_DRIVER_LAUNCHCOUNTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codegen/driver/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Numbers of kernel launches, by entry.
class LaunchCounts {
 public:
  /// Makes an object without counts.
  LaunchCounts() = default;

  /// Returns the counts of all entries of `module`, which is in any form from
  /// the placed one on and stays as it is. Makes a whole plan to count them.
  /// For this plan `backend` starts its kernels anew, so its earlier kernels
  /// are lost. Returns no counts if `backend` is for CPUs, where kernels are
  /// not launched, or, without a diagnostic, if no plan can be made.
  static LaunchCounts of(mlir::ModuleOp module, Backend& backend);

  /// Returns the number of launches in one run of `entry` (a name without "@"),
  /// on the rank that has most; nullopt if `entry` has no count.
  std::optional<int64_t> in(const std::string& entry) const;

  /// Returns the same number as a line, "A device launches 12 kernels.\n"; ""
  /// if `entry` has no count.
  std::string text(const std::string& entry) const;

 private:
  std::map<std::string, int64_t> byEntry_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LAUNCHCOUNTS_H_
