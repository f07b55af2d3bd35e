// A copy of a box of a tensor from one buffer to another.
//
// If a part of a dense row-major tensor is smaller than the tensor along at
// most two dimensions, it consists of rows of contiguous bytes. All rows have
// the same size, and at most two nested loops visit them:
//
//   tensor<2x6x5xf32>, [2,4) of dimension 1   ->   2 rows of 2*5*4 bytes,
//                                                  6*5*4 bytes apart
//
// A copy describes the rows in both buffers: their shape is the same, their
// offsets and strides differ.

#ifndef RUNTIME_COMMUNICATION_ROWCOPY_H_
#define RUNTIME_COMMUNICATION_ROWCOPY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbp::communication {

/// Number of loops that visit the rows.
inline constexpr int kNumLoops = 2;

/// Position of the rows in one buffer: the offset of the first row, and the
/// distances between rows along each loop, in bytes. The first loop is the
/// outer one.
struct RowLayout {
  int64_t offset = 0;
  std::array<int64_t, kNumLoops> strides = {0, 0};
};

/// Number and size of the rows: the iterations of each loop, and the bytes of a
/// row. There is no row if a count or rowBytes is 0.
struct RowShape {
  std::array<int64_t, kNumLoops> counts = {1, 1};
  int64_t rowBytes = 0;

  int64_t bytes() const { return counts[0] * counts[1] * rowBytes; }
};

/// Returns the offset in bytes of row (i, j): iteration i of the outer and j of
/// the inner loop.
inline int64_t offsetOfRow(const RowLayout& layout, int64_t i, int64_t j) {
  return layout.offset + i * layout.strides[0] + j * layout.strides[1];
}

/// A copy of rows from one buffer to another.
struct RowCopy {
  RowShape shape;
  RowLayout source;
  RowLayout destination;

  int64_t bytes() const { return shape.bytes(); }
};

/// Returns the layout in which rows of `shape` follow each other without gaps,
/// in the order of the loops, from offset 0 on.
RowLayout packedLayout(const RowShape& shape);

/// Whether the rows at `layout` follow each other without gaps.
bool isContiguous(const RowShape& shape, const RowLayout& layout);

/// Copies the rows; the buffers must not overlap.
void copyRows(const RowCopy& copy, const std::byte* source,
              std::byte* destination);

/// Copies the rows from `source` to `packed`, without gaps.
void packRows(RowCopy copy, const std::byte* source, std::byte* packed);

/// Copies the rows from `packed`, where they have no gaps, to `destination`.
void unpackRows(RowCopy copy, const std::byte* packed, std::byte* destination);

/// Returns the copy of a box from one dense tensor to another one. `box` has
/// the extents of the box. The box begins at the index `sourceBegin` of the
/// source and at the index `destinationBegin` of the destination. Extents and
/// indices have one number per dimension, in elements. There may be at most two
/// dimensions along which the box does not cover both tensors completely.
RowCopy boxCopy(const std::vector<int64_t>& box,
                const std::vector<int64_t>& sourceShape,
                const std::vector<int64_t>& sourceBegin,
                const std::vector<int64_t>& destinationShape,
                const std::vector<int64_t>& destinationBegin,
                int64_t elementBytes);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_ROWCOPY_H_
