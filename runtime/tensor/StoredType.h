// Element types in files, and the conversion of numbers in files to the types
// that programs compute with, which are fewer.
//
// Integers convert to integers and floating-point numbers to floating-point
// numbers, of any width: token ids of u16 can feed an input of i32, and weights
// of f16 a parameter of f32. An i1 converts to i1 only. Other conversions are
// refused, because they suggest that the user has made a mistake, for instance
// has given labels in place of images.

#ifndef RUNTIME_TENSOR_STOREDTYPE_H_
#define RUNTIME_TENSOR_STOREDTYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::tensor {

/// The type of numbers in a file.
enum class StoredType {
  kI1,  // a byte, 0 or 1
  kU8,
  kU16,
  kU32,
  kU64,
  kI8,
  kI16,
  kI32,
  kI64,
  kF16,
  kBF16,
  kF32,
  kF64,
};

/// Returns the name of a type: "u16", "f32".
std::string_view toString(StoredType type);

/// Returns the name of a tensor type: "2x3xu16"; "u16" for a scalar.
std::string toString(StoredType type, const std::vector<int64_t>& shape);

/// Returns the size of one number in bytes.
int64_t byteWidth(StoredType type);

/// Returns the stored type that equals `type`.
StoredType storedTypeOf(plan::ElementType type);

/// Whether numbers of `from` can be converted to elements of `to`.
bool canBecome(StoredType from, plan::ElementType to);

/// Whether every value of the integer type `from` is a value of the integer
/// type `to`; true if one of them is not an integer type.
bool fits(StoredType from, plan::ElementType to);

/// Numbers in a file, at equal distances. They need not be aligned.
struct StoredNumbers {
  StoredType type;
  const std::byte* first;
  int64_t count;
  int64_t stride = 1;  // distance from one number to the next, in numbers
};

/// Converts `numbers` to elements of `to`, and writes them densely to
/// `destination`. Requires canBecome(numbers.type, to). Floating-point numbers
/// are rounded to the nearest value of `to`; f64 becomes bf16 by rounding first
/// to f32, then to bf16. Integers out of range lose their upper bits.
void convert(const StoredNumbers& numbers, plan::ElementType to,
             std::byte* destination);

/// An integer among StoredNumbers.
struct StoredInteger {
  int64_t index = 0;  // among the numbers
  std::string value;  // in decimal
};

/// Returns the first of `numbers` that is outside [lowest, highest]; nullopt if
/// there is none, or if `numbers` are not integers.
std::optional<StoredInteger> findOutside(const StoredNumbers& numbers,
                                         int64_t lowest, int64_t highest);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_STOREDTYPE_H_
