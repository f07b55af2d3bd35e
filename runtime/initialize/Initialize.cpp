#include "runtime/initialize/Initialize.h"

#include "runtime/plan/NativeTypes.h"
#include "runtime/random/Philox.h"
#include "runtime/tensor/Rows.h"

namespace sbp {
namespace {

using plan::Initializer;

/// Calls `store(boxOffset, value)` for each element of the box, where
/// `boxOffset` is the element's index in a dense tensor of the box's shape.
template <typename Store>
void forEachValue(const plan::Parameter& parameter, const plan::Box& box,
                  uint64_t seed, Store store) {
  const Initializer& initializer = parameter.initializer;
  const uint64_t stream = random::streamOf(parameter.tensor.name);
  const double first = initializer.first;
  const double second = initializer.second;
  const auto fill = [&](auto valueAt) {
    tensor::forEachRow(parameter.tensor.shape, box,
                       [&](int64_t whole, int64_t local, int64_t count) {
                         for (int64_t i = 0; i < count; ++i)
                           store(local + i, valueAt(whole + i));
                       });
  };
  switch (initializer.kind) {
    case Initializer::Kind::kConstant:
      return fill([&](int64_t) { return first; });
    case Initializer::Kind::kNormal:
      return fill([&](int64_t i) {
        return first + second * random::normal(seed, stream, i);
      });
    case Initializer::Kind::kUniform:
      return fill([&](int64_t i) {
        return first + (second - first) * random::uniform(seed, stream, i);
      });
  }
}

}  // namespace

void initialize(const plan::Parameter& parameter, const plan::Box& box,
                uint64_t seed, std::byte* local) {
  plan::withNativeType(parameter.tensor.elementType, [&](auto element) {
    using T = decltype(element);
    T* elements = reinterpret_cast<T*>(local);
    forEachValue(parameter, box, seed, [&](int64_t i, double value) {
      elements[i] = static_cast<T>(value);
    });
  });
}

}  // namespace sbp
