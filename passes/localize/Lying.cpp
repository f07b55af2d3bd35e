#include "passes/localize/Lying.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {

Choice Choice::none() {
  Choice choice;
  choice.isAny_ = false;
  return choice;
}

bool Choice::allows(Component component) const {
  return isAny_ || llvm::is_contained(components_, component);
}

std::optional<Component> Choice::only() const {
  if (isAny_ || components_.size() != 1) return std::nullopt;
  return components_.front();
}

Choice Choice::with(Component component) const {
  Choice more = *this;
  if (llvm::is_contained(more.components_, component)) return more;
  more.components_.insert(llvm::lower_bound(more.components_, component),
                          component);
  return more;
}

Choice Choice::with(const Choice& other) const {
  if (isAny_ || other.isAny_) return any();
  Choice more = *this;
  for (Component component : other.components_) more = more.with(component);
  return more;
}

std::string Choice::str() const {
  if (isAny_) return "any";
  auto names = llvm::map_range(
      components_, [](Component component) { return component.str(); });
  return llvm::join(names, " or ");
}

}  // namespace sbp
