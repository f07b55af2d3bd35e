#include "runtime/tensor/NotFinite.h"

#include <algorithm>
#include <cstring>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/math/Nan.h"

namespace sbp::tensor {
namespace {

// An f32 is not finite if all bits of its exponent are set.
constexpr uint32_t kExponent = 0x7f800000;

// So many numbers are looked at together, without a branch between them.
constexpr int64_t kBlock = 1024;

bool isNotFinite(uint32_t bits) { return (bits & kExponent) == kExponent; }

uint32_t bitsAt(const std::byte* elements, int64_t index) {
  uint32_t bits;
  std::memcpy(&bits, elements + index * sizeof bits, sizeof bits);
  return bits;
}

}  // namespace

std::optional<NotFinite> findNotFinite(const std::byte* elements,
                                       int64_t count) {
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, count);
    uint32_t isAny = 0;
    for (int64_t i = begin; i < end; ++i)
      isAny |= isNotFinite(bitsAt(elements, i));
    if (!isAny) continue;
    int64_t element = begin;
    while (!isNotFinite(bitsAt(elements, element))) ++element;
    NotFinite found{element};
    std::memcpy(&found.value, elements + element * sizeof found.value,
                sizeof found.value);
    found.value = math::withoutSignOfNan(found.value);
    return found;
  }
  return std::nullopt;
}

std::string toString(const NotFinite& found,
                     const std::vector<int64_t>& shape) {
  if (shape.empty()) return fmt::format("{}", found.value);
  std::vector<int64_t> place(shape.size());
  int64_t element = found.element;
  for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
    place[dim] = element % shape[dim];
  return fmt::format("{} at [{}]", found.value, fmt::join(place, ", "));
}

}  // namespace sbp::tensor
