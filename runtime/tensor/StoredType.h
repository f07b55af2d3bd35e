// Types of numbers as files hold them, more than programs compute with, and
// their conversion.
//
// Integers become integers, and floating-point numbers such, however wide:
// token ids of u16 in a file feed an input of i32, and weights of f16 a
// parameter of f32. Nothing else does: who has labels where images should be
// has made a mistake.

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

/// "u16", "f32".
std::string_view toString(StoredType type);

/// 2x3xu16; u16 for a scalar.
std::string toString(StoredType type, const std::vector<int64_t>& shape);

int64_t byteWidth(StoredType type);

/// The type that holds elements of `type` as they are.
StoredType storedTypeOf(plan::ElementType type);

/// Whether numbers of `from` can become elements of `to`.
bool canBecome(StoredType from, plan::ElementType to);

/// Whether all integers of `from` are elements of `to`; of other types true.
bool fits(StoredType from, plan::ElementType to);

/// Numbers in a file, which need not be aligned: `count` of them, each
/// `stride` numbers after the one before.
struct StoredNumbers {
  StoredType type;
  const std::byte* first;
  int64_t count;
  int64_t stride = 1;
};

/// Writes `numbers` to the dense tensor `destination`, rounded to the nearest
/// element of `to`. Integers that are none lose their upper bits.
void convert(const StoredNumbers& numbers, plan::ElementType to,
             std::byte* destination);

/// An integer, and which of some numbers it is.
struct StoredInteger {
  int64_t index = 0;
  std::string value;
};

/// The first of `numbers`, which are integers, that is not in [lowest,
/// highest].
std::optional<StoredInteger> findOutside(const StoredNumbers& numbers,
                                         int64_t lowest, int64_t highest);

}  // namespace sbp::tensor

#endif  // RUNTIME_TENSOR_STOREDTYPE_H_
