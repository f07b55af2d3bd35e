// Emits one head of attention, block by block of queries.
//
// The scores of a block of queries against all keys are a strip in scratch
// memory: a matrix with a row per query of the block, and a column per key. A
// strip has whole rows. So softmax knows the maximum of a row before it
// computes exponentials, and no tensor of queries x keys is stored:
//
//   strip = Q[block] K^T             keys are packed once per head
//   strip = exp(scale * strip - m)   m is the maximum of scale * strip in the
//                                    row; 0 for keys that the row must not
//                                    attend to
//   O[block] = strip V               then each row is divided by the sum of the
//                                    same row of the strip
//
// In causal attention, query t attends to the keys 0 ... t + keys - queries. A
// strip then ends with the tile of the last key that a row of its block attends
// to.

#ifndef CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_
#define CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_

#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

/// Extents of query [heads, queries, features], key [heads, keys, features] and
/// value [heads, keys, valueFeatures]. `heads` is the product of all dimensions
/// of the tensors but the last two.
struct AttentionShape {
  int64_t heads = 1, queries = 1, keys = 1, features = 1, valueFeatures = 1;
  bool isCausal = false;
  double scale = 1;

  AttentionShape(mlir::Value query, mlir::Value value, bool isCausal,
                 double scale);
};

/// Sizes of a block of queries and of its strip.
struct AttentionBlocking {
  int64_t blockRows = 1;   // queries per block; the last block may have fewer
  TileShape scoreTile;     // register tile of the strip
  int64_t paddedKeys = 1;  // columns of the strip: keys, up to a whole tile

  /// Chooses 32 queries per block, or all if there are fewer.
  AttentionBlocking(const AttentionShape& shape, const Target& target,
                    int64_t elementBytes);

  /// Number of elements of the strip [blockRows, paddedKeys].
  int64_t stripElements() const { return blockRows * paddedKeys; }
  /// Number of elements of the packed keys [paddedKeys, features].
  int64_t packedElements(int64_t features) const {
    return paddedKeys * features;
  }
};

/// A block of rows of the queries.
struct QueryBlock {
  mlir::Value begin;  // index of the block's first row
  int64_t rows = 0;   // number of rows
  /// All keys to which rows of the block attend are among the first
  /// numAttendedKeys.
  mlir::Value numAttendedKeys;
  /// Columns of the strip for these keys, rounded up to whole tiles.
  IterationRange columns;
};

/// Emits the steps of attention. All element references are into the matrices
/// of one head, or into scratch memory. In all functions, `rows` begins at the
/// first row of the block, and `strip` is [blockRows, paddedKeys], so each row
/// of the strip begins at the first key.
class AttentionHead {
 public:
  AttentionHead(KernelBuilder& builder, const Target& target,
                const AttentionShape& shape, const AttentionBlocking& blocking,
                mlir::Type elementType)
      : builder_(builder),
        target_(target),
        shape_(shape),
        blocking_(blocking),
        elementType_(elementType) {}

  /// Sets the last panel (PackPanel.h) of `panels` to zero if it has columns
  /// without a key. Called once, before the first head: packKeys() keeps these
  /// columns zero.
  void clearPadding(ElementRef panels, int64_t features);

  /// Packs `matrix` [keys, features] into panels for multiplyByKeys(). `panels`
  /// has room for packedElements(features) elements.
  void packKeys(ElementRef matrix, int64_t features, ElementRef panels);

  /// Emits a loop over the blocks of queries; `body` emits the code of a block.
  void forBlocks(llvm::function_ref<void(const QueryBlock&)> body);

  /// Emits strip = rows * keys^T for the block's `rows` [block.rows, features],
  /// in the columns block.columns. The keys are packed in `panels`. Columns
  /// without a key become zero (clearPadding()).
  void multiplyByKeys(const QueryBlock& block, ElementRef rows,
                      int64_t features, ElementRef panels, ElementRef strip);

  /// Emits a loop over the rows of the strip. The loop turns each score s of a
  /// row into exp(scale * s - m), or into 0 for a key that the row must not
  /// attend to; m is the highest scale * s of the keys that the row attends to.
  /// `visit` then emits code for the row. `visit` gets the row's index in the
  /// block, the row's first element in the strip, and the factor that makes the
  /// sum of the row 1 (0 if the row attends to no key).
  void exponentiate(
      const QueryBlock& block, ElementRef strip,
      llvm::function_ref<void(mlir::Value row, ElementRef, mlir::Value)> visit);

  /// Emits result [block.rows, features] = strip * matrix [keys, features],
  /// where keys after the first block.numAttendedKeys are left out. `result`
  /// begins at the block's first row.
  void multiplyStrip(const QueryBlock& block, ElementRef strip,
                     ElementRef matrix, int64_t features, ElementRef result);

  /// Emits result [keys, features] += strip^T * rows [block.rows, features].
  void addTransposedProduct(const QueryBlock& block, ElementRef strip,
                            ElementRef rows, int64_t features,
                            ElementRef result);

  /// Emits a loop over the columns block.columns of `row`, a row of the strip,
  /// in whole vectors. `body` gets the first element of a vector.
  void forVectors(const QueryBlock& block, ElementRef row,
                  llvm::function_ref<void(ElementRef)> body);
  /// Returns the sum, as a scalar, of all elements of the vectors that `term`
  /// returns. `term` gets the first element of each vector of `row`, as in
  /// forVectors().
  mlir::Value sumVectors(const QueryBlock& block, ElementRef row,
                         llvm::function_ref<mlir::Value(ElementRef)> term);

  /// Number of elements of a vector in forVectors() and sumVectors().
  int64_t vectorWidth() const;

 private:
  /// Returns the number of keys that row endOfRows - 1 attends to.
  mlir::Value numKeysAttendedBy(mlir::Value endOfRows);
  /// Returns an i1 that is true.
  mlir::Value always();

  KernelBuilder& builder_;
  const Target& target_;
  AttentionShape shape_;
  AttentionBlocking blocking_;
  mlir::Type elementType_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_
