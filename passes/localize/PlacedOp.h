// A copy of one op, placed, in a separate module.
//
// So the code that verifies and localizes whole programs can verify and
// localize an op in placements other than its own.

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
  /// Names of the function that contains only the op, and of the machine whose
  /// levels are the axes of the op's mesh.
  static constexpr llvm::StringLiteral kEntry = "op";
  static constexpr llvm::StringLiteral kMesh = "mesh";

  /// Copies `op` to `mesh`. The types of `op` itself may be placed or not.
  PlacedOp(Operation* op, ArrayRef<Placement> operands,
           ArrayRef<Placement> results, const Mesh& mesh);

  /// Returns the placed types of `op` if its operands and results lie as given.
  static mlir::FunctionType typeOf(Operation* op, ArrayRef<Placement> operands,
                                   ArrayRef<Placement> results);
  /// Returns the transitions on `mesh` that local() needs. Ranks are the
  /// positions on `mesh`.
  static GroupTransitions transitionsOn(const Mesh& mesh);

  /// Return the copy, and the module that contains it. Both belong to this
  /// object.
  Operation* get();
  ModuleOp module() { return *module_; }

  /// Returns the program of `rank`. Its function kEntry is the local form of
  /// the op. The copy must be valid, and its signatures must be combinable.
  /// Fails, with an error at the op, if the op builds no local form or an
  /// invalid one.
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
