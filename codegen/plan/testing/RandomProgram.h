// Random rank programs, to try plans on.

#ifndef CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_
#define CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::testing {

/// A module with one rank.program on one device, which has the public function
/// @entry: layers that call each other, several times each; functions that are
/// repeated and give what they are given, or the same twice; parameters that
/// are read anywhere and set anywhere in the entry, to new values, to each
/// other's old values, to inputs; results that are inputs, parameters, or the
/// same twice; reshapes; ops with several results; collectives; tensors without
/// elements.
mlir::OwningOpRef<ModuleOp> randomRankProgram(MLIRContext* context,
                                              unsigned seed);

}  // namespace sbp::testing

#endif  // CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_
