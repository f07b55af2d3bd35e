// Chooses how a contraction is cut into blocks that fit the CPU.
//
// The innermost piece is a tile of C in registers, of `rows` x `vectors` vector
// registers. One step of k adds the product of a column of A and a row of B to
// the tile. Around the tile are loops over blocks that are sized for the
// caches, after Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication", 2008. "n by nBlock" is a loop over n in steps of nBlock:
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
// is not packed, unless it is a block of B that is not contiguous along n. If
// both blocks are packed and the whole extent of k is short, a block of k may
// have several segments (Contraction::segments), packed one after the other
// into one longer sum.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKING_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKING_H_

#include <cstdint>

#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

/// Form of the loops of a contraction, and the sizes of their blocks.
struct Blocking {
  /// Kind of the code that is emitted for the contraction.
  enum class Form {
    kPlain,  // plain loops: a loop is empty, k has extent 1, or m and n both
             // have extent 1 and kDot does not apply
    kDot,    // vectors along k: m or n has extent 1, and A and B are contiguous
             // along k
    kTiled,  // register tiles
  };
  Form form = Form::kPlain;

  /// The register tile. If the form is not kTiled, only its lanes have a
  /// meaning.
  TileShape tile;
  /// Largest number of iterations of m, n and k in a block.
  int64_t mBlock = 1, nBlock = 1, kBlock = 1;
  /// Largest number of segments in a block of k. If it is more than 1, kBlock
  /// is the extent of k.
  int64_t segmentBlock = 1;
  bool packsA = false, packsB = false;
  /// Whether tiles of C go through a small buffer, because rows of C are not
  /// contiguous.
  bool stagesC = false;

  /// Returns the number of steps of k, in all segments, for which a panel has
  /// room.
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

/// Returns a tile for a product of m rows and n columns. Its number of rows is
/// a power of two: the first one from m on, if this is at most the lanes of a
/// vector and the registers allow it, else a smaller one. Its number of vectors
/// per row is what the registers allow, but no more than n columns need, and at
/// most 8. The accumulators take at most three quarters of the registers; a row
/// of B and an element of A use the rest. If m and n are large, there are at
/// least 8 accumulators, to hide the latency of a fused multiply-add.
TileShape chooseTile(int64_t m, int64_t n, const Target& target,
                     int64_t elementBytes);

/// Chooses the blocking of `contraction` for elements of `elementBytes` bytes,
/// by the extents and strides of its loops and by the registers and caches of
/// `target`.
Blocking chooseBlocking(const Contraction& contraction, const Target& target,
                        int64_t elementBytes);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKING_H_
