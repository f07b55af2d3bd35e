#include "passes/cost/Collectives.h"

#include <algorithm>

#include "passes/cost/AlphaBeta.h"

namespace sbp {

double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh) {
  double members = 1;
  for (int64_t axis : axes)
    members *= static_cast<double>(mesh.axes[axis].size);
  Traffic traffic = trafficOf(members, bytes);
  if (collective == Collective::AllReduce) traffic = 2 * traffic;

  Link worst;
  double seconds = 0;
  for (int64_t index : axes) {
    const MeshAxis& axis = mesh.axes[index];
    if (auto price =
            priceOf(axis.prices, collective, members, bytes / members)) {
      Link link{price->latencySeconds, price->secondsPerByte};
      seconds = std::max(seconds, link.seconds(traffic));
    } else {
      worst.alpha = std::max(worst.alpha, axis.latencySeconds);
      worst.beta = std::max(worst.beta, axis.secondsPerByte);
    }
  }
  return std::max(seconds, worst.seconds(traffic));
}

}  // namespace sbp
