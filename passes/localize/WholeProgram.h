// Joins the rank programs of a module: finds the parameters and entries of all
// ranks.
//
// A rank program has only what lies on its ranks. For each parameter, and each
// argument and result of an entry, `rank.whole` gives the placed type of the
// whole tensor. `rank.position` gives the index of an argument or result in the
// whole entry. It is omitted if that index equals the index in the rank
// program:
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
  mlir::func::FuncOp function;  // the function of the first program
  SmallVector<WholeTensor> arguments, results;
};

/// The parameters and entries of all ranks.
struct WholeProgram {
  /// The parameters. A parameter of several programs is taken from the first
  /// one.
  SmallVector<nn::ParameterOp> parameters;
  SmallVector<WholeEntry> entries;

  /// Joins the rank programs of `module`, which must have at least one. Fails
  /// with a diagnostic in these cases: the programs contradict each other; a
  /// parameter, argument or result has no placed `rank.whole`; the positions in
  /// an entry do not ascend; an argument or result of the whole entry is in no
  /// program; two inputs or two outputs of an entry have the same name.
  static FailureOr<WholeProgram> of(ModuleOp module);
};

/// Returns, for each argument of `entry`, its index in the whole entry. `entry`
/// must be a public function of a rank.program.
SmallVector<int64_t> argumentPositions(mlir::func::FuncOp entry);
/// Returns, for each result of `entry`, its index in the whole entry. `entry`
/// must be a public function of a rank.program.
SmallVector<int64_t> resultPositions(mlir::func::FuncOp entry);

/// Returns the whole, placed type of a parameter of a rank.program. Fails with
/// a diagnostic if the parameter has no such type.
FailureOr<RankedTensorType> wholeType(nn::ParameterOp parameter);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_WHOLEPROGRAM_H_
