#include "runtime/communication/testing/CollectiveOracle.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "fmt/format.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/NativeTypes.h"

namespace sbp::communication {
namespace {

using plan::Axis;
using plan::CollectiveTask;
using plan::ElementType;
using plan::ReductionKind;
using Kind = CollectiveTask::Kind;
using Shape = std::vector<int64_t>;
using Index = std::vector<int64_t>;

struct Interval {
  int64_t begin, size;
  bool contains(int64_t i) const { return i >= begin && i < begin + size; }
};

Index coordinatesOf(const std::vector<Axis>& mesh, int64_t rank) {
  Index coordinates(mesh.size());
  for (size_t axis = mesh.size(); axis-- > 0;) {
    coordinates[axis] = rank % mesh[axis].size;
    rank /= mesh[axis].size;
  }
  return coordinates;
}

std::vector<int64_t> membersOf(const std::vector<Axis>& mesh,
                               const std::vector<int64_t>& axes, int64_t rank) {
  int64_t numRanks = 1;
  for (const Axis& axis : mesh) numRanks *= axis.size;
  Index mine = coordinatesOf(mesh, rank);
  std::vector<int64_t> members;
  for (int64_t other = 0; other < numRanks; ++other) {
    Index theirs = coordinatesOf(mesh, other);
    for (int64_t axis : axes) theirs[axis] = mine[axis];
    if (theirs == mine) members.push_back(other);
  }
  return members;
}

Interval partOf(const WholeCollective& whole, const std::vector<Axis>& mesh,
                int64_t rank, int64_t extent) {
  Interval part = {0, extent};
  Index coordinates = coordinatesOf(mesh, rank);
  for (int64_t axis : whole.axes) {
    int64_t n = mesh[axis].size, i = coordinates[axis];
    int64_t begin = i * part.size / n, end = (i + 1) * part.size / n;
    part = {part.begin + begin, end - begin};
  }
  return part;
}

int64_t countOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int64_t flatten(const Shape& shape, const Index& index) {
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d];
  return flat;
}

Index unflatten(const Shape& shape, int64_t flat) {
  Index index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return index;
}

uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <typename T>
constexpr bool kIsFloat =
    std::is_same_v<T, float> || std::is_same_v<T, math::BFloat16>;

/// The type in which elements are combined.
template <typename T>
using Combined = std::conditional_t<kIsFloat<T>, float, T>;

template <typename T>
T inputElement(int64_t rank, int64_t flat) {
  uint64_t bits = scramble(static_cast<uint64_t>(rank) * 1000003 + flat + 1);
  if constexpr (std::is_same_v<T, bool>) {
    return bits % 2 == 1;
  } else if constexpr (kIsFloat<T>) {
    return static_cast<T>(std::ldexp(
        static_cast<float>(static_cast<int64_t>(bits % 4001)) - 2000.0f,
        static_cast<int>(bits >> 40) % 24 - 12));
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T>
T combine(ReductionKind reduction, T a, T b) {
  switch (reduction) {
    case ReductionKind::kSum:
      if constexpr (std::is_same_v<T, bool>) return (a + b) % 2;
      if constexpr (std::is_same_v<T, float>) return a + b;
      return static_cast<T>(static_cast<uint64_t>(a) +
                            static_cast<uint64_t>(b));
    case ReductionKind::kMax:
      return a > b ? a : b;
    case ReductionKind::kMin:
      return a < b ? a : b;
  }
  return a;
}

template <typename T>
T identityOf(ReductionKind reduction) {
  using Limits = std::numeric_limits<Combined<T>>;
  if (reduction == ReductionKind::kSum) return T(0);
  if (reduction == ReductionKind::kMax)
    return T(kIsFloat<T> ? -Limits::infinity() : Limits::lowest());
  return T(kIsFloat<T> ? Limits::infinity() : Limits::max());
}

// A group as one of its members sees it; computed once for all elements.
class Group {
 public:
  Group(const WholeCollective& whole, const std::vector<Axis>& mesh,
        int64_t rank)
      : whole(whole), members(membersOf(mesh, whole.axes, rank)) {
    for (int64_t member : members) {
      inShapes.push_back(localTask(whole, mesh, member).inShape);
      parts.push_back(partOf(whole, mesh, member, whole.shape[whole.dim]));
      if (member == rank) me = parts.size() - 1;
    }
    mySplit = partOf(whole, mesh, rank, whole.shape[whole.splitDim]);
  }

  template <typename T>
  T outputElement(Index index) const {
    const int64_t dim = whole.dim;
    const Interval mine = parts[me];
    switch (whole.kind) {
      case Kind::kAllReduce:
        return reduced<T>(index);
      case Kind::kAllGather:
        return gathered<T>(index);
      case Kind::kReduceScatter:
        index[dim] += mine.begin;
        return reduced<T>(index);
      case Kind::kAllToAll:
        index[whole.splitDim] += mySplit.begin;
        return gathered<T>(index);
      case Kind::kHaloExchange:
        index[dim] += mine.begin - whole.low;
        if (index[dim] < 0 || index[dim] >= whole.shape[dim]) {
          return identityOf<T>(whole.reduction);
        }
        return gathered<T>(index);
      case Kind::kSlice:
        index[dim] += mine.begin;
        return inputAt<T>(me, index);
      case Kind::kPad:
        if (!mine.contains(index[dim])) return identityOf<T>(whole.reduction);
        index[dim] -= mine.begin;
        return inputAt<T>(me, index);
      case Kind::kToPartial:
        return me == 0 ? inputAt<T>(me, index) : identityOf<T>(whole.reduction);
      case Kind::kOffset:
        return static_cast<T>(mine.begin);
    }
    return T();
  }

 private:
  template <typename T>
  T inputAt(size_t member, const Index& index) const {
    return inputElement<T>(members[member], flatten(inShapes[member], index));
  }

  template <typename T>
  T reduced(const Index& index) const {
    Combined<T> value = inputAt<T>(0, index);
    for (size_t m = 1; m < members.size(); ++m)
      value =
          combine<Combined<T>>(whole.reduction, value, inputAt<T>(m, index));
    return static_cast<T>(value);
  }

  // Returns the element of the member that has this index along `dim`.
  template <typename T>
  T gathered(Index index) const {
    for (size_t m = 0; m < members.size(); ++m) {
      if (!parts[m].contains(index[whole.dim])) continue;
      index[whole.dim] -= parts[m].begin;
      return inputAt<T>(m, index);
    }
    return T();
  }

  const WholeCollective& whole;
  std::vector<int64_t> members;
  std::vector<Shape> inShapes;  // by member
  std::vector<Interval> parts;  // by member, along dim
  Interval mySplit = {0, 0};
  size_t me = 0;
};

int64_t aligned(int64_t bytes) {
  return (bytes + plan::kBufferAlignment - 1) / plan::kBufferAlignment *
         plan::kBufferAlignment;
}

int64_t bytesOf(const CollectiveTask& task, const Shape& shape) {
  return countOf(shape) * plan::byteWidth(task.elementType);
}

}  // namespace

std::string describe(const WholeCollective& whole) {
  return fmt::format(
      "{} {} over axes {} of {}, dim {}, splitDim {}, "
      "low {}, high {}",
      plan::toString(whole.kind), plan::toString(whole.reduction),
      fmt::join(whole.axes, ","),
      plan::toString(whole.elementType, whole.shape), whole.dim, whole.splitDim,
      whole.low, whole.high);
}

CollectiveTask localTask(const WholeCollective& whole,
                         const std::vector<Axis>& mesh, int64_t rank) {
  CollectiveTask task;
  task.kind = whole.kind;
  task.axes = whole.axes;
  task.elementType = whole.elementType;
  task.reduction = whole.reduction;
  task.dim = whole.dim;
  task.splitDim = whole.splitDim;
  task.inShape = task.outShape = whole.shape;
  auto cut = [&](Shape& shape, int64_t dim) {
    shape[dim] = partOf(whole, mesh, rank, shape[dim]).size;
  };
  switch (whole.kind) {
    case Kind::kAllGather:
    case Kind::kPad:
      cut(task.inShape, whole.dim);
      break;
    case Kind::kReduceScatter:
    case Kind::kSlice:
      cut(task.outShape, whole.dim);
      break;
    case Kind::kAllToAll:
      cut(task.inShape, whole.dim);
      cut(task.outShape, whole.splitDim);
      break;
    case Kind::kHaloExchange:
      cut(task.inShape, whole.dim);
      task.outShape[whole.dim] =
          whole.low + task.inShape[whole.dim] + whole.high;
      task.extent = whole.shape[whole.dim];
      task.low = whole.low;
      task.high = whole.high;
      break;
    case Kind::kOffset:
      task.elementType = ElementType::kI64;
      task.extent = whole.shape[whole.dim];
      task.inShape = {};
      task.outShape = {};
      break;
    case Kind::kAllReduce:
    case Kind::kToPartial:
      break;
  }
  task.in = rank * plan::kBufferAlignment;
  task.out = task.in;
  const bool isInPlace =
      whole.inPlace == InPlace::kEverywhere ||
      (whole.inPlace == InPlace::kOnOddRanks && rank % 2 == 1);
  if (!isInPlace) task.out += aligned(bytesOf(task, task.inShape));
  return task;
}

int64_t arenaBytesOf(const CollectiveTask& task) {
  return task.out + aligned(bytesOf(task, task.outShape));
}

std::vector<std::byte> makeInput(const CollectiveTask& task, int64_t rank) {
  std::vector<std::byte> bytes(bytesOf(task, task.inShape));
  plan::withNativeType(task.elementType, [&](auto element) {
    using T = decltype(element);
    T* elements = reinterpret_cast<T*>(bytes.data());
    for (int64_t i = 0; i < countOf(task.inShape); ++i) {
      elements[i] = inputElement<T>(rank, i);
    }
  });
  return bytes;
}

std::vector<std::byte> expectedOutput(const WholeCollective& whole,
                                      const std::vector<Axis>& mesh,
                                      int64_t rank) {
  const CollectiveTask task = localTask(whole, mesh, rank);
  const Group group(whole, mesh, rank);
  std::vector<std::byte> bytes(bytesOf(task, task.outShape));
  plan::withNativeType(task.elementType, [&](auto element) {
    using T = decltype(element);
    T* elements = reinterpret_cast<T*>(bytes.data());
    for (int64_t i = 0; i < countOf(task.outShape); ++i) {
      elements[i] = group.outputElement<T>(unflatten(task.outShape, i));
    }
  });
  return bytes;
}

std::vector<WholeCollective> everyKind(const std::vector<Axis>& mesh) {
  std::vector<WholeCollective> all;
  constexpr Kind kKinds[] = {
      Kind::kAllReduce, Kind::kAllGather,    Kind::kReduceScatter,
      Kind::kAllToAll,  Kind::kHaloExchange, Kind::kSlice,
      Kind::kPad,       Kind::kToPartial,    Kind::kOffset};
  constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16,
                                    ElementType::kI32, ElementType::kI64,
                                    ElementType::kI1};
  constexpr ReductionKind kReductions[] = {
      ReductionKind::kSum, ReductionKind::kMax, ReductionKind::kMin};
  const std::vector<Shape> shapes = {
      {7}, {13, 5}, {3, 11, 2}, {0, 4}, {64, 129}};
  for (uint64_t set = 0; set < uint64_t{1} << mesh.size(); ++set) {
    std::vector<int64_t> axes;
    for (size_t axis = 0; axis < mesh.size(); ++axis) {
      if (set >> axis & 1) axes.push_back(axis);
    }
    for (Kind kind : kKinds) {
      for (size_t s = 0; s < shapes.size(); ++s) {
        const int64_t numDims = shapes[s].size();
        for (int64_t dim = 0; dim < numDims; ++dim) {
          for (int64_t splitDim = 0; splitDim < numDims; ++splitDim) {
            bool isSplitting = kind == Kind::kAllToAll;
            if (isSplitting ? splitDim == dim : splitDim > 0) continue;
            WholeCollective whole;
            whole.kind = kind;
            whole.axes = axes;
            whole.shape = shapes[s];
            whole.dim = dim;
            whole.splitDim = splitDim;
            // Types and reductions take turns; over all collectives, every pair
            // occurs.
            whole.elementType = kTypes[all.size() % std::size(kTypes)];
            whole.reduction = kReductions[all.size() / std::size(kTypes) % 3];
            if (kind == Kind::kOffset) whole.elementType = ElementType::kI64;
            if (kind == Kind::kHaloExchange) {
              // Halos of no elements, part of a neighbour, or several
              // neighbours.
              whole.low = all.size() % 3 * 2;
              whole.high = all.size() % 5;
            }
            all.push_back(whole);
          }
        }
      }
    }
    // Long enough for an all-reduce in two phases, and for several tiles.
    for (Kind kind : {Kind::kAllReduce, Kind::kReduceScatter}) {
      WholeCollective whole;
      whole.kind = kind;
      whole.axes = axes;
      whole.shape = {20011};
      all.push_back(whole);
    }
    for (Kind kind : {Kind::kAllReduce, Kind::kToPartial}) {
      for (InPlace inPlace : {InPlace::kEverywhere, InPlace::kOnOddRanks}) {
        for (const Shape& shape : {Shape{3}, Shape{20011}}) {
          WholeCollective whole;
          whole.kind = kind;
          whole.axes = axes;
          whole.shape = shape;
          whole.inPlace = inPlace;
          all.push_back(whole);
        }
      }
    }
  }
  return all;
}

}  // namespace sbp::communication
