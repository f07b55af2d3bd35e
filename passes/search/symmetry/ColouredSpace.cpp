#include "passes/search/symmetry/ColouredSpace.h"

namespace sbp::search {

Layout forgetColours(const LayoutSpace& space,
                     const std::vector<Colour>& colours,
                     const ColouredLayout& layout) {
  std::vector<std::vector<int64_t>> counts(
      space.classes().size(), std::vector<int64_t>(space.numKinds(), 0));
  for (size_t i = 0; i < colours.size(); ++i)
    for (Kind kind = 0; kind < space.numKinds(); ++kind)
      counts[colours[i].axisClass][kind] += layout[i * space.numKinds() + kind];
  return space.layoutOf(counts);
}

}  // namespace sbp::search
