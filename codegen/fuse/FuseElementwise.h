// Joins element-wise ops that follow one another into one rank.fused op, which
// one kernel computes (Passes.td).

#ifndef CODEGEN_FUSE_FUSEELEMENTWISE_H_
#define CODEGEN_FUSE_FUSEELEMENTWISE_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Fuses element-wise ops in all functions of the rank programs of `local`, a
/// module in the local form.
void fuseElementwise(ModuleOp local);

}  // namespace sbp

#endif  // CODEGEN_FUSE_FUSEELEMENTWISE_H_
