// The components that a local tensor may have on a mesh axis.

#ifndef PASSES_LOCALIZE_COMPONENTSET_H_
#define PASSES_LOCALIZE_COMPONENTSET_H_

#include <optional>
#include <string>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// A set of components, or the set of all components.
class ComponentSet {
 public:
  /// Constructs the set of all components, which says nothing about the tensor.
  ComponentSet() = default;
  static ComponentSet any() { return ComponentSet(); }
  static ComponentSet of(Component component) { return none().with(component); }
  /// Returns the empty set, to which components can be added.
  static ComponentSet none();

  /// Returns the components in ascending order. Empty if isAny() or isNone().
  ArrayRef<Component> components() const { return components_; }

  bool isAny() const { return isAny_; }
  bool isNone() const { return !isAny_ && components_.empty(); }
  bool allows(Component component) const;
  /// Returns the only component; nullopt if there is none, or more than one.
  std::optional<Component> only() const;

  /// Returns this set with `component` added.
  ComponentSet with(Component component) const;
  /// Returns the union of this set and `other`.
  ComponentSet with(const ComponentSet& other) const;

  /// Returns the text of the set, such as "P(sum)", "B or S(0)" or "any".
  std::string str() const;

  friend bool operator==(const ComponentSet& a, const ComponentSet& b) {
    return a.isAny_ == b.isAny_ && a.components_ == b.components_;
  }

 private:
  bool isAny_ = true;
  SmallVector<Component, 2> components_;  // ascending
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_COMPONENTSET_H_
