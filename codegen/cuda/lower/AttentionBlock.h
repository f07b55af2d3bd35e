// Code that the kernels of attention and of its gradient have in common.
//
// A block of threads computes some rows of one head, for example of queries. It
// loops over tiles of rows of a second matrix of the head, for example of keys.
// Rows of the second matrix are called others here:
//
//   rows                                  others
//   queries, or gradients of the result   keys, or values
//   keys, or values                       queries, or gradients of the result
//
//   weights[row, other]   a number for each pair in the tile
//   sums[row, column]     sum over others of
//                         weights[row, other] * others[other, column]
//
// The block has one tile of rows and one tile of columns of the sums. Tiles are
// at most 64 rows, 32 others and 64 columns. All indices of rows, others and
// columns count in the matrices of the head, not in a tile.
//
// The threads form a grid of 16 x 16: 16 down the rows, and 16 across the
// others, or across the columns of the sums. A thread has up to 4 rows, 2
// others and 4 columns, and has its weights and sums in registers. The 16
// threads that have the same rows are in one warp.
//
// Rows and others pass through shared memory, in slices of up to 32 columns
// (products()) or a tile of others at a time (addRows()). Weights pass through
// shared memory before they are multiplied with others: a thread then needs the
// weights of its rows for all others of the tile, and has computed only some of
// them itself.
//
// A tile may reach beyond the edge of its matrix: loads return zeros there, and
// stores write nothing.

#ifndef CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_
#define CODEGEN_CUDA_LOWER_ATTENTIONBLOCK_H_

#include <cstdint>
#include <optional>

#include "codegen/cuda/SharedTile.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

/// Emits the code of one block of threads. All threads of the block must
/// execute the code of products() and addRows(), and all threads of a warp the
/// code of reduce().
class AttentionBlock {
 public:
  /// The weights or the sums of one thread. Weights are a vector for each of
  /// the thread's others, with an element for each of the thread's rows. Sums
  /// are a vector for each of the thread's rows, with an element for each of
  /// the thread's columns.
  using ThreadFragment = llvm::SmallVector<mlir::Value>;

  /// Allocates the shared memory of a block, and limits the registers of the
  /// kernel so that four blocks fit on a multiprocessor. Weights and sums have
  /// elements of type `compute`. A head has `rows` rows, `others` others and
  /// `columns` columns of the sums; the sizes of tiles follow from these
  /// numbers (tileOf, tileOfOthers). If `columns` is 0, there are no sums, and
  /// storeWeights(), loadWeights() and addRows() must not be called.
  AttentionBlock(KernelBuilder& builder, mlir::Type compute, int64_t rows,
                 int64_t others, int64_t columns);

  /// Returns the size of a tile of rows (or of columns) if a head has `extent`
  /// rows (or columns): 16 for up to 16, 32 for up to 32, else 64.
  static int64_t tileOf(int64_t extent);
  /// Returns the size of a tile of others if a head has `extent` others: 16 for
  /// up to 16, else 32.
  static int64_t tileOfOthers(int64_t extent);

  /// Begins the code of the block whose first row is `blockRow`. Must be called
  /// before the functions below.
  void begin(mlir::Value blockRow);

  /// Index of the thread's first row.
  mlir::Value firstRow() const { return firstRow_; }
  /// Returns the index of the thread's first other, where the tile of others
  /// begins at `tileBegin`.
  mlir::Value firstOther(mlir::Value tileBegin);
  /// Returns an i1: whether the thread is the first of the 16 that share its
  /// rows.
  mlir::Value isFirstThreadOfRow();

  // ---- Vectors with an element for each of the thread's rows ----

  /// Returns a vector with `number` in each element.
  mlir::Value splat(double number);
  /// Returns a vector of i1: the comparison of each row's index (left) with the
  /// index `bound` (right).
  mlir::Value compareRows(nn::Predicate predicate, mlir::Value bound);
  /// Combines, element by element, the vectors `perRow` of the 16 threads that
  /// share the rows; each of them gets the result.
  mlir::Value reduce(mlir::vector::CombiningKind kind, mlir::Value perRow);
  /// Loads one number for each of the thread's rows from `perRowOfHead`, a
  /// 1 x n matrix for the n rows of the head.
  mlir::Value load(const DenseMatrix& perRowOfHead);
  /// Stores `perRow`, one number for each of the thread's rows, to
  /// `perRowOfHead`, a 1 x n matrix for the n rows of the head.
  void store(mlir::Value perRow, const DenseMatrix& perRowOfHead);

  // ---- Weights ----

  /// Returns, as the thread's weights, the dot products of its rows, in `rows`,
  /// with its others, in `others`. The tile of others begins at `tileBegin`.
  /// `rows` and `others` are the head's matrices, with the same number of
  /// columns. Has barriers before and after it writes to shared memory.
  ThreadFragment products(const DenseMatrix& rows, const DenseMatrix& others,
                          mlir::Value tileBegin);

  /// Stores the thread's `weights` to shared memory for addRows(), in place of
  /// earlier weights. Call products() between addRows() and the next
  /// storeWeights(): at the barrier of products() other threads finish reading.
  void storeWeights(const ThreadFragment& weights);
  /// Loads the weights that this thread has stored last.
  ThreadFragment loadWeights();

  /// Returns weights that are the same in every row: for each of the thread's
  /// others, its element of `perOther`, a 1 x n matrix for the n others of the
  /// head. The tile of others begins at `tileBegin`.
  ThreadFragment loadPerOther(const DenseMatrix& perOther,
                              mlir::Value tileBegin);

  // ---- Sums ----

  /// Returns zero as the thread's sums of one tile, in a head with `columns`
  /// columns.
  ThreadFragment zeroSums(int64_t columns);
  /// Returns `sums` with each row multiplied by its element of `perRow`.
  ThreadFragment scale(const ThreadFragment& sums, mlir::Value perRow);
  /// Returns the thread's `sums` plus the products of the weights in shared
  /// memory with the tile of `others` that begins at row `tileBegin` and column
  /// `firstColumn`. Has barriers before and after it writes to shared memory;
  /// the first one also waits for storeWeights() of all threads.
  ThreadFragment addRows(const ThreadFragment& sums, const DenseMatrix& others,
                         mlir::Value tileBegin, mlir::Value firstColumn);
  /// Stores the thread's `sums` to its rows of `result`, which is [rows,
  /// columns] of the head. The tile of columns begins at `firstColumn`.
  void store(const ThreadFragment& sums, const DenseMatrix& result,
             mlir::Value firstColumn);

 private:
  KernelBuilder& builder_;
  Arithmetic arithmetic_;
  mlir::Type compute_;
  int64_t tileRows_, tileOthers_;  // rows and others of a tile
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
