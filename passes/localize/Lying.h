// Placements of local tensors, as far as they follow from the local program.
//
// A local type has no placement. But the attributes of a rank.program's
// parameters and arguments (`rank.whole`), the results of its collectives, and
// the signatures of its ops determine how each tensor may lie, for each mesh
// axis separately:
//
//   %g = nn.einsum "bi,bj->ij" %x, %d    x and d are S(0), so g is P(sum)
//   %s = rank.all_reduce sum %g          and s is B
//
// Some tensors, such as constants, may lie in several ways; for others nothing
// is known.

#ifndef PASSES_LOCALIZE_LYING_H_
#define PASSES_LOCALIZE_LYING_H_

#include <optional>
#include <string>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp {

/// The components that a tensor may have on one mesh axis.
class Choice {
 public:
  /// Any component: nothing is known.
  Choice() = default;
  static Choice any() { return Choice(); }
  static Choice of(Component component) { return none().with(component); }
  /// Returns the empty set, to which components can be added.
  static Choice none();

  bool isAny() const { return isAny_; }
  bool isNone() const { return !isAny_ && components_.empty(); }
  bool allows(Component component) const;
  /// Returns the component if there is exactly one.
  std::optional<Component> only() const;

  /// Returns this set with `component` added.
  Choice with(Component component) const;
  /// Returns the union of this set and `other`.
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

/// The placement of a local tensor, as far as it is known.
struct Lying {
  /// Null if the tensor has this placement on every mesh, as a constant has.
  /// Then `axes` has a single element, which holds for all axes.
  mlir::FlatSymbolRefAttr mesh;
  SmallVector<Choice, 3> axes = {Choice::any()};

  const Choice& on(size_t axis) const { return axes[mesh ? axis : 0]; }

  friend bool operator==(const Lying& a, const Lying& b) {
    return a.mesh == b.mesh && a.axes == b.axes;
  }
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LYING_H_
