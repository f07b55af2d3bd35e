// A box of a tensor, moved between two buffers.
//
// A part of a dense row-major tensor along one or two dimensions is a set of
// equal rows of contiguous bytes, which at most two nested loops visit:
//
//   tensor<2x6x5xf32>, [2,4) of dimension 1   ->   2 rows of 2*5*4 bytes,
//                                                  6*5*4 bytes apart
//
// A transfer says so for both sides; the rows are the same, their places
// differ.

#ifndef RUNTIME_COMMUNICATION_TRANSFER_H_
#define RUNTIME_COMMUNICATION_TRANSFER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbp::communication {

inline constexpr int kNumLoops = 2;

/// Where the rows lie in one buffer, in bytes; the first loop is outermost.
struct RowPlaces {
  int64_t offset = 0;
  std::array<int64_t, kNumLoops> strides = {0, 0};
};

/// The rows themselves. No row at all if any count, or rowBytes, is 0.
struct RowShape {
  std::array<int64_t, kNumLoops> counts = {1, 1};
  int64_t rowBytes = 0;

  int64_t bytes() const { return counts[0] * counts[1] * rowBytes; }
};

/// Where row (i, j) begins.
inline int64_t placeOfRow(const RowPlaces& places, int64_t i, int64_t j) {
  return places.offset + i * places.strides[0] + j * places.strides[1];
}

/// Moves rows from one buffer to another.
struct Transfer {
  RowShape shape;
  RowPlaces source;
  RowPlaces destination;

  int64_t bytes() const { return shape.bytes(); }
};

/// The places of rows that follow each other without gaps, from offset 0.
RowPlaces packedPlaces(const RowShape& shape);

/// True if the rows lie in `places` without gaps, one after the other.
bool isContiguous(const RowShape& shape, const RowPlaces& places);

/// Copies the rows; the buffers must not overlap.
void copyRows(const Transfer& transfer, const std::byte* source,
              std::byte* destination);

/// Copies the rows to `packed`, one behind the other.
void packRows(Transfer transfer, const std::byte* source, std::byte* packed);

/// Copies the rows from `packed`, where they lie one behind the other.
void unpackRows(Transfer transfer, const std::byte* packed,
                std::byte* destination);

/// The transfer of a box of extents `box` from a dense tensor, where its first
/// element is `sourceBegin`, to one where it is `destinationBegin`; everything
/// in elements, by dimension. The box is whole, in both tensors, along all but
/// at most two dimensions.
Transfer boxTransfer(const std::vector<int64_t>& box,
                     const std::vector<int64_t>& sourceShape,
                     const std::vector<int64_t>& sourceBegin,
                     const std::vector<int64_t>& destinationShape,
                     const std::vector<int64_t>& destinationBegin,
                     int64_t elementBytes);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TRANSFER_H_
