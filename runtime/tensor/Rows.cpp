#include "runtime/tensor/Rows.h"

#include <cstring>

namespace sbp::tensor {

void forEachRow(const std::vector<int64_t>& shape, const plan::Box& box,
                const std::function<void(int64_t, int64_t, int64_t)>& visit) {
  for (const plan::Range& range : box)
    if (range.size == 0) return;

  // The box covers the dimensions from `inner` on completely, so the elements
  // along them are contiguous. A row also covers the range of the box in the
  // dimension before `inner`.
  size_t inner = shape.size();
  int64_t count = 1;
  while (inner > 0 && box[inner - 1].size == shape[inner - 1])
    count *= shape[--inner];
  int64_t stride = count;  // of dimension inner - 1, in elements
  int64_t begin = 0;
  if (inner > 0) {
    --inner;
    begin = box[inner].begin * stride;
    count = box[inner].size * stride;
    stride *= shape[inner];
  }

  // Iterates over the dimensions before `inner` like an odometer.
  std::vector<int64_t> strides(inner);
  for (size_t dim = inner; dim-- > 0;) {
    strides[dim] = stride;
    begin += box[dim].begin * stride;
    stride *= shape[dim];
  }
  std::vector<int64_t> index(inner);
  for (int64_t boxOffset = 0;; boxOffset += count) {
    visit(begin, boxOffset, count);
    size_t dim = inner;
    for (; dim > 0; --dim) {
      begin += strides[dim - 1];
      if (++index[dim - 1] < box[dim - 1].size) break;
      begin -= box[dim - 1].size * strides[dim - 1];
      index[dim - 1] = 0;
    }
    if (dim == 0) return;
  }
}

void takeBox(const std::byte* whole, const std::vector<int64_t>& shape,
             const plan::Box& box, int64_t elementBytes, std::byte* part) {
  forEachRow(shape, box, [&](int64_t from, int64_t to, int64_t count) {
    std::memcpy(part + to * elementBytes, whole + from * elementBytes,
                count * elementBytes);
  });
}

void putBox(const std::byte* part, const plan::Box& box, int64_t elementBytes,
            const std::vector<int64_t>& shape, std::byte* whole) {
  forEachRow(shape, box, [&](int64_t to, int64_t from, int64_t count) {
    std::memcpy(whole + to * elementBytes, part + from * elementBytes,
                count * elementBytes);
  });
}

}  // namespace sbp::tensor
