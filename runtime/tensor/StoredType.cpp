#include "runtime/tensor/StoredType.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "fmt/format.h"
#include "runtime/math/BFloat16.h"
#include "runtime/math/Float16.h"
#include "runtime/plan/NativeTypes.h"
#include "runtime/plan/Words.h"

namespace sbp::tensor {
namespace {

using plan::ElementType;

constexpr plan::Word<StoredType> kNames[] = {
    {StoredType::kI1, "i1"},     {StoredType::kU8, "u8"},
    {StoredType::kU16, "u16"},   {StoredType::kU32, "u32"},
    {StoredType::kU64, "u64"},   {StoredType::kI8, "i8"},
    {StoredType::kI16, "i16"},   {StoredType::kI32, "i32"},
    {StoredType::kI64, "i64"},   {StoredType::kF16, "f16"},
    {StoredType::kBF16, "bf16"}, {StoredType::kF32, "f32"},
    {StoredType::kF64, "f64"}};

/// Calls `visitor` with a default value of the C++ type of `type`.
template <typename Visitor>
auto withStoredType(StoredType type, const Visitor& visitor) {
  switch (type) {
    case StoredType::kI1:
      break;
    case StoredType::kU8:
      return visitor(uint8_t());
    case StoredType::kU16:
      return visitor(uint16_t());
    case StoredType::kU32:
      return visitor(uint32_t());
    case StoredType::kU64:
      return visitor(uint64_t());
    case StoredType::kI8:
      return visitor(int8_t());
    case StoredType::kI16:
      return visitor(int16_t());
    case StoredType::kI32:
      return visitor(int32_t());
    case StoredType::kI64:
      return visitor(int64_t());
    case StoredType::kF16:
      return visitor(math::Float16());
    case StoredType::kBF16:
      return visitor(math::BFloat16());
    case StoredType::kF32:
      return visitor(float());
    case StoredType::kF64:
      return visitor(double());
  }
  return visitor(bool());
}

enum class Kind { kTruth, kInteger, kFloat };

Kind kindOf(StoredType type) {
  return withStoredType(type, [](auto number) {
    using Number = decltype(number);
    if (std::is_same_v<Number, bool>) return Kind::kTruth;
    return std::is_integral_v<Number> ? Kind::kInteger : Kind::kFloat;
  });
}

/// Calls `visit` with each of `numbers`, as a `Number`.
template <typename Number, typename Visit>
void forEach(const StoredNumbers& numbers, const Visit& visit) {
  const int64_t step = numbers.stride * int64_t(sizeof(Number));
  for (int64_t i = 0; i < numbers.count; ++i) {
    Number number;
    std::memcpy(&number, numbers.first + i * step, sizeof number);
    visit(i, number);
  }
}

template <typename From, typename To>
To converted(From number) {
  // Convert to bf16 by way of f32, as BFloat16 takes only floats. An f64 beyond
  // the range of f32 becomes an infinity.
  if constexpr (std::is_same_v<To, math::BFloat16>) {
    return To(static_cast<float>(number));
  } else {
    return static_cast<To>(number);
  }
}

}  // namespace

std::string_view toString(StoredType type) {
  return plan::textOf(kNames, type);
}

std::string toString(StoredType type, const std::vector<int64_t>& shape) {
  std::string text;
  for (int64_t extent : shape) text += fmt::format("{}x", extent);
  return text.append(toString(type));
}

int64_t byteWidth(StoredType type) {
  return withStoredType(type,
                        [](auto number) { return int64_t(sizeof number); });
}

StoredType storedTypeOf(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return StoredType::kF32;
    case ElementType::kBF16:
      return StoredType::kBF16;
    case ElementType::kI32:
      return StoredType::kI32;
    case ElementType::kI64:
      return StoredType::kI64;
    case ElementType::kI1:
      break;
  }
  return StoredType::kI1;
}

bool canBecome(StoredType from, ElementType to) {
  return kindOf(from) == kindOf(storedTypeOf(to));
}

bool fits(StoredType from, ElementType to) {
  return withStoredType(from, [&](auto given) {
    return plan::withNativeType(to, [&](auto wanted) {
      using From = decltype(given);
      using To = decltype(wanted);
      if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        return std::numeric_limits<From>::digits <=
                   std::numeric_limits<To>::digits &&
               std::is_signed_v<To> >= std::is_signed_v<From>;
      } else {
        return true;
      }
    });
  });
}

void convert(const StoredNumbers& numbers, ElementType to,
             std::byte* destination) {
  withStoredType(numbers.type, [&](auto given) {
    plan::withNativeType(to, [&](auto wanted) {
      using From = decltype(given);
      using To = decltype(wanted);
      forEach<From>(numbers, [&](int64_t i, From number) {
        const To element = converted<From, To>(number);
        std::memcpy(destination + i * int64_t(sizeof element), &element,
                    sizeof element);
      });
    });
  });
}

std::optional<StoredInteger> findOutside(const StoredNumbers& numbers,
                                         int64_t lowest, int64_t highest) {
  std::optional<StoredInteger> found;
  withStoredType(numbers.type, [&](auto given) {
    using Number = decltype(given);
    if constexpr (std::is_integral_v<Number>) {
      forEach<Number>(numbers, [&](int64_t i, Number number) {
        // Only a u64 can be above the range of i64.
        const bool isBeyond =
            std::is_same_v<Number, uint64_t> &&
            uint64_t(number) > uint64_t(std::numeric_limits<int64_t>::max());
        const auto value = static_cast<int64_t>(number);
        if (!found && (isBeyond || value < lowest || value > highest))
          found = StoredInteger{i, isBeyond ? std::to_string(uint64_t(number))
                                            : std::to_string(value)};
      });
    }
  });
  return found;
}

}  // namespace sbp::tensor
