#include "passes/search/autoddl/NamedPlans.h"
#include "passes/search/lab/Experiments.h"

namespace sbp::search::lab {
namespace {

using autoddl::MatmulChain;
using autoddl::Strategy;

Json priced(const MatmulChain& chain, const Link& link,
            const std::vector<Strategy>& plan) {
  Traffic traffic = chain.traffic(plan);
  return {{"elements", traffic.volume},
          {"rounds", traffic.rounds},
          {"seconds", link.seconds(traffic)},
          {"plan", toJson(plan)}};
}

/// A whole number where a double is exact.
Json toJson(double number) {
  if (number < 0x1p53) return static_cast<int64_t>(number);
  return number;
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

Link DenseLayers::link() const {
  return {alphaSeconds, betaSecondsPerByte * static_cast<double>(elementBytes)};
}

Json dense(const DenseLayers& layers) {
  MatmulChain chain = layers.chain();
  Link link = layers.link();
  // Without latency all that counts is the volume, which is a whole number more
  // often than a time is.
  bool countsVolume = layers.alphaSeconds == 0;
  Link unit = countsVolume ? Link{0, 1} : link;
  TimedSolution found =
      solve([&] { return chain.problem(unit); }, layers.solver);

  Json result;
  if (found.solution.assignment.empty()) {
    result["plan"] = nullptr;
    return result;
  }
  std::vector<Strategy> plan = chain.planOf(found.solution.assignment);
  Traffic traffic = chain.traffic(plan);
  result["optimum_elements"] = traffic.volume;
  result["seconds"] = link.seconds(traffic);
  result["plan"] = toJson(plan);
  result["strategies"] = toJson(chain.numPlans());
  result["search_seconds"] = found.seconds;
  result["lower_bound"] = countsVolume ? found.solution.lowerBound * link.beta
                                       : found.solution.lowerBound;
  if (countsVolume) result["lower_bound_elements"] = found.solution.lowerBound;
  result["proven"] = found.solution.isOptimal();
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
