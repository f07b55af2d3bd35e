// How a contraction is cut to fit the CPU.
//
// The innermost piece is a tile of C held in registers: `rows` x `vectors`
// vector registers, to which one step of k adds the product of a column of A
// and a row of B. Around it, as Goto and van de Geijn taught ("Anatomy of
// High-Performance Matrix Multiplication", 2008), blocks sized for the caches:
//
//   n by nBlock            the packed block of B comes from far away
//     k by kBlock          one panel of B, kBlock x tile columns, lives in
//     level 1
//       m by mBlock        the packed block of A lives in level 2
//         tile by tile
//
// Packing copies a block into the order in which the tile reads it, so that the
// inner loop walks memory straight on. A block that is read only a few times is
// read where it lies.

#ifndef CODEGEN_CPU_CONTRACTION_BLOCKING_H_
#define CODEGEN_CPU_CONTRACTION_BLOCKING_H_

#include <cstdint>

#include "codegen/cpu/Target.h"
#include "codegen/cpu/contraction/BlockProduct.h"
#include "codegen/kernels/Contraction.h"

namespace sbp::cpu {

struct Blocking {
  enum class Form {
    kPlain,  // loops as they are: nothing is used often enough to block
    kDot,    // vectors along k: one row or column, k contiguous
    kTiled,  // register tiles
  };
  Form form = Form::kPlain;

  TileShape tile;
  int64_t mBlock = 1, nBlock = 1, kBlock = 1;
  int64_t segmentBlock =
      1;  // segments of a block of k; then kBlock is all of k
  bool packsA = false, packsB = false;
  bool stagesC =
      false;  // C's rows are not contiguous: go through a small buffer

  /// Steps of k for which a panel has room.
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

/// A tile for a product of m rows and n columns, as square as they allow. Its
/// accumulators leave registers for a row of B and one element of A, and are
/// enough (8) to hide the latency of a fused multiply-add behind the others.
TileShape chooseTile(int64_t m, int64_t n, const Target& target,
                     int64_t elementBytes);

/// The blocking of `contraction` with elements of `elementBytes` bytes.
Blocking chooseBlocking(const Contraction& contraction, const Target& target,
                        int64_t elementBytes);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_BLOCKING_H_
