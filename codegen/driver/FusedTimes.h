// Times of ops in fused kernels, for each op of the boxed form.
//
// Ops are fused in the local form (codegen/fuse). Explanations price the ops of
// the boxed form, in which they still have the names of the model. So a copy of
// the module is brought to the local form and fused, and each local op is
// traced back to the op that it was made for.

#ifndef CODEGEN_DRIVER_FUSEDTIMES_H_
#define CODEGEN_DRIVER_FUSEDTIMES_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/explain/KernelShares.h"

namespace sbp {

/// Returns for each op of `boxed`, a module in the boxed form, the share of its
/// time that is left if ops are fused, on devices like `device`. Where ranks
/// fuse differently, the program of the first ranks that run an op counts. All
/// shares are 1, without a diagnostic, if the module cannot be brought to the
/// local form.
KernelShares kernelSharesIn(ModuleOp boxed, const Device& device);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_FUSEDTIMES_H_
