// Rows of a tensor (codegen/kernels/Rows.h) in the vectors of a CPU. There are
// two layouts:
//
//   inner == 1   one row at a time, vectors along it; a sum over the row ends
//                with a sum over the lanes
//   inner > 1    neighbouring rows side by side, one per lane; a sum over the
//                row needs no sum over lanes
//
// A vector here is up to two registers wide, or up to four on a CPU with
// registers of 64 bytes, so that a reduction has several independent sums. The
// remainder at the end of a row, or of the neighbouring rows, is masked.

#ifndef CODEGEN_CPU_VECTORROWS_H_
#define CODEGEN_CPU_VECTORROWS_H_

#include "codegen/cpu/Target.h"
#include "codegen/kernels/Rows.h"

namespace sbp::cpu {

/// A block of rows: one row, or as many neighbouring rows as a vector has lanes
/// (fewer in a last block).
class VectorRows : public Rows {
 public:
  /// Implements ParallelLoops::forEachRows for `target`.
  static void forEach(KernelBuilder& builder, const Target& target,
                      RowShape shape, mlir::Type element,
                      llvm::function_ref<void(Rows&)> body);

  void forEach(llvm::function_ref<void(At)> body) override;
  mlir::Value reduce(mlir::vector::CombiningKind kind,
                     llvm::function_ref<mlir::Value(At)> term) override;
  mlir::Value load(ElementRef tensor, At at) override;
  void store(mlir::Value vector, ElementRef tensor, At at) override;
  mlir::Value loadShared(ElementRef tensor, At at) override;
  mlir::Value loadOnePerRow(ElementRef tensor) override;
  void storeOnePerRow(mlir::Value vector, ElementRef tensor) override;
  mlir::Value firstRow() const override { return firstRow_; }
  mlir::VectorType vectorType() const override { return vectorType_; }

 private:
  VectorRows(KernelBuilder& builder, RowShape shape,
             mlir::VectorType vectorType, mlir::Value firstOffset,
             mlir::Value firstRow, int64_t numRows)
      : builder_(builder),
        shape_(shape),
        vectorType_(vectorType),
        firstOffset_(firstOffset),
        firstRow_(firstRow),
        numRows_(numRows) {}

  bool isOneRow() const { return shape_.inner == 1; }

  KernelBuilder& builder_;
  RowShape shape_;
  mlir::VectorType vectorType_;
  mlir::Value firstOffset_;
  mlir::Value firstRow_;
  int64_t numRows_;  // number of rows in the block
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_VECTORROWS_H_
