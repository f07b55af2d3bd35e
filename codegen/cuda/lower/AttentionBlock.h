// Code that the kernels of attention and of its gradient have in common.
//
// A block of threads computes some rows of one head. It loops, tile by tile,
// over the rows of another matrix, here called "others", that its rows are
// multiplied with:
//
//   rows      queries; the others are keys, or values
//             keys; the others are queries, or gradients of the result
//   weights   a number for each pair of a row and an other of the tile
//   sums      for each row, the sum of others times their weights
//
// All three are in registers. The threads form a grid of 16 x 16: 16 down the
// rows, and 16 across the others, or across the columns of the sums. A thread
// has up to 4 rows, 2 others and 4 columns. The threads that share rows are in
// one warp. Weights go through shared memory before they are multiplied with
// others, because the thread that needs a weight is not the one that has it.

#ifndef CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_
#define CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_

#include <cstdint>
#include <optional>

#include "codegen/cuda/SharedTile.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

class AttentionBlock {
 public:
  /// The weights or sums of one thread. Weights: for each of its others, a
  /// vector with an element per row. Sums: for each of its rows, a vector with
  /// an element per column.
  using Vectors = llvm::SmallVector<mlir::Value>;

  /// Allocates the shared memory of a block that computes some of `rows` rows
  /// and loops over `others` others. Sums have up to `columns` columns; if 0,
  /// there are no sums, and storeWeights() must not be called.
  AttentionBlock(KernelBuilder& builder, mlir::Type compute, int64_t rows,
                 int64_t others, int64_t columns);

  /// Returns the number of rows or columns, or of others, that a block has at a
  /// time if there are `extent` of them.
  static int64_t tileOf(int64_t extent);
  static int64_t tileOfOthers(int64_t extent);

  /// Begins the code of the block whose first row is `first`.
  void begin(mlir::Value first);

  /// Index of the thread's first row; and of its first other, in the tile of
  /// others that begins at `first`.
  mlir::Value row() const { return row_; }
  mlir::Value other(mlir::Value first);
  /// Whether the thread is the first one of the 16 that share its rows; an i1.
  mlir::Value isFirstOfRow();

  // ---- Vectors with an element for each of the thread's rows ----

  /// Returns `number` in each element.
  mlir::Value splat(double number);
  /// Compares the index of each row with `bound`; returns a vector of i1.
  mlir::Value compareRows(nn::Predicate predicate, mlir::Value bound);
  /// Combines the vectors `perRow` of all threads that share the rows.
  mlir::Value reduce(mlir::vector::CombiningKind kind, mlir::Value perRow);
  /// Loads or stores the elements of the thread's rows in `vector`, a matrix of
  /// one row with an element per row of the head.
  mlir::Value load(const DenseMatrix& vector);
  void store(mlir::Value perRow, const DenseMatrix& vector);

  // ---- Weights ----

  /// Emits the products of the block's rows of `rows` and the rows of `others`
  /// from `firstOther` on, as weights.
  Vectors products(const DenseMatrix& rows, const DenseMatrix& others,
                   mlir::Value firstOther);

  /// Stores `weights` to shared memory for addRows(), replacing those before.
  /// addRows() or products() must be called between two calls: they have the
  /// barriers.
  void storeWeights(const Vectors& weights);
  /// Loads the thread's weights that storeWeights() has stored.
  Vectors loadWeights();

  /// Returns weights that are the same for all rows. They are the elements of
  /// `vector`, a matrix of one row with an element per other.
  Vectors loadPerOther(const DenseMatrix& vector, mlir::Value firstOther);

  // ---- Sums ----

  Vectors zeroSums(int64_t columns);
  /// Returns `sums` with each row multiplied by its element of `perRow`.
  Vectors scale(const Vectors& sums, mlir::Value perRow);
  /// Adds to `sums` the rows of `others` from `firstOther` on, multiplied by
  /// the weights that storeWeights() has stored. The sums have the columns from
  /// `firstColumn` on.
  Vectors addRows(const Vectors& sums, const DenseMatrix& others,
                  mlir::Value firstOther, mlir::Value firstColumn);
  void store(const Vectors& sums, const DenseMatrix& result,
             mlir::Value firstColumn);

 private:
  KernelBuilder& builder_;
  Arithmetic x_;
  mlir::Type compute_;
  int64_t rows_, others_;  // number of these that a block has at a time
  SharedTile left_, right_;
  std::optional<SharedTile> weights_;  // nullopt if there are no sums
  mlir::Value first_, row_;    // first row of the block and of the thread
  mlir::Value down_, across_;  // position of the thread in the 16 x 16 grid
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_
