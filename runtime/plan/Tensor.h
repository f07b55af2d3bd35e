// Tensors of a plan: their types and shapes, and how they lie on groups of
// ranks.

#ifndef RUNTIME_PLAN_TENSOR_H_
#define RUNTIME_PLAN_TENSOR_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbp::plan {

/// Element types. An i1 takes one byte in memory, 0 or 1.
enum class ElementType { kF32, kBF16, kI32, kI64, kI1 };

/// Whether `type` is a floating-point type.
bool isFloat(ElementType type);

/// Returns the size of one element in bytes.
int64_t byteWidth(ElementType type);

/// The reduction that combines the terms of a partial tensor into its value.
enum class ReductionKind { kSum, kMax, kMin };

/// Stands in place of a buffer or a value if the ranks of the program do not
/// have the tensor.
inline constexpr int64_t kAbsent = -1;

/// An axis of a group, with `size` coordinates.
struct Axis {
  std::string name;
  int64_t size = 1;
};

/// A group of ranks, arranged in axes. Positions in the group are numbered
/// row-major over the axes, the first axis outermost: on axes of the sizes 2
/// and 3, position 4 has the coordinates (1, 1).
struct Group {
  std::vector<Axis> axes;
  std::vector<int64_t> ranks =
      {};                 // by position; empty: rank p is at position p
  std::string name = {};  // for people

  Group() = default;
  /// A group of all ranks: rank p is at position p.
  Group(std::vector<Axis> axes) : axes(std::move(axes)) {}
  Group(std::initializer_list<Axis> axes) : axes(axes) {}

  /// Returns the number of ranks: the product of the axes' sizes.
  int64_t size() const;
  /// Returns the rank at `position`.
  int64_t rankAt(int64_t position) const {
    return ranks.empty() ? position : ranks[position];
  }
  /// Returns the position of `rank`, or -1 if it is not in the group.
  int64_t positionOf(int64_t rank) const;
  /// Whether `rank` is in the group.
  bool has(int64_t rank) const { return positionOf(rank) >= 0; }
};

/// The placement of a tensor on one axis of its group (dialects/sbp/Algebra.h
/// has the rules).
struct Component {
  enum class Kind { kBroadcast, kSplit, kPartial };
  Kind kind = Kind::kBroadcast;
  int64_t dim = 0;                                // for kSplit
  ReductionKind reduction = ReductionKind::kSum;  // for kPartial
};

/// A tensor as the user sees it: its whole shape, and one component per axis of
/// its group.
struct Tensor {
  std::string name;
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
  std::vector<Component> placement;

  /// For an input of integers, each of which selects a row or a class: the
  /// elements must be in [0, below). nullopt: no bound.
  std::optional<int64_t> below = std::nullopt;

  int64_t group = 0;  // an index into Plan::groups
};

/// The type and shape of a tensor in a rank's memory.
struct LocalType {
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_TENSOR_H_
