#include "passes/localize/ComponentSet.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {

ComponentSet ComponentSet::none() {
  ComponentSet choice;
  choice.isAny_ = false;
  return choice;
}

bool ComponentSet::allows(Component component) const {
  return isAny_ || llvm::is_contained(components_, component);
}

std::optional<Component> ComponentSet::only() const {
  if (isAny_ || components_.size() != 1) return std::nullopt;
  return components_.front();
}

ComponentSet ComponentSet::with(Component component) const {
  if (isAny_) return *this;
  ComponentSet more = *this;
  if (llvm::is_contained(more.components_, component)) return more;
  more.components_.insert(llvm::lower_bound(more.components_, component),
                          component);
  return more;
}

ComponentSet ComponentSet::with(const ComponentSet& other) const {
  if (isAny_ || other.isAny_) return any();
  ComponentSet more = *this;
  for (Component component : other.components_) more = more.with(component);
  return more;
}

std::string ComponentSet::str() const {
  if (isAny_) return "any";
  auto names = llvm::map_range(
      components_, [](Component component) { return component.str(); });
  return llvm::join(names, " or ");
}

}  // namespace sbp
