// How a tensor lies on a mesh of devices: the algebra, without any IR.
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
// Parts. Index i of n owns [i*e/n, (i+1)*e/n) of an extent e, rounded down, so
// the sizes of parts differ by at most one and may be zero:
//
//   e = 10, n = 4   ->   [0,2) [2,5) [5,7) [7,10)
//
// A dimension that several axes split is cut by the major axis first, and each
// part is cut again by the next one. The parts of a part depend on its extent
// alone: whoever knows the extents and its place in the group knows the
// offsets.
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

/// "sum", "max" or "min".
llvm::StringRef stringOf(Reduction reduction);

/// How a tensor lies on one mesh axis.
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

  /// The dimension of a Split.
  int64_t dim() const { return value_; }
  /// The monoid of a Partial.
  Reduction reduction() const { return static_cast<Reduction>(value_); }

  /// "S(1)", "B" or "P(sum)".
  std::string str() const;

  friend bool operator==(const Component& a, const Component& b) {
    return a.kind_ == b.kind_ && a.value_ == b.value_;
  }
  friend bool operator!=(const Component& a, const Component& b) {
    return !(a == b);
  }
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

/// "[S(0), B]".
std::string stringOf(llvm::ArrayRef<Component> placement);

/// One axis of a mesh: `size` devices, reached over links of one kind.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
  double latencySeconds = 0;  // alpha: per message
  double secondsPerByte = 0;  // beta
  PriceTables prices = {};    // of collectives that differ from these
  int64_t level = 0;          // of the machine, counted from the outermost
};

/// The devices that a program, or a stage of one, runs on. Place p has the
/// coordinates that are p's digits, row-major over the axes, major first. On
/// the mesh of a whole machine rank r stands at place r; that of a group of its
/// ranks lists who stands where.
struct Mesh {
  llvm::SmallVector<MeshAxis, 3> axes;
  llvm::SmallVector<int64_t, 0> ranks = {};  // by place; empty: all, in order

  int64_t numRanks() const;
  llvm::SmallVector<int64_t, 3> coordinatesOf(int64_t place) const;
  /// The rank that stands at `place`.
  int64_t rankAt(int64_t place) const;
  /// Where `rank` stands, or -1.
  int64_t placeOf(int64_t rank) const;
  /// The index of the axis `name`, or -1.
  int64_t axisNamed(llvm::StringRef name) const;
};

/// A half-open interval of indices of one dimension.
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};

/// Part `index` of `count` of an extent.
Interval partOf(int64_t extent, int64_t count, int64_t index);

/// The part of dimension `dim`, whole extent `extent`, that the device at
/// `coordinates` owns under `placement`; all of it when no axis splits it.
Interval partOf(int64_t extent, int64_t dim,
                llvm::ArrayRef<Component> placement, const Mesh& mesh,
                llvm::ArrayRef<int64_t> coordinates);

/// The local shape of a tensor of whole shape `shape` on one device.
llvm::SmallVector<int64_t> localShape(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<Component> placement,
                                      const Mesh& mesh,
                                      llvm::ArrayRef<int64_t> coordinates);

}  // namespace sbp

#endif  // DIALECTS_SBP_ALGEBRA_H_
