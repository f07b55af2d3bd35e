// The algebra of placements of tensors on a mesh of devices, without any IR.
//
// On one mesh axis a tensor is
//
//   S(d)     Split: each device owns a part of dimension d
//   B        Broadcast: each device owns all of it
//   P(sum)   Partial: each device owns a term of the same shape, and the value
//            is the sum (or max, min) of the terms
//
// and on a mesh of several axes it has one such component per axis, major axis
// first. [S(0), S(1)] on a 2 x 4 mesh cuts the rows in two and the columns in
// four; [S(0), S(0)] cuts the rows in two and each half in four.
//
// Parts. If n devices split a dimension of extent e, device i owns the indices
// [i*e/n, (i+1)*e/n), where both bounds are rounded down. The sizes of parts
// differ by at most one; a part may be empty:
//
//   e = 10, n = 4   ->   [0,2) [2,5) [5,7) [7,10)
//
// A dimension that several axes split is cut by the major axis first, and each
// part is cut again by the next one. How a part is cut depends on its extent
// alone. Therefore a rank can compute its offsets from the whole extents and
// its coordinates on the mesh.
//
// Source: OneFlow, arXiv 2110.15032, section 3.1 (SBP); uneven parts are ours.

#ifndef DIALECTS_SBP_ALGEBRA_H_
#define DIALECTS_SBP_ALGEBRA_H_

#include <cstdint>
#include <string>

#include "dialects/sbp/Network.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace sbp {

/// The monoid by which the terms of a partial tensor combine.
enum class Reduction { Sum, Max, Min };

/// Returns "sum", "max" or "min".
llvm::StringRef stringOf(Reduction reduction);

/// The placement of a tensor on one mesh axis.
class Component {
 public:
  enum class Kind { Broadcast, Split, Partial };

  Component() = default;
  static Component broadcast() { return Component(); }
  static Component split(int64_t dim) { return {Kind::Split, dim}; }
  static Component partial(Reduction reduction) {
    return {Kind::Partial, static_cast<int64_t>(reduction)};
  }

  Kind kind() const { return kind_; }
  bool isBroadcast() const { return kind_ == Kind::Broadcast; }
  bool isSplit() const { return kind_ == Kind::Split; }
  bool isPartial() const { return kind_ == Kind::Partial; }
  bool isSplitAlong(int64_t dim) const { return isSplit() && value_ == dim; }

  /// Returns the dimension that a Split divides.
  int64_t dim() const { return value_; }
  /// Returns the monoid of a Partial.
  Reduction reduction() const { return static_cast<Reduction>(value_); }

  /// Returns the text of the component, such as "S(1)", "B" or "P(sum)".
  std::string str() const;

  friend bool operator==(const Component& a, const Component& b) {
    return a.kind_ == b.kind_ && a.value_ == b.value_;
  }
  friend bool operator!=(const Component& a, const Component& b) {
    return !(a == b);
  }
  /// Orders Broadcast before Split before Partial; Splits by dimension.
  friend bool operator<(const Component& a, const Component& b) {
    return a.kind_ != b.kind_ ? a.kind_ < b.kind_ : a.value_ < b.value_;
  }
  friend llvm::hash_code hash_value(const Component& component) {
    return llvm::hash_combine(component.kind_, component.value_);
  }

 private:
  Component(Kind kind, int64_t value) : kind_(kind), value_(value) {}

  Kind kind_ = Kind::Broadcast;
  int64_t value_ = 0;
};

/// One component per mesh axis, major axis first.
using Placement = llvm::SmallVector<Component, 3>;

/// Returns the text of a placement, such as "[S(0), B]".
std::string stringOf(llvm::ArrayRef<Component> placement);

/// One axis of a mesh: `size` devices that are joined by links of one kind.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
  double latencySeconds = 0;  // alpha: per message
  double secondsPerByte = 0;  // beta
  PriceTables prices = {};    // of collectives with their own alpha and beta
  int64_t level = 0;          // index of the machine's level; 0 is outermost
};

/// The devices on which a program, or a stage of it, runs. Positions are
/// numbered row-major over the axes, major axis first. On the mesh of a whole
/// machine, rank r is at position r; the mesh of a group lists the rank at each
/// position.
struct Mesh {
  llvm::SmallVector<MeshAxis, 3> axes;
  llvm::SmallVector<int64_t, 0> ranks = {};  // by position; empty: 0, 1, 2, ...

  int64_t numRanks() const;
  /// Returns the coordinate of `position` along each axis.
  llvm::SmallVector<int64_t, 3> coordinatesOf(int64_t position) const;
  /// Returns the rank at `position`.
  int64_t rankAt(int64_t position) const;
  /// Returns the position of `rank`, or -1 if the mesh does not have it.
  int64_t positionOf(int64_t rank) const;
  /// Returns the index of the axis `name`, or -1 if there is none.
  int64_t axisNamed(llvm::StringRef name) const;
};

/// A half-open interval of indices of one dimension.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};

/// Returns the part that device `index` of `count` devices owns of a dimension
/// of extent `extent`.
Interval partOf(int64_t extent, int64_t count, int64_t index);

/// Returns the part of dimension `dim`, of extent `extent`, that the device at
/// `coordinates` owns under `placement`: all of it if no axis splits it.
Interval partOf(int64_t extent, int64_t dim,
                llvm::ArrayRef<Component> placement, const Mesh& mesh,
                llvm::ArrayRef<int64_t> coordinates);

/// Returns the shape of the part of a tensor of shape `shape` on the device at
/// `coordinates`.
llvm::SmallVector<int64_t> localShape(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<Component> placement,
                                      const Mesh& mesh,
                                      llvm::ArrayRef<int64_t> coordinates);

}  // namespace sbp

#endif  // DIALECTS_SBP_ALGEBRA_H_
