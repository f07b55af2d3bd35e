#include "runtime/tensor/NotFinite.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/math/Nan.h"
#include "runtime/plan/NativeTypes.h"

namespace sbp::tensor {
namespace {

// Number of elements that are checked without a branch between them.
constexpr int64_t kBlock = 1024;

template <typename Float>
float floatAt(const std::byte* elements, int64_t index) {
  Float number;
  std::memcpy(&number, elements + index * sizeof number, sizeof number);
  return static_cast<float>(number);
}

/// Returns the first element for which `isOne` holds.
template <typename Float, typename IsOne>
std::optional<NotFinite> find(const std::byte* elements, int64_t count,
                              IsOne isOne) {
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, count);
    uint32_t isAny = 0;
    for (int64_t i = begin; i < end; ++i)
      isAny |= isOne(floatAt<Float>(elements, i));
    if (!isAny) continue;
    int64_t element = begin;
    while (!isOne(floatAt<Float>(elements, element))) ++element;
    return NotFinite{element,
                     math::withoutSignOfNan(floatAt<Float>(elements, element))};
  }
  return std::nullopt;
}

template <typename IsOne>
std::optional<NotFinite> find(plan::ElementType type, const std::byte* elements,
                              int64_t count, IsOne isOne) {
  if (!plan::isFloat(type)) return std::nullopt;
  return plan::withNativeType(type, [&](auto element) {
    return find<decltype(element)>(elements, count, isOne);
  });
}

}  // namespace

std::optional<NotFinite> findNotFinite(plan::ElementType type,
                                       const std::byte* elements,
                                       int64_t count) {
  return find(type, elements, count,
              [](float number) { return !std::isfinite(number); });
}

std::optional<NotFinite> findNan(plan::ElementType type,
                                 const std::byte* elements, int64_t count) {
  return find(type, elements, count,
              [](float number) { return std::isnan(number); });
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
