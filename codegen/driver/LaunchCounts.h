// Counts how often a program launches kernels on a GPU.

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
  /// Makes counts of no entry.
  LaunchCounts() = default;

  /// Returns the counts of all entries of `module`, which is in any form from
  /// the placed one on and stays as it is. They are empty on a CPU, where
  /// kernels are functions, and if there is no plan.
  static LaunchCounts of(mlir::ModuleOp module, Backend& backend);

  /// Returns the number of launches in one run of `entry`, on the rank with
  /// most.
  std::optional<int64_t> in(const std::string& entry) const;

  /// Returns that number as a line of text; "" if it is not known.
  std::string text(const std::string& entry) const;

 private:
  std::map<std::string, int64_t> byEntry_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LAUNCHCOUNTS_H_
