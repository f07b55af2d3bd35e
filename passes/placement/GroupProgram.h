// What one group of ranks does of a program in stages, as a program of its own.
//
// A plan for a stage is searched as for any program: for the one that is left
// when all is taken away that lies elsewhere.
//
//   %h = call @loss.stage0(%x, %w0)       %h = sbp.arrive
//   %y = call @loss.stage1(%h, %w1)       %y = call @loss.stage1(%h, %w1)
//   %g = call @loss.stage1.backward(..)   %g = call @loss.stage1.backward(..)
//   %d = call @loss.stage0.backward(%g)   sbp.depart %g
//
// What was searched for it is then said of the program it was taken from.

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

class GroupProgram {
 public:
  /// The part of `module`, which is placed as `meshes` says, on `group`.
  GroupProgram(ModuleOp module, const ProgramMeshes& meshes,
               ProgramMeshes::Name group);

  ModuleOp module() const { return *own_; }

  /// Adds to `whole`, a plan for the program that this is a part of, what
  /// `plan`, one for this part, says.
  void addTo(Plan& whole, const Plan& plan) const;

 private:
  class Writer;

  mlir::OwningOpRef<ModuleOp> own_;
  /// From the whole program to this part; ops and arguments.
  llvm::DenseMap<Operation*, Operation*> ops_;
  llvm::DenseMap<Value, Value> arguments_;
  SmallVector<std::pair<mlir::OpOperand*, mlir::OpOperand*>> returned_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_GROUPPROGRAM_H_
