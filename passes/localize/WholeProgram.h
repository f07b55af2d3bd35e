// Joins the parts that the rank programs of a module have of its parameters and
// entries.
//
// A rank program contains what lies on its ranks. For each parameter, and each
// argument and result of an entry, `rank.whole` gives the placed type of the
// whole tensor. `rank.position` gives the index of an argument or result in the
// whole entry, if that differs from its index in the rank program:
//
//   ranks 0, 1:  func.func @loss(%x {rank.whole = tensor<8x4xf32, ...>})
//   rank 2:      func.func @loss(%t {rank.position = 1, rank.whole = ...})
//                    -> (tensor<f32> {rank.whole = ...})
//
//   whole:       @loss(%x, %t) -> tensor<f32>

#ifndef PASSES_LOCALIZE_WHOLEPROGRAM_H_
#define PASSES_LOCALIZE_WHOLEPROGRAM_H_

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// An argument or a result of an entry.
struct WholeTensor {
  RankedTensorType type;       // placed
  mlir::DictionaryAttr attrs;  // its attributes without rank.position
};

/// An entry of all ranks, with all its arguments and results.
struct WholeEntry {
  mlir::func::FuncOp function;  // that of the first program
  SmallVector<WholeTensor> arguments, results;
};

/// The parameters and entries of all ranks.
struct WholeProgram {
  /// Parameters, each from the first program that has it.
  SmallVector<nn::ParameterOp> parameters;
  SmallVector<WholeEntry> entries;

  /// Joins the rank programs of `module`, which has at least one. Fails with a
  /// diagnostic if the programs contradict each other, if a parameter, argument
  /// or result has no placed `rank.whole`, if the positions in an entry do not
  /// ascend, if an argument or result is in no program, or if two inputs or
  /// outputs of an entry have one name.
  static FailureOr<WholeProgram> of(ModuleOp module);
};

/// Returns, for each argument of `entry`, a public function of a rank.program,
/// the index of that argument in the whole entry.
SmallVector<int64_t> argumentPositions(mlir::func::FuncOp entry);
/// Returns, for each result of `entry`, a public function of a rank.program,
/// the index of that result in the whole entry.
SmallVector<int64_t> resultPositions(mlir::func::FuncOp entry);

/// Returns the whole, placed type of a parameter of a rank.program. Fails with
/// a diagnostic if the parameter has none.
FailureOr<RankedTensorType> wholeType(nn::ParameterOp parameter);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_WHOLEPROGRAM_H_
