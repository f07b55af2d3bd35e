#include "runtime/communication/Transfer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sbp::communication {

RowPlaces packedPlaces(const RowShape& shape) {
  RowPlaces places;
  int64_t stride = shape.rowBytes;
  for (int loop = kNumLoops - 1; loop >= 0; --loop) {
    places.strides[loop] = stride;
    stride *= shape.counts[loop];
  }
  return places;
}

bool isContiguous(const RowShape& shape, const RowPlaces& places) {
  RowPlaces packed = packedPlaces(shape);
  for (int loop = 0; loop < kNumLoops; ++loop) {
    if (shape.counts[loop] > 1 &&
        places.strides[loop] != packed.strides[loop]) {
      return false;
    }
  }
  return true;
}

void copyRows(const Transfer& transfer, const std::byte* source,
              std::byte* destination) {
  const RowShape& shape = transfer.shape;
  if (shape.rowBytes == 0) return;
  for (int64_t i = 0; i < shape.counts[0]; ++i) {
    for (int64_t j = 0; j < shape.counts[1]; ++j) {
      std::memcpy(destination + placeOfRow(transfer.destination, i, j),
                  source + placeOfRow(transfer.source, i, j), shape.rowBytes);
    }
  }
}

void packRows(Transfer transfer, const std::byte* source, std::byte* packed) {
  transfer.destination = packedPlaces(transfer.shape);
  copyRows(transfer, source, packed);
}

void unpackRows(Transfer transfer, const std::byte* packed,
                std::byte* destination) {
  transfer.source = packedPlaces(transfer.shape);
  copyRows(transfer, packed, destination);
}

Transfer boxTransfer(const std::vector<int64_t>& box,
                     const std::vector<int64_t>& sourceShape,
                     const std::vector<int64_t>& sourceBegin,
                     const std::vector<int64_t>& destinationShape,
                     const std::vector<int64_t>& destinationBegin,
                     int64_t elementBytes) {
  Transfer transfer;
  if (std::find(box.begin(), box.end(), 0) != box.end()) return transfer;
  transfer.shape.rowBytes = elementBytes;
  int64_t sourceStride = elementBytes;
  int64_t destinationStride = elementBytes;
  // Loop of the last dimension visited; kNumLoops: the row.
  int loop = kNumLoops;
  // Visits the dimensions from the innermost outward. Each dimension either
  // extends the row or loop inside it, if there is no gap in either tensor, or
  // becomes a loop around it.
  for (int dim = static_cast<int>(box.size()) - 1; dim >= 0; --dim) {
    transfer.source.offset += sourceBegin[dim] * sourceStride;
    transfer.destination.offset += destinationBegin[dim] * destinationStride;
    if (box[dim] != 1) {
      bool isRow = loop == kNumLoops;
      int64_t insideSource =
          isRow ? transfer.shape.rowBytes
                : transfer.shape.counts[loop] * transfer.source.strides[loop];
      int64_t insideDestination = isRow
                                      ? transfer.shape.rowBytes
                                      : transfer.shape.counts[loop] *
                                            transfer.destination.strides[loop];
      bool isDense = sourceStride == insideSource &&
                     destinationStride == insideDestination;
      if (isDense && isRow) {
        transfer.shape.rowBytes *= box[dim];
      } else if (isDense) {
        transfer.shape.counts[loop] *= box[dim];
      } else {
        --loop;
        assert(loop >= 0 && "a box that is a part along three dimensions");
        transfer.shape.counts[loop] = box[dim];
        transfer.source.strides[loop] = sourceStride;
        transfer.destination.strides[loop] = destinationStride;
      }
    }
    sourceStride *= sourceShape[dim];
    destinationStride *= destinationShape[dim];
  }
  return transfer;
}

}  // namespace sbp::communication
