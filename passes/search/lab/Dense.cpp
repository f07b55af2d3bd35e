#include <algorithm>
#include <cmath>

#include "passes/search/lab/Experiments.h"

namespace sbp::search::lab {
namespace {

using autoddl::MatmulChain;
using autoddl::Network;
using autoddl::Strategy;

std::vector<Strategy> planOf(const MatmulChain& chain,
                             const Assignment& assignment) {
  auto strategies = autoddl::strategiesOf(chain.devices, chain.maxReplication);
  std::vector<Strategy> plan;
  for (State state : assignment) plan.push_back(strategies[state]);
  return plan;
}

Json priced(const MatmulChain& chain, const Network& network,
            const std::vector<Strategy>& plan) {
  autoddl::Traffic traffic = chain.traffic(plan);
  return {{"elements", traffic.elements},
          {"rounds", traffic.rounds},
          {"seconds", network.seconds(traffic)},
          {"plan", toJson(plan)}};
}

/// A whole number where a double is exact.
Json numPlans(const MatmulChain& chain) {
  auto perProduct = static_cast<double>(
      autoddl::strategiesOf(chain.devices, chain.maxReplication).size());
  double number =
      std::pow(perProduct, static_cast<double>(chain.products.size()));
  if (number < 0x1p53) return static_cast<int64_t>(number);
  return number;
}

/// Columns and rows of the weights split in turn, `replication` times.
std::vector<Strategy> megatron(const MatmulChain& chain, int64_t replication) {
  std::vector<Strategy> plan;
  int64_t split = chain.devices / replication;
  for (size_t i = 0; i < chain.products.size(); ++i)
    plan.push_back(i % 2 == 0 ? Strategy{replication, split, 1}
                              : Strategy{replication, 1, split});
  return plan;
}

/// The cheapest of the Megatron grids.
std::vector<Strategy> bestMegatron(const MatmulChain& chain,
                                   const Network& network) {
  std::vector<Strategy> best;
  for (int64_t p0 = 1; p0 <= chain.devices; ++p0) {
    if (chain.devices % p0 != 0) continue;
    std::vector<Strategy> plan = megatron(chain, p0);
    if (best.empty() || network.seconds(chain.traffic(plan)) <
                            network.seconds(chain.traffic(best)))
      best = plan;
  }
  return best;
}

}  // namespace

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

Network DenseLayers::network() const {
  return {alphaSeconds, betaSecondsPerByte * static_cast<double>(elementBytes)};
}

Json dense(const DenseLayers& layers) {
  MatmulChain chain = layers.chain();
  Network network = layers.network();
  // Without latency all that counts is the volume, which is a whole number more
  // often than a time is.
  bool countsVolume = layers.alphaSeconds == 0;
  Network unit = countsVolume ? Network{0, 1} : network;
  TimedSolution found =
      solve([&] { return chain.problem(unit); }, layers.solver);

  Json result;
  if (found.solution.assignment.empty()) {
    result["plan"] = nullptr;
    return result;
  }
  std::vector<Strategy> plan = planOf(chain, found.solution.assignment);
  autoddl::Traffic traffic = chain.traffic(plan);
  result["optimum_elements"] = traffic.elements;
  result["seconds"] = network.seconds(traffic);
  result["plan"] = toJson(plan);
  result["strategies"] = numPlans(chain);
  result["search_seconds"] = found.seconds;
  result["lower_bound"] =
      countsVolume ? found.solution.lowerBound * network.secondsPerElement
                   : found.solution.lowerBound;
  if (countsVolume) result["lower_bound_elements"] = found.solution.lowerBound;
  result["proven"] = found.solution.isOptimal();
  result["named"] = {
      {"data parallel", priced(chain, network, megatron(chain, layers.nodes))},
      {"1-D tensor parallel", priced(chain, network, megatron(chain, 1))},
      {"best Megatron grid",
       priced(chain, network, bestMegatron(chain, network))}};
  return result;
}

}  // namespace sbp::search::lab
