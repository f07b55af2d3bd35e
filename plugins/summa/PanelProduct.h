// A matrix product whose operands are split so that no device has all elements
// that its part of the result needs. The devices exchange elements panel by
// panel.
//
// In SUMMA, a device of a 2 x 2 mesh owns one block of each matrix:
//
//   C = A B      A: [S(0), S(1)]      B: [S(0), S(1)]      C: [S(0), S(1)]
//
// For its block of C, a device needs all blocks of A in its row of devices, and
// all blocks of B in its column. The device does not gather these blocks at
// once, but one panel of the summed loop k at a time. So a device never has
// more of A and B than its own blocks and one panel of each:
//
//        k ->                    j ->
//      +--+--+--+--+          +-----------+
//   i  |  |##|  |  |       k  |           |        C += A(:, panel) B(panel, :)
//      |  |##|  |  |          |###########|
//      +--+--+--+--+          |           |
//                             +-----------+
//
// The products that compute gradients exchange the same blocks along the same
// loop k. If k indexes the result, the panels of the result are concatenated.
// If the result is also split along k, each panel is reduced and scattered
// first.
//
// In general, k is the panel loop. A tensor that the panel loop indexes is
// split along it over a group of devices, or is whole along it (a group of
// one). Let L be the least common multiple of the sizes of these groups. The
// loop is divided into L chunks, and panel t consists of the t-th slice of
// every chunk. Each device then has an equal share of each panel. The shares,
// concatenated in the order of the devices, have the same order for every
// tensor, regardless of the size of its group.
//
// Source: R. van de Geijn and J. Watts, SUMMA: scalable universal matrix
// multiplication algorithm, 1997. Their algorithm broadcasts panels; this one
// gathers them, so that no device need have a whole panel beforehand.

#ifndef PLUGINS_SUMMA_PANELPRODUCT_H_
#define PLUGINS_SUMMA_PANELPRODUCT_H_

#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"

namespace sbp::summa {

/// The way in which one tensor of the product is split along the panel loop.
struct PanelTensor {
  int64_t dim = kNoLoop;  // dimension that the panel loop indexes, or kNoLoop
  SmallVector<int64_t, 3> axes;  // mesh axes that split this dimension
  int64_t parts = 1;             // number of devices along these axes
};

/// An einsum that runs panel by panel.
class PanelProduct {
 public:
  /// Returns the product for an einsum with the loops `nest` and the signatures
  /// `perAxis`, one per axis of `mesh`, which must outlive the product. Returns
  /// nothing if these signatures cannot be combined: if they have different
  /// panel loops, if an axis splits the panel loop itself, or if the extent of
  /// the panel loop is no positive multiple of L.
  static std::optional<PanelProduct> of(const LoopNest& nest, const Mesh& mesh,
                                        ArrayRef<const Signature*> perAxis);

  /// Builds the local ops and collectives that one rank runs for `op`, and
  /// returns the local result. `operands` are the local operands.
  Value build(OpBuilder& builder, nn::EinsumOp op, ValueRange operands) const;

 private:
  Value panelOf(OpBuilder& builder, Location location, Value value,
                const PanelTensor& tensor, int64_t panel) const;
  Value joined(OpBuilder& builder, Location location, ArrayRef<Value> panels,
               const PanelTensor& tensor) const;

  /// Number of iterations of the panel loop in one slice of a chunk.
  int64_t width() const { return extent_ / (numChunks_ * numPanels_); }

  const Mesh* mesh_ = nullptr;
  int64_t extent_ = 0;     // of the panel loop
  int64_t numChunks_ = 1;  // L
  int64_t numPanels_ = 1;
  SmallVector<PanelTensor, 2> operands_;
  PanelTensor result_;
};

/// Returns the panel loop of `signature`, a communicating signature of an
/// einsum with the loops `nest`.
int64_t panelLoopOf(const LoopNest& nest, const Signature& signature);

}  // namespace sbp::summa

#endif  // PLUGINS_SUMMA_PANELPRODUCT_H_
