// Chooses how a contraction is cut into blocks that fit the CPU.
//
// The innermost piece is a tile of C in registers, of `rows` x `vectors` vector
// registers. One step of k adds the product of a column of A and a row of B to
// it. Around it are blocks sized for the caches, after Goto and van de Geijn,
// "Anatomy of High-Performance Matrix Multiplication", 2008:
//
//   n by nBlock            the packed block of B is read from the level 3 cache
//                          or from memory
//     k by kBlock          a panel of B, kBlock x tile columns, stays in the
//                          level 1 cache
//       m by mBlock        the packed block of A stays in the level 2 cache
//         tile by tile
//
// Packing copies a block into the order in which the tile reads it, so that the
// inner loop reads memory sequentially. A block that is read only a few times
// is not packed.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKING_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKING_H_

#include <cstdint>

#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Form of the loops of a contraction, and the sizes of their blocks.
struct Blocking {
  enum class Form {
    kPlain,  // plain loops: no element is used often enough to block
    kDot,    // vectors along k: m or n is 1, and k is contiguous
    kTiled,  // register tiles
  };
  Form form = Form::kPlain;

  TileShape tile;
  /// Largest number of iterations of m, n and k in a block.
  int64_t mBlock = 1, nBlock = 1, kBlock = 1;
  /// Segments per block of k; if more than 1, kBlock is the extent of k.
  int64_t segmentBlock = 1;
  bool packsA = false, packsB = false;
  /// Whether tiles of C go through a small buffer, because rows of C are not
  /// contiguous.
  bool stagesC = false;

  /// Returns the steps of k for which a panel has room.
  int64_t panelDepth() const { return kBlock * segmentBlock; }

  // Parts of the scratch buffer, in elements.
  int64_t packedAElements() const { return packsA ? mBlock * panelDepth() : 0; }
  int64_t packedBElements() const { return packsB ? nBlock * panelDepth() : 0; }
  int64_t stagedElements() const {
    return stagesC ? tile.rows * tile.columns() : 0;
  }
  int64_t scratchElements() const {
    return packedAElements() + packedBElements() + stagedElements();
  }
};

/// Returns a tile for a product of m rows and n columns, as square as m and n
/// allow. The accumulators of the tile leave registers for a row of B and one
/// element of A. If m and n are large enough, there are at least 8
/// accumulators, to hide the latency of a fused multiply-add.
TileShape chooseTile(int64_t m, int64_t n, const Target& target,
                     int64_t elementBytes);

/// Returns the blocking of `contraction` for elements of `elementBytes` bytes.
Blocking chooseBlocking(const Contraction& contraction, const Target& target,
                        int64_t elementBytes);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKING_H_
