// Packs a strip of a matrix into the order in which a tile reads it.
//
// A line is a row of A or a column of B in the product A * B. A panel holds up
// to `width` lines of a matrix, so that for each k the elements of all lines
// are contiguous:
//
//   source[line * lineStride + k * depthStride]  ->  panel[k * width + line]

#ifndef CODEGEN_CPU_CONTRACTION_PACKPANEL_H_
#define CODEGEN_CPU_CONTRACTION_PACKPANEL_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

/// A strip of a matrix in memory; strides in elements.
struct Strip {
  ElementRef first;
  int64_t lineStride = 0;
  int64_t depthStride = 0;
};

/// Emits the copy of `lines` <= `width` lines of length `depth` into `panel`.
/// The panel's elements beyond `lines` are undefined afterwards. `lanes` must
/// be a power of two, and `width` a power of two or a multiple of `lanes`.
void packPanel(KernelBuilder& builder, Strip source, int64_t lines,
               mlir::Value depth, ElementRef panel, int64_t width,
               int64_t lanes);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CONTRACTION_PACKPANEL_H_
