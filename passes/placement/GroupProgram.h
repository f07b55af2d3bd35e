// Extracts the part of a program in stages that one group of ranks runs, as a
// separate program.
//
// One plan is searched for all stages of a group. The search gets a copy of the
// program that has only what lies on the group. An sbp.arrive stands for a
// tensor from another group. An sbp.depart stands for the uses of a tensor on
// other groups.
//
//   the whole program                     the program of the group of stage 1
//
//   %h = call @loss.stage0(%x, %w0)       %h = sbp.arrive
//   %y = call @loss.stage1(%h, %w1)       %y = call @loss.stage1(%h, %w1)
//   %g = call @loss.stage1.backward(..)   %g = call @loss.stage1.backward(..)
//   %d = call @loss.stage0.backward(%g)   sbp.depart %g
//
// The plan that is found is then translated back to the whole program.

#ifndef PASSES_PLACEMENT_GROUPPROGRAM_H_
#define PASSES_PLACEMENT_GROUPPROGRAM_H_

#include <utility>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/plan/Plan.h"
#include "passes/plan/ProgramMeshes.h"

namespace sbp {

/// The part of one group, as a separate module. Refers to ops of the whole
/// module, which must outlive this object and must not change.
class GroupProgram {
 public:
  /// Copies the part of `module` that `meshes` assigns to `group`.
  GroupProgram(ModuleOp module, const ProgramMeshes& meshes,
               ProgramMeshes::Name group);

  ModuleOp module() const { return *own_; }

  /// Adds `plan`, a plan for this part, to `whole`, a plan for the whole
  /// program. A group's plan has no placements for what lies on the whole
  /// machine.
  void addTo(Plan& whole, const Plan& plan) const;

 private:
  class Writer;

  mlir::OwningOpRef<ModuleOp> own_;
  /// Map ops, arguments and returned operands of the whole program to those of
  /// this part.
  llvm::DenseMap<Operation*, Operation*> ops_;
  llvm::DenseMap<Value, Value> arguments_;
  SmallVector<std::pair<mlir::OpOperand*, mlir::OpOperand*>> returned_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_GROUPPROGRAM_H_
