#include "codegen/cpu/contraction/PackPanel.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Transposes a matrix of R lines, in R vectors of L lanes, into an L x R
/// matrix in as many vectors. R is a power of two.
///
/// Number the R*L elements by (line, lane). Interleaving vector i with vector i
/// + R/2 moves the highest bit of the line to the place of the lowest bit of
/// the lane: it rotates the element's number by one bit. After log2(R) rounds
/// all bits of the line are below those of the lane.
SmallVector<Value> transpose(KernelBuilder& builder, SmallVector<Value> lines) {
  auto type = cast<VectorType>(lines.front().getType());
  int64_t lanes = type.getNumElements();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < lanes / 2; ++i) {
    low.append({i, lanes + i});
    high.append({lanes / 2 + i, lanes + lanes / 2 + i});
  }
  size_t half = lines.size() / 2;
  for (size_t round = lines.size(); round > 1; round /= 2) {
    SmallVector<Value> next;
    for (size_t i = 0; i < half; ++i)
      for (ArrayRef<int64_t> lanesOf : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(builder, lines[i],
                                                 lines[i + half], lanesOf));
    lines = std::move(next);
  }
  return lines;
}

/// Copies lines whose elements of one depth are contiguous, in vectors.
void copyAcross(KernelBuilder& builder, Strip source, int64_t lines,
                Value depth, ElementRef panel, int64_t width, int64_t lanes) {
  int64_t step = std::min(lanes, width);
  builder.loop(builder.index(0), depth, 1, [&](Value k) {
    ElementRef from =
        builder.at(source.first, builder.mul(k, source.depthStride));
    ElementRef to = builder.at(panel, builder.mul(k, width));
    for (int64_t line = 0; line < lines; line += step) {
      Value vector = builder.loadLanes(builder.at(from, line), step,
                                       std::min(step, lines - line));
      builder.storeVector(vector, builder.at(to, line));
    }
  });
}

/// Copies element by element, from depth `begin` on.
void copyElements(KernelBuilder& builder, Strip source, int64_t lines,
                  Value begin, Value depth, ElementRef panel, int64_t width) {
  builder.loop(begin, depth, 1, [&](Value k) {
    builder.loop(0, lines, 1, [&](Value line) {
      ElementRef from = builder.at(
          builder.at(source.first, builder.mul(k, source.depthStride)),
          builder.mul(line, source.lineStride));
      ElementRef to =
          builder.at(builder.at(panel, builder.mul(k, width)), line);
      builder.store(builder.load(from), to);
    });
  });
}

/// Copies lines that are contiguous along the depth, by transposing blocks in
/// registers.
void copyTransposed(KernelBuilder& builder, Strip source, int64_t lines,
                    Value depth, ElementRef panel, int64_t width,
                    int64_t lanes) {
  int64_t group = std::min(lanes, width);
  auto vectorType = VectorType::get(lanes, panel.elementType());
  Value wholeDepth = builder.mul(builder.div(depth, lanes), lanes);
  builder.loop(builder.index(0), wholeDepth, lanes, [&](Value k) {
    ElementRef from = builder.at(source.first, k);
    ElementRef to = builder.at(panel, builder.mul(k, width));
    for (int64_t first = 0; first < lines; first += group) {
      SmallVector<Value> vectors;
      for (int64_t line = first; line < first + group; ++line)
        vectors.push_back(
            line < lines
                ? builder.loadVector(builder.at(from, line * source.lineStride),
                                     lanes)
                : builder.number(vectorType, 0));
      // Each vector holds lanes / group depths of the panel. It holds more than
      // one only if the group is the whole width, so that these are contiguous.
      int64_t step = lanes / group * width;
      for (auto [i, vector] : llvm::enumerate(transpose(builder, vectors)))
        builder.storeVector(vector, builder.at(to, first + i * step));
    }
  });
  copyElements(builder, source, lines, wholeDepth, depth, panel, width);
}

}  // namespace

void packPanel(KernelBuilder& builder, Strip source, int64_t lines, Value depth,
               ElementRef panel, int64_t width, int64_t lanes) {
  if (source.lineStride == 1)
    copyAcross(builder, source, lines, depth, panel, width, lanes);
  else if (source.depthStride == 1)
    copyTransposed(builder, source, lines, depth, panel, width, lanes);
  else
    copyElements(builder, source, lines, builder.index(0), depth, panel, width);
}

}  // namespace sbp::cpu
