#include "passes/search/symmetry/StabiliserSpace.h"

namespace sbp::search {

Layout layoutOf(const LayoutSpace& space,
                const std::vector<AxisOrbit>& axisOrbits,
                const StabiliserOrbit& layout) {
  std::vector<std::vector<int64_t>> counts(
      space.classes().size(), std::vector<int64_t>(space.numKinds(), 0));
  for (size_t i = 0; i < axisOrbits.size(); ++i)
    for (Kind kind = 0; kind < space.numKinds(); ++kind)
      counts[axisOrbits[i].axisClass][kind] +=
          layout[i * space.numKinds() + kind];
  return space.layoutOf(counts);
}

}  // namespace sbp::search
