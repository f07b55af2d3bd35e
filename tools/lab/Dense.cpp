#include <cmath>

#include "tools/lab/Experiments.h"
#include "tools/lab/autoddl/NamedPlans.h"

namespace sbp::search::lab {
namespace {

using autoddl::MatmulChain;
using autoddl::Strategy;

/// Relative difference up to which costs are equal, because thirds are rounded,
/// and so are their sums. Costs that are not equal differ by more, since they
/// are integers divided by the square of the number of devices.
constexpr double kRounding = 1e-12;

Json priced(const MatmulChain& chain, const Link& link,
            const std::vector<Strategy>& plan) {
  Traffic traffic = chain.traffic(plan);
  return {{"elements", traffic.volume},
          {"rounds", traffic.rounds},
          {"seconds", link.seconds(traffic)},
          {"plan", toJson(plan)}};
}

}  // namespace

Json numPlansOf(const MatmulChain& chain) {
  double number = chain.numPlans();
  if (number < 0x1p53) return static_cast<int64_t>(number);
  return number;
}

Json toJson(const std::vector<Strategy>& plan) {
  Json list = Json::array();
  for (const Strategy& s : plan) list.push_back({s.p0, s.p1, s.p2});
  return list;
}

MatmulChain DenseLayers::chain() const {
  MatmulChain chain;
  for (size_t i = 0; i + 1 < extents.size(); ++i)
    chain.products.push_back({extents[i], extents[i + 1]});
  chain.rows = batch;
  chain.devices = chain.maxReplication = nodes;
  chain.firstInput = firstInput;
  chain.lastOutput = lastOutput;
  chain.exchangeGroup = exchangeGroup;
  return chain;
}

Link DenseLayers::link() const {
  return {alphaSeconds, betaSecondsPerByte * static_cast<double>(elementBytes)};
}

double ratioOf(double cost, double other) {
  return std::abs(cost - other) <= kRounding * other ? 1 : cost / other;
}

DensePlan solve(const DenseLayers& layers, const SolverOptions& options) {
  MatmulChain chain = layers.chain();
  Link link = layers.link();
  // Without latency only the volume matters. A volume is more often an integer
  // than a time is, so it has less rounding.
  Link unit = layers.alphaSeconds == 0 ? Link{0, 1} : link;
  DensePlan dense;
  dense.found = planFor(chain, unit, options);
  dense.traffic = chain.traffic(dense.found.strategies);
  dense.seconds = link.seconds(dense.traffic);
  return dense;
}

Json dense(const DenseLayers& layers) {
  MatmulChain chain = layers.chain();
  Link link = layers.link();
  auto [found, traffic, seconds] = solve(layers, layers.solver);
  Json result;
  result["optimum_elements"] = traffic.volume;
  result["seconds"] = seconds;
  result["plan"] = toJson(found.strategies);
  result["strategies"] = numPlansOf(chain);
  result["search_seconds"] = found.searchSeconds;
  // A solver proves that its plan is the best, or proves nothing.
  result["lower_bound"] = found.isProven ? seconds : 0;
  if (layers.alphaSeconds == 0)
    result["lower_bound_elements"] = found.isProven ? traffic.volume : 0;
  result["proven"] = found.isProven;
  result["named"] = {
      {"data parallel",
       priced(chain, link, autoddl::megatronPlan(chain, layers.nodes))},
      {"1-D tensor parallel",
       priced(chain, link, autoddl::megatronPlan(chain, 1))},
      {"best Megatron grid",
       priced(chain, link, autoddl::bestMegatronPlan(chain, link))}};
  return result;
}

}  // namespace sbp::search::lab
