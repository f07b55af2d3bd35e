// Code that the kernels of attention and of its gradient have in common.
//
// A block of threads computes some rows of one head. It loops over tiles of
// rows of a second matrix. We call those rows "others":
//
//   rows      queries; the others are keys, or values
//             keys; the others are queries, or gradients of the result
//   weights   a number for each (row, other) pair of the tile
//   sums      for each row, the sum of others times their weights
//
// Weights and sums are in registers. Rows and others pass through shared
// memory, in slices of up to 32 columns (products()) or a tile of others at a
// time (addRows()).
//
// The threads form a grid of 16 x 16: 16 down the rows, and 16 across the
// others, or across the columns of the sums. A thread has up to 4 rows, 2
// others and 4 columns. The 16 threads that have the same rows are in one warp.
// Weights go through shared memory before they are multiplied with others,
// because a thread then needs weights that other threads of its rows have
// computed.

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

  /// Allocates the shared memory of a block, and limits the registers of the
  /// kernel (limitRegisters). `rows`, `others` and `columns` are the extents of
  /// the whole problem; the sizes of tiles follow from them (tileOf,
  /// tileOfOthers). With 0 `columns` there are no sums, and storeWeights() must
  /// not be called.
  AttentionBlock(KernelBuilder& builder, mlir::Type compute, int64_t rows,
                 int64_t others, int64_t columns);

  /// Returns the size of a tile of rows, or of columns, if there are `extent`
  /// rows, or columns.
  static int64_t tileOf(int64_t extent);
  /// Returns the size of a tile of others if there are `extent` others.
  static int64_t tileOfOthers(int64_t extent);

  /// Begins the code of the block whose first row is `blockRow`.
  void begin(mlir::Value blockRow);

  /// Index of the thread's first row.
  mlir::Value firstRow() const { return firstRow_; }
  /// Returns the index of the thread's first other in the tile of others that
  /// begins at `tileBegin`.
  mlir::Value firstOther(mlir::Value tileBegin);
  /// Whether the thread is the first one of the 16 that share its rows; an i1.
  mlir::Value isFirstThreadOfRow();

  // ---- Vectors with an element for each of the thread's rows ----

  /// Returns `number` in each element.
  mlir::Value splat(double number);
  /// Compares the index of each row with `bound`; returns a vector of i1.
  mlir::Value compareRows(nn::Predicate predicate, mlir::Value bound);
  /// Combines the vectors `perRow` of all threads that share the rows.
  mlir::Value reduce(mlir::vector::CombiningKind kind, mlir::Value perRow);
  /// Loads one number per row of the thread from `perRowOfHead`, a 1 x n matrix
  /// for the n rows of the head.
  mlir::Value load(const DenseMatrix& perRowOfHead);
  /// Stores `perRow`, one number per row of the thread, to such a matrix.
  void store(mlir::Value perRow, const DenseMatrix& perRowOfHead);

  // ---- Weights ----

  /// Returns, as weights, the dot products of the block's rows of `rows` with
  /// the rows of `others` from `tileBegin` on. Has barriers before and after
  /// it writes to shared memory.
  Vectors products(const DenseMatrix& rows, const DenseMatrix& others,
                   mlir::Value tileBegin);

  /// Stores `weights` to shared memory for addRows(), in place of the weights
  /// before. Call products() between two calls: its barrier lets addRows() of
  /// other threads finish reading the old weights.
  void storeWeights(const Vectors& weights);
  /// Loads the thread's weights that storeWeights() has stored.
  Vectors loadWeights();

  /// Returns, as weights, one number per other, the same in every row: the
  /// elements of `perOther`, a 1 x n matrix, from `tileBegin` on.
  Vectors loadPerOther(const DenseMatrix& perOther, mlir::Value tileBegin);

  // ---- Sums ----

  /// Returns sums of zero, for `columns` columns of the whole problem.
  Vectors zeroSums(int64_t columns);
  /// Returns `sums` with each row multiplied by its element of `perRow`.
  Vectors scale(const Vectors& sums, mlir::Value perRow);
  /// Returns `sums` plus the rows of `others` from `tileBegin` on, multiplied
  /// by the weights that storeWeights() has stored. `sums` holds one tile of
  /// columns, which begins at `firstColumn`.
  Vectors addRows(const Vectors& sums, const DenseMatrix& others,
                  mlir::Value tileBegin, mlir::Value firstColumn);
  /// Stores `sums` to the thread's rows of `result`, from `firstColumn` on.
  void store(const Vectors& sums, const DenseMatrix& result,
             mlir::Value firstColumn);

 private:
  KernelBuilder& builder_;
  Arithmetic arithmetic_;
  mlir::Type compute_;
  int64_t tileRows_, tileOthers_;  // sizes of a tile
  /// A slice of the others in products(); unused in addRows().
  SharedTile left_;
  /// A slice of the rows in products(), the tile of others in addRows().
  SharedTile right_;
  std::optional<SharedTile> weights_;  // nullopt if there are no sums
  mlir::Value blockRow_, firstRow_;  // first row of the block and of the thread
  mlir::Value down_, across_;  // position of the thread in the 16 x 16 grid
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_
