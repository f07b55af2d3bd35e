// One op of a program, placed, in a module of its own.
//
// So the op is verified and localized at other placements than those it has,
// by the code that verifies and localizes whole programs.

#ifndef PASSES_LOCALIZE_PLACEDOP_H_
#define PASSES_LOCALIZE_PLACEDOP_H_

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/GroupTransitions.h"

namespace sbp {

/// A copy of an op with placed operands and results.
class PlacedOp {
 public:
  /// Names of the function that consists of the op, and of the machine whose
  /// levels are the axes of its mesh.
  static constexpr llvm::StringLiteral kEntry = "op";
  static constexpr llvm::StringLiteral kMesh = "mesh";

  /// Copies `op`, whose own types may be placed or not, to `mesh`.
  PlacedOp(Operation* op, ArrayRef<Placement> operands,
           ArrayRef<Placement> results, const Mesh& mesh);

  /// Returns the placed types that `op` has in these placements.
  static mlir::FunctionType typeOf(Operation* op, ArrayRef<Placement> operands,
                                   ArrayRef<Placement> results);
  /// Returns the transitions on `mesh`, for local(). Ranks are numbered by
  /// their positions on it.
  static GroupTransitions transitionsOn(const Mesh& mesh);

  /// Returns the copy, and the module that it is in. Both belong to this
  /// object.
  Operation* get();
  ModuleOp module() { return *module_; }

  /// Returns the program of `rank`, of which the op's local form is the
  /// function kEntry. The copy must be valid, and its signatures must go
  /// together. Fails after an error at the op if the op builds no local form,
  /// or one that is invalid.
  FailureOr<mlir::OwningOpRef<rank::ProgramOp>> local(
      int64_t rank, const GroupTransitions& transitions);

 private:
  /// Emits the error that `rank` cannot run the op, for the reason `refusal`.
  void refuse(int64_t rank, StringRef refusal);

  mlir::OwningOpRef<ModuleOp> module_;
  Mesh mesh_;
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_PLACEDOP_H_
