// Recognizes programs that differ only in their names, such as those of two
// groups that run equally many layers of a model.
//
//   the program of group 1                the program of group 2
//
//   nn.parameter @w1 : tensor<8x8xf32>    nn.parameter @w2 : tensor<8x8xf32>
//   %h = sbp.arrive                       %h = sbp.arrive
//   %y = call @stage1(%h, %w1)            %y = call @stage2(%h, %w2)
//
// A plan for one of them is a plan for the other.

#ifndef PASSES_PLACEMENT_ALIKEPROGRAMS_H_
#define PASSES_PLACEMENT_ALIKEPROGRAMS_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/plan/Plan.h"

namespace sbp {

/// Two programs that differ only in their names.
struct AlikePrograms {
  /// Map ops, values and names of the first program to those of the second.
  mlir::IRMapping copy;
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> names;

  /// Returns `plan`, of the first program, for the second.
  Plan planOfSecond(const Plan& plan) const;
};

/// Compares `a` and `b` op by op, in the order of their texts. Returns how they
/// correspond if they differ only in locations, in the names of symbols, in the
/// numbers of their stages, and in the number of micro-batches that a stage
/// holds (passes/stages/InFlight.h); else nullopt. Machines and meshes are not
/// compared.
std::optional<AlikePrograms> compareProgramsOf(ModuleOp a, ModuleOp b);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_ALIKEPROGRAMS_H_
