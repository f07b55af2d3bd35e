// Random rank programs, for tests of plans.

#ifndef CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_
#define CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::testing {

/// Returns a module with one rank.program on one device and the public function
/// @entry. The programs may have: layers that call other layers several times;
/// repeated functions that return an argument, or one value twice; parameters
/// that are read anywhere before they are set, and set anywhere in the entry to
/// new values, to each other's old values, or to inputs; results that are
/// inputs, parameters, or one value twice; reshapes; ops with several results;
/// collectives, some of which may go into buckets; tensors without elements.
mlir::OwningOpRef<ModuleOp> randomRankProgram(MLIRContext* context,
                                              unsigned seed);

}  // namespace sbp::testing

#endif  // CODEGEN_PLAN_TESTING_RANDOMPROGRAM_H_
