#include "passes/search/allocation/LayerChain.h"

#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::search {

absl::Status LayerChain::check() const {
  const auto numLayers = forward.size();
  if (numLayers == 0) return error("the chain has no layers");
  if (numLayers > kMaxLayers)
    return error("the chain has {} layers; at most {} are accepted", numLayers,
                 kMaxLayers);
  const std::pair<std::string_view, const std::vector<double>*> lists[] = {
      {"forward times", &forward},
      {"backward times", &backward},
      {"weights", &weights},
      {"cuts", &cuts},
      {"outputs", &outputs}};
  for (const auto& [what, list] : lists) {
    const size_t wanted = list == &cuts ? numLayers + 1 : numLayers;
    if (list->size() != wanted)
      return error("the chain has {} layers and {} {}; {} are needed",
                   numLayers, list->size(), what, wanted);
    for (size_t i = 0; i < list->size(); ++i)
      if (!((*list)[i] >= 0) || !std::isfinite((*list)[i]))
        return error(
            "number {} of the {} is {}; it has to be finite and at "
            "least 0",
            i, what, (*list)[i]);
  }
  const double all = std::accumulate(forward.begin(), forward.end(), 0.0) +
                     std::accumulate(backward.begin(), backward.end(), 0.0);
  if (!(all > 0)) return error("no layer of the chain takes time");
  return absl::OkStatus();
}

}  // namespace sbp::search
