// A product of parts that no device can multiply alone, panel by panel.
//
// In SUMMA, a device of a 2 x 2 mesh owns one block of each matrix:
//
//   C = A B      A: [S(0), S(1)]      B: [S(0), S(1)]      C: [S(0), S(1)]
//
// Its block of C needs the blocks of A in its row of devices, and those of B in
// its column. It gathers them not at once but a panel of the loop k over which
// is summed at a time, so that it never has more than a part of either:
//
//        k ->                    j ->
//      +--+--+--+--+          +-----------+
//   i  |  |##|  |  |       k  |           |        C += A(:, panel) B(panel, :)
//      |  |##|  |  |          |###########|
//      +--+--+--+--+          |           |
//                             +-----------+
//
// The products that compute gradients move the same blocks along the same loop,
// only that k is then a loop of the result: panels of it are joined, or, where
// what was split is summed over, reduced and scattered.
//
// In general: a tensor that has the panel loop is cut along it over a group of
// devices (its `parts`), or not at all. With L a common multiple of the sizes
// of all such groups, the loop is cut into L chunks, and panel t consists of
// the t-th slice of every chunk. So each device has an equal share of each
// panel, and the shares, joined in the order of the devices, are in the same
// order for every tensor, however many devices it is cut over.
//
// Source: R. van de Geijn and J. Watts, SUMMA: scalable universal matrix
// multiplication algorithm, 1997; with gathers where they have broadcasts, for
// which no device must have a whole panel.

#ifndef PLUGINS_SUMMA_PANELPRODUCT_H_
#define PLUGINS_SUMMA_PANELPRODUCT_H_

#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"

namespace sbp::summa {

/// How one tensor has the panel loop.
struct PanelTensor {
  int64_t dim = kNoLoop;         // which is the loop's, if any
  SmallVector<int64_t, 3> axes;  // of the mesh, over which it is cut
  int64_t parts = 1;             // devices of these axes
};

class PanelProduct {
 public:
  /// The einsum of loops `nest` when it runs by `perAxis`, one signature per
  /// axis of `mesh`; nothing if these do not go together.
  static std::optional<PanelProduct> of(const LoopNest& nest, const Mesh& mesh,
                                        ArrayRef<const Signature*> perAxis);

  /// What one rank runs.
  Value build(OpBuilder& builder, nn::EinsumOp op, ValueRange operands) const;

 private:
  Value panelOf(OpBuilder& builder, Location location, Value value,
                const PanelTensor& tensor, int64_t panel) const;
  Value joined(OpBuilder& builder, Location location, ArrayRef<Value> panels,
               const PanelTensor& tensor) const;

  /// Elements of the loop in a slice of a chunk.
  int64_t width() const { return extent_ / (numChunks_ * numPanels_); }

  const Mesh* mesh_ = nullptr;
  int64_t extent_ = 0;  // of the panel loop
  int64_t numChunks_ = 1;
  int64_t numPanels_ = 1;
  SmallVector<PanelTensor, 2> operands_;
  PanelTensor result_;
};

/// The loop along which a signature in which an einsum communicates moves
/// panels.
int64_t panelLoopOf(const LoopNest& nest, const Signature& signature);

}  // namespace sbp::summa

#endif  // PLUGINS_SUMMA_PANELPRODUCT_H_
