#include "runtime/communication/RowCopy.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sbp::communication {

RowLayout packedLayout(const RowShape& shape) {
  RowLayout layout;
  int64_t stride = shape.rowBytes;
  for (int loop = kNumLoops - 1; loop >= 0; --loop) {
    layout.strides[loop] = stride;
    stride *= shape.counts[loop];
  }
  return layout;
}

bool isContiguous(const RowShape& shape, const RowLayout& layout) {
  RowLayout packed = packedLayout(shape);
  for (int loop = 0; loop < kNumLoops; ++loop) {
    if (shape.counts[loop] > 1 &&
        layout.strides[loop] != packed.strides[loop]) {
      return false;
    }
  }
  return true;
}

void copyRows(const RowCopy& copy, const std::byte* source,
              std::byte* destination) {
  const RowShape& shape = copy.shape;
  if (shape.rowBytes == 0) return;
  for (int64_t i = 0; i < shape.counts[0]; ++i) {
    for (int64_t j = 0; j < shape.counts[1]; ++j) {
      std::memcpy(destination + offsetOfRow(copy.destination, i, j),
                  source + offsetOfRow(copy.source, i, j), shape.rowBytes);
    }
  }
}

void packRows(RowCopy copy, const std::byte* source, std::byte* packed) {
  copy.destination = packedLayout(copy.shape);
  copyRows(copy, source, packed);
}

void unpackRows(RowCopy copy, const std::byte* packed, std::byte* destination) {
  copy.source = packedLayout(copy.shape);
  copyRows(copy, packed, destination);
}

RowCopy boxCopy(const std::vector<int64_t>& box,
                const std::vector<int64_t>& sourceShape,
                const std::vector<int64_t>& sourceBegin,
                const std::vector<int64_t>& destinationShape,
                const std::vector<int64_t>& destinationBegin,
                int64_t elementBytes) {
  RowCopy copy;
  if (std::find(box.begin(), box.end(), 0) != box.end()) return copy;
  copy.shape.rowBytes = elementBytes;
  int64_t sourceStride = elementBytes;
  int64_t destinationStride = elementBytes;
  // Loop of the last dimension visited; kNumLoops: the row.
  int loop = kNumLoops;
  // Visits the dimensions from the innermost outward. If there is no gap in
  // either tensor, a dimension extends the row, or the loop, of the dimensions
  // inside it. Otherwise it becomes a loop around them.
  for (int dim = static_cast<int>(box.size()) - 1; dim >= 0; --dim) {
    copy.source.offset += sourceBegin[dim] * sourceStride;
    copy.destination.offset += destinationBegin[dim] * destinationStride;
    if (box[dim] != 1) {
      bool isRow = loop == kNumLoops;
      int64_t insideSource =
          isRow ? copy.shape.rowBytes
                : copy.shape.counts[loop] * copy.source.strides[loop];
      int64_t insideDestination =
          isRow ? copy.shape.rowBytes
                : copy.shape.counts[loop] * copy.destination.strides[loop];
      bool isDense = sourceStride == insideSource &&
                     destinationStride == insideDestination;
      if (isDense && isRow) {
        copy.shape.rowBytes *= box[dim];
      } else if (isDense) {
        copy.shape.counts[loop] *= box[dim];
      } else {
        --loop;
        assert(loop >= 0 && "a box that is a part along three dimensions");
        copy.shape.counts[loop] = box[dim];
        copy.source.strides[loop] = sourceStride;
        copy.destination.strides[loop] = destinationStride;
      }
    }
    sourceStride *= sourceShape[dim];
    destinationStride *= destinationShape[dim];
  }
  return copy;
}

}  // namespace sbp::communication
