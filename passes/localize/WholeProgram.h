// What the rank programs of a module are parts of: parameters and entries,
// whole.
//
// A rank program has what lies on its ranks. Of its parameters, and of the
// arguments and results of its entries, `rank.whole` says of which placed
// tensor each is a part, and `rank.position` which argument or result of the
// whole entry it is, where it is not the one at its own place:
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
  mlir::DictionaryAttr attrs;  // what the entry says of it
};

struct WholeEntry {
  mlir::func::FuncOp function;  // of the first program
  SmallVector<WholeTensor> arguments, results;
};

struct WholeProgram {
  SmallVector<nn::ParameterOp> parameters;  // each of the first that has it
  SmallVector<WholeEntry> entries;

  /// That of the rank programs of `module`, at least one. Fails with a
  /// diagnostic where they contradict each other, where a tensor does not say
  /// what it is a part of, or where no program has some argument or result.
  static FailureOr<WholeProgram> of(ModuleOp module);
};

/// By argument, or result, of `entry`, a public function of a rank.program, its
/// number in the whole entry.
SmallVector<int64_t> argumentPositions(mlir::func::FuncOp entry);
SmallVector<int64_t> resultPositions(mlir::func::FuncOp entry);

/// The whole, placed type of a parameter of a rank.program. Fails with a
/// diagnostic if it does not say so.
FailureOr<RankedTensorType> wholeType(nn::ParameterOp parameter);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_WHOLEPROGRAM_H_
