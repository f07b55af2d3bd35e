// How often a program launches kernels on a GPU.

#ifndef CODEGEN_DRIVER_LAUNCHCOUNTS_H_
#define CODEGEN_DRIVER_LAUNCHCOUNTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codegen/driver/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

class LaunchCounts {
 public:
  /// Of no entry.
  LaunchCounts() = default;

  /// Of all entries of `module`, which is in any form from the placed one on
  /// and stays as it is; of none where kernels are functions of a CPU, or there
  /// is no plan.
  static LaunchCounts of(mlir::ModuleOp module, Backend& backend);

  /// In one run of `entry`, on the rank that has most.
  std::optional<int64_t> in(const std::string& entry) const;

  /// The same as a line, or "".
  std::string text(const std::string& entry) const;

 private:
  std::map<std::string, int64_t> byEntry_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LAUNCHCOUNTS_H_
