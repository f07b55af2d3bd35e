// The part of a program in stages that one group of ranks runs, as a program of
// its own.
//
// One plan is searched for all stages of a group. The search sees a copy of the
// program that has only what lies on the group. An sbp.arrive stands for a
// tensor from elsewhere, an sbp.depart for a tensor that ops on other groups
// use.
//
//   the whole program                     that of the group of stage 1
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

/// The part of one group, as a module of its own. It refers to ops of the whole
/// module, which must outlive it, unchanged.
class GroupProgram {
 public:
  /// Copies the part of `module` that `meshes` assigns to `group`.
  GroupProgram(ModuleOp module, const ProgramMeshes& meshes,
               ProgramMeshes::Name group);

  ModuleOp module() const { return *own_; }

  /// Adds `plan`, a plan for this part, to `whole`, a plan for the whole
  /// program. What lies on the whole machine is in the plan of no group.
  void addTo(Plan& whole, const Plan& plan) const;

 private:
  class Writer;

  mlir::OwningOpRef<ModuleOp> own_;
  /// From the ops, arguments and returned operands of the whole program to
  /// those of this part.
  llvm::DenseMap<Operation*, Operation*> ops_;
  llvm::DenseMap<Value, Value> arguments_;
  SmallVector<std::pair<mlir::OpOperand*, mlir::OpOperand*>> returned_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_GROUPPROGRAM_H_
