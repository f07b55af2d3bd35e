#include "runtime/communication/Reduction.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "runtime/math/BFloat16.h"

namespace sbp::communication {
namespace {

// The operations. Each is one or two vector instructions without branches.
template <typename T>
struct Sum {
  static T combine(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) {
      return a != b;
    } else if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) +
                            static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
  static T identity() { return T(0); }
};

// The second comparison is for NaN, which compares false with everything.
template <typename T>
struct Max {
  static T combine(T a, T b) { return ((a > b) | (a != a)) ? a : b; }
  static T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
};

template <typename T>
struct Min {
  static T combine(T a, T b) { return ((a < b) | (a != a)) ? a : b; }
  static T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
};

// Most sources that a pass combines. A loop over the sources inside the loop
// over the elements would not be vectorised; with a fixed number of sources it
// is.
constexpr int64_t kSourcesPerPass = 4;

// Size of a tile in bytes. A tile is the part of a row that all passes reduce
// before the next part begins: it is so small that the result of a pass is
// still in the first-level cache when the next pass reads it.
constexpr int64_t kTileBytes = 4096;

// The destination may be one of the sources: each element is read before it is
// written, and no other element depends on it.
template <typename T, typename Op, int kNumSources>
void combineFixed(const std::byte* const* sources, int64_t count,
                  std::byte* destination) {
  const T* s[kNumSources];
  for (int i = 0; i < kNumSources; ++i) {
    s[i] = reinterpret_cast<const T*>(sources[i]);
  }
  T* out = reinterpret_cast<T*>(destination);
#pragma clang loop vectorize(assume_safety)
  for (int64_t i = 0; i < count; ++i) {
    T value = s[0][i];
    for (int j = 1; j < kNumSources; ++j) value = Op::combine(value, s[j][i]);
    out[i] = value;
  }
}

template <typename T, typename Op>
void combineSome(const std::byte* const* sources, int64_t numSources,
                 int64_t count, std::byte* destination) {
  switch (numSources) {
    case 2:
      return combineFixed<T, Op, 2>(sources, count, destination);
    case 3:
      return combineFixed<T, Op, 3>(sources, count, destination);
    default:
      return combineFixed<T, Op, 4>(sources, count, destination);
  }
}

// Reduces more sources than a pass takes, tile by tile. Each pass but the last
// stores its result in a buffer of the size of a tile, which is the first
// source of the next pass. (The destination cannot hold this result, because it
// may itself be a source of a later pass.)
template <typename T, typename Op>
void reduceByTiles(const std::byte* const* sources, int64_t numSources,
                   int64_t bytes, std::byte* destination) {
  alignas(64) std::byte tile[kTileBytes];
  for (int64_t begin = 0; begin < bytes; begin += kTileBytes) {
    const int64_t count = std::min(kTileBytes, bytes - begin) / sizeof(T);
    const std::byte* pass[kSourcesPerPass];
    int64_t numInPass = 0;
    for (int64_t next = 0; next < numSources; ++next) {
      pass[numInPass++] = sources[next] + begin;
      if (next == numSources - 1) {
        combineSome<T, Op>(pass, numInPass, count, destination + begin);
      } else if (numInPass == kSourcesPerPass) {
        combineSome<T, Op>(pass, numInPass, count, tile);
        pass[0] = tile;
        numInPass = 1;
      }
    }
  }
}

template <typename T, typename Op>
void reduce(const std::byte* const* sources, int64_t numSources, int64_t bytes,
            std::byte* destination) {
  if (numSources <= kSourcesPerPass) {
    combineSome<T, Op>(sources, numSources, bytes / sizeof(T), destination);
  } else {
    reduceByTiles<T, Op>(sources, numSources, bytes, destination);
  }
}

// Reduces elements that are stored in another type than float, but combined as
// floats. A buffer of the size of a tile holds the result for the sources so
// far, as floats.
template <typename T, typename Op>
void reduceAsFloats(const std::byte* const* sources, int64_t numSources,
                    int64_t bytes, std::byte* destination) {
  float tile[kTileBytes / sizeof(float)];
  const int64_t numElements = bytes / sizeof(T);
  for (int64_t begin = 0; begin < numElements; begin += std::size(tile)) {
    const int64_t count =
        std::min<int64_t>(std::size(tile), numElements - begin);
    const auto termsOf = [&](int64_t source) {
      return reinterpret_cast<const T*>(sources[source]) + begin;
    };
    std::copy_n(termsOf(0), count, tile);
    for (int64_t source = 1; source < numSources; ++source) {
      const T* terms = termsOf(source);
      for (int64_t i = 0; i < count; ++i)
        tile[i] = Op::combine(tile[i], static_cast<float>(terms[i]));
    }
    T* out = reinterpret_cast<T*>(destination) + begin;
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(tile[i]);
  }
}

template <typename T>
void fillWith(T value, int64_t bytes, std::byte* destination) {
  std::fill_n(reinterpret_cast<T*>(destination),
              bytes / static_cast<int64_t>(sizeof(T)), value);
}

// Calls visitor(T(), Op<T>()) with the C++ types for the element type and the
// reduction. For bf16 the operation is that of floats.
template <template <typename> typename Op, typename Visitor>
void visitElement(plan::ElementType elementType, const Visitor& visitor) {
  switch (elementType) {
    case plan::ElementType::kF32:
      return visitor(float(), Op<float>());
    case plan::ElementType::kBF16:
      return visitor(math::BFloat16(), Op<float>());
    case plan::ElementType::kI32:
      return visitor(int32_t(), Op<int32_t>());
    case plan::ElementType::kI64:
      return visitor(int64_t(), Op<int64_t>());
    case plan::ElementType::kI1:
      return visitor(bool(), Op<bool>());
  }
}

template <typename Visitor>
void visit(plan::ElementType elementType, plan::ReductionKind reduction,
           const Visitor& visitor) {
  switch (reduction) {
    case plan::ReductionKind::kSum:
      return visitElement<Sum>(elementType, visitor);
    case plan::ReductionKind::kMax:
      return visitElement<Max>(elementType, visitor);
    case plan::ReductionKind::kMin:
      return visitElement<Min>(elementType, visitor);
  }
}

}  // namespace

void reduceRow(plan::ElementType elementType, plan::ReductionKind reduction,
               const std::byte* const* sources, int64_t numSources,
               int64_t bytes, std::byte* destination) {
  if (numSources == 1) {
    std::memmove(destination, sources[0], bytes);
    return;
  }
  visit(elementType, reduction, [&](auto element, auto op) {
    using T = decltype(element);
    using Op = decltype(op);
    if constexpr (std::is_same_v<T, math::BFloat16>)
      reduceAsFloats<T, Op>(sources, numSources, bytes, destination);
    else
      reduce<T, Op>(sources, numSources, bytes, destination);
  });
}

void fillIdentity(plan::ElementType elementType, plan::ReductionKind reduction,
                  int64_t bytes, std::byte* destination) {
  visit(elementType, reduction, [&](auto element, auto op) {
    using T = decltype(element);
    fillWith(static_cast<T>(decltype(op)::identity()), bytes, destination);
  });
}

}  // namespace sbp::communication
