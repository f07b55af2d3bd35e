// Emits code that packs a strip of a matrix into the order in which a tile
// reads it.
//
// A line is a row of A or a column of B in the product A * B, and k the index
// that is summed over (BlockProduct.h). A panel holds up to `width` lines of a
// matrix, so that for each k the elements of all lines are contiguous:
//
//   source[line * lineStride + k * depthStride]  ->  panel[k * width + line]

#ifndef CODEGEN_CPU_CONTRACTION_PACKPANEL_H_
#define CODEGEN_CPU_CONTRACTION_PACKPANEL_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// A strip of a matrix in memory: some adjacent lines. Functions that take a
/// strip take the number and the length of its lines as well.
struct Strip {
  ElementRef first;         // element k = 0 of the strip's line 0
  int64_t lineStride = 0;   // elements from line to line
  int64_t depthStride = 0;  // elements from k to k + 1
};

/// Emits the copy of the `lines` lines of `source` into `panel`, which has room
/// for `width` lines. `depth`, an index, is the length of a line: the extent of
/// k. If `lines` is less than `width`, the elements of the missing lines become
/// zero or keep their content, so results that are computed from them must not
/// be used. `lanes` is the number of lanes of a vector, a power of two; `width`
/// is a power of two or a multiple of `lanes`.
void packPanel(KernelBuilder& builder, Strip source, int64_t lines,
               mlir::Value depth, ElementRef panel, int64_t width,
               int64_t lanes);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_PACKPANEL_H_
