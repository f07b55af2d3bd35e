// What kernels of attention and of its gradients have in common: a block of
// threads has some rows of one head, and goes through the others that these are
// multiplied with, tile by tile.
//
//   rows      queries, which go through keys; or keys, which go through queries
//   weights   one for each row and each of the others of a tile
//   sums      for each row, of rows of others, each times its weight
//
// All of these are in registers, of threads that are 16 down the rows and 16
// across the others, or across the columns of sums: each has up to 4 rows,
// 2 others and 4 columns. The threads that share rows are of one warp. Weights
// go through shared memory to become a factor of sums.

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
  /// Weights are a vector of the thread's rows for each of its others; sums are
  /// a vector of its columns for each of its rows.
  using Numbers = llvm::SmallVector<mlir::Value>;

  /// A block of some of `rows` rows, with sums of matrices of up to `columns`
  /// columns; if of 0, no weights are kept.
  AttentionBlock(KernelBuilder& builder, mlir::Type compute, int64_t rows,
                 int64_t others, int64_t columns);

  /// How many of `extent` rows or columns, or others, a block has at a time.
  static int64_t tileOf(int64_t extent);
  static int64_t tileOfOthers(int64_t extent);

  /// Begins the code of the block that begins at row `first`.
  void begin(mlir::Value first);

  /// The first row of the thread, and the first of its others, if those of the
  /// block begin at `first`.
  mlir::Value row() const { return row_; }
  mlir::Value other(mlir::Value first);
  /// Whether the thread is the first of those that share its rows.
  mlir::Value isFirstOfRow();

  // ---- A vector with a number for each of the thread's rows ----

  mlir::Value ofRows(double number);
  /// Whether the row is less than `bound`, at least that, ...
  mlir::Value compareRows(nn::Predicate predicate, mlir::Value bound);
  /// `ofRows` of all threads that share the rows, combined.
  mlir::Value reduce(mlir::vector::CombiningKind kind, mlir::Value ofRows);
  /// Of a dense vector with an element for each row.
  mlir::Value load(const DenseMatrix& vector);
  void store(mlir::Value ofRows, const DenseMatrix& vector);

  // ---- Weights ----

  /// The products of the rows with the others from `firstOther` on.
  Numbers products(const DenseMatrix& rows, const DenseMatrix& others,
                   mlir::Value firstOther);

  /// Keeps weights, in the place of those before, until addRows() needs them.
  /// That or products() has to come before the next time.
  void keep(const Numbers& weights);
  Numbers kept();

  /// Weights that are the same for all rows: of a dense vector, which has an
  /// element for each of the others.
  Numbers ofOthers(const DenseMatrix& vector, mlir::Value firstOther);

  // ---- Sums ----

  Numbers zeroSums(int64_t columns);
  /// Each row of `sums` times the number of `ofRows`.
  Numbers scale(const Numbers& sums, mlir::Value ofRows);
  /// Adds the others from `firstOther` on times the weights that are kept; the
  /// block's sums have the columns from `firstColumn` on.
  Numbers addRows(const Numbers& sums, const DenseMatrix& others,
                  mlir::Value firstOther, mlir::Value firstColumn);
  void store(const Numbers& sums, const DenseMatrix& result,
             mlir::Value firstColumn);

 private:
  KernelBuilder& builder_;
  Arithmetic x_;
  mlir::Type compute_;
  int64_t rows_, others_;  // of the block, at a time
  SharedTile left_, right_;
  std::optional<SharedTile> weights_;  // if any are kept
  mlir::Value first_, row_;            // of the block and of the thread
  mlir::Value down_, across_;          // the thread's number among its 16
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_
