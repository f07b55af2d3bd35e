// Placements of local tensors, as far as the local program tells.
//
// A local type has no placement. What a rank.program says of its parameters and
// arguments (`rank.whole`), what its collectives make and the signatures of its
// ops tell how each of its tensors can lie, on each mesh axis by itself:
//
//   %g = nn.einsum "bi,bj->ij" %x, %d    x and d are S(0), so g is P(sum)
//   %s = rank.all_reduce sum %g          and s is B
//
// Some tensors can lie in several ways, as a constant; of some nothing is told.

#ifndef PASSES_LOCALIZE_LYING_H_
#define PASSES_LOCALIZE_LYING_H_

#include <optional>
#include <string>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp {

/// The components that a tensor can have on one mesh axis.
class Choice {
 public:
  /// Any: nothing is told.
  Choice() = default;
  static Choice any() { return Choice(); }
  static Choice of(Component component) { return none().with(component); }
  /// None, to be added to.
  static Choice none();

  bool isAny() const { return isAny_; }
  bool isNone() const { return !isAny_ && components_.empty(); }
  bool allows(Component component) const;
  /// The components, ascending; none of any.
  ArrayRef<Component> components() const { return components_; }
  /// The one component; nothing if there are several, or any.
  std::optional<Component> only() const;

  /// This, and `component`.
  Choice with(Component component) const;
  /// This, and what `other` has.
  Choice with(const Choice& other) const;

  /// "P(sum)", "B or S(0)".
  std::string str() const;

  friend bool operator==(const Choice& a, const Choice& b) {
    return a.isAny_ == b.isAny_ && a.components_ == b.components_;
  }

 private:
  bool isAny_ = true;
  SmallVector<Component, 2> components_;  // ascending
};

/// The placement of a tensor, as far as it is told.
struct Lying {
  /// Null if the tensor lies so on any mesh, as a constant; then there is one
  /// choice, for all axes.
  mlir::FlatSymbolRefAttr mesh;
  /// On an axis of one device all is copies.
  SmallVector<Choice, 3> axes = {Choice::any()};

  const Choice& on(size_t axis) const { return axes[mesh ? axis : 0]; }

  friend bool operator==(const Lying& a, const Lying& b) {
    return a.mesh == b.mesh && a.axes == b.axes;
  }
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LYING_H_
