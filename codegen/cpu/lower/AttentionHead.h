// One head of attention, block of rows by block of rows.
//
// The scores of a block of queries against all keys are a strip of scratch
// memory, so that softmax is exact and nothing is rescaled, and no tensor of
// queries x keys exists:
//
//   strip = Q[block] K^T          keys packed once for each head
//   strip = softmax of its rows   what a row must not see is 0
//   O[block] = strip V
//
// With `causal`, a block stops at the last key that its last row sees.

#ifndef CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_
#define CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_

#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

/// The extents of query [heads, queries, features], key [heads, keys, features]
/// and value [heads, keys, valueFeatures].
struct AttentionShape {
  int64_t heads = 1, queries = 1, keys = 1, features = 1, valueFeatures = 1;
  bool isCausal = false;
  double scale = 1;

  AttentionShape(mlir::Value query, mlir::Value value, bool isCausal,
                 double scale);
};

/// How the strip is cut.
struct AttentionBlocking {
  int64_t blockRows = 1;  // queries of a block
  TileShape scoreTile;
  int64_t paddedKeys = 1;  // the strip's columns: whole tiles

  AttentionBlocking(const AttentionShape& shape, const Target& target,
                    int64_t elementBytes);

  int64_t stripElements() const { return blockRows * paddedKeys; }
  int64_t packedElements(int64_t features) const {
    return paddedKeys * features;
  }
};

/// A block of rows of the queries.
struct QueryBlock {
  mlir::Value begin;    // its first row
  int64_t rows = 0;     // how many
  mlir::Value numSeen;  // keys that some row sees
  Block columns;        // of the strip: those keys, up to whole tiles
};

/// Emits the parts of attention; places are those of one head.
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

  /// Clears what packKeys never writes. Once, before the first head.
  void clearPadding(ElementRef panels, int64_t features);

  /// Lays `matrix` [keys, features] out for multiplyByKeys.
  void packKeys(ElementRef matrix, int64_t features, ElementRef panels);

  void forBlocks(llvm::function_ref<void(const QueryBlock&)> body);

  /// strip = rows * packed^T, for the block's rows [rows, features].
  void multiplyByKeys(const QueryBlock& block, ElementRef rows,
                      int64_t features, ElementRef panels, ElementRef strip);

  /// Turns scores into exp(scale * (score - highest)), 0 where unseen, and
  /// returns through `visit`, for each row, its place in the strip and the
  /// factor that makes its sum 1 (0 for a row that sees nothing).
  void exponentiate(
      const QueryBlock& block, ElementRef strip,
      llvm::function_ref<void(mlir::Value row, ElementRef, mlir::Value)> visit);

  /// result [rows, features] = strip * matrix [keys, features].
  void multiplyStrip(const QueryBlock& block, ElementRef strip,
                     ElementRef matrix, int64_t features, ElementRef result);

  /// result [keys, features] += strip^T * rows [rows, features].
  void addTransposedProduct(const QueryBlock& block, ElementRef strip,
                            ElementRef rows, int64_t features,
                            ElementRef result);

  /// Runs through a row of the strip in vectors; all of them are whole.
  void forVectors(const QueryBlock& block, ElementRef row,
                  llvm::function_ref<void(ElementRef)> body);
  /// The sum over a row of the vectors that `term` gives.
  mlir::Value sumVectors(const QueryBlock& block, ElementRef row,
                         llvm::function_ref<mlir::Value(ElementRef)> term);

  int64_t vectorWidth() const;

 private:
  mlir::Value numSeenBy(mlir::Value endOfRows);
  mlir::Value always();

  KernelBuilder& builder_;
  const Target& target_;
  AttentionShape shape_;
  AttentionBlocking blocking_;
  mlir::Type elementType_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_ATTENTIONHEAD_H_
