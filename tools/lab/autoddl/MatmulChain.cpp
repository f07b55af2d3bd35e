#include "tools/lab/autoddl/MatmulChain.h"

#include <algorithm>
#include <cmath>

namespace sbp::search::autoddl {
namespace {

double product(int64_t a, int64_t b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

}  // namespace

std::vector<Strategy> strategiesOf(int64_t devices, int64_t maxReplication) {
  std::vector<Strategy> strategies;
  for (int64_t p0 = 1; p0 <= std::min(devices, maxReplication); ++p0) {
    if (devices % p0 != 0) continue;
    int64_t rest = devices / p0;
    for (int64_t p1 = 1; p1 <= rest; ++p1)
      if (rest % p1 == 0) strategies.push_back({p0, p1, rest / p1});
  }
  return strategies;
}

Traffic MatmulChain::gatherInput(size_t index, Strategy s) const {
  return trafficOf(s.p1,
                   product(rows, products[index].in) / product(s.p0, s.p2));
}

Traffic MatmulChain::scatterOutput(size_t index, Strategy s) const {
  return trafficOf(s.p2,
                   product(rows, products[index].out) / product(s.p0, s.p1));
}

Traffic MatmulChain::exchange(double elements, int64_t p0,
                              int64_t nextP0) const {
  int64_t group = devices;
  if (exchangeGroup == ExchangeGroup::Smallest) {
    // An exchange between p0 and nextP0 parts of the rows is within groups of
    // their quotient, if one divides the other.
    int64_t more = std::max(p0, nextP0), less = std::min(p0, nextP0);
    if (more % less == 0) group = more / less;
  }
  return trafficOf(group, elements / static_cast<double>(devices));
}

Traffic MatmulChain::own(size_t index, Strategy s) const {
  Traffic traffic;
  const Product& p = products[index];
  if (hasBackward && synchronisesWeights)
    traffic +=
        2.0 * trafficOf(s.p0, product(p.in, p.out) / product(s.p1, s.p2));
  if (index == 0) switch (firstInput) {
      case FirstInput::Free:
        break;
      case FirstInput::Gather:
        traffic += gatherInput(0, s);
        break;
      case FirstInput::GatherAndScatter:
        traffic += passes() * gatherInput(0, s);
        break;
      case FirstInput::SplitRows:
        // As after a product with the split (devices, 1, 1).
        traffic += passes() * gatherInput(0, s);
        if (s.p0 != devices && s.p2 != 1)
          traffic += passes() * exchange(product(rows, p.in), devices, s.p0);
        break;
    }
  if (index + 1 == products.size()) {
    traffic += passes() * scatterOutput(index, s);
    if (lastOutput == LastOutput::Gather)
      traffic += trafficOf(devices, product(rows, p.out));
  }
  return traffic;
}

Traffic MatmulChain::between(size_t index, Strategy s, Strategy next) const {
  Traffic traffic = scatterOutput(index, s) + gatherInput(index + 1, next);
  if (s.p0 != next.p0 && s.p1 != next.p2)
    traffic += exchange(product(rows, products[index].out), s.p0, next.p0);
  return passes() * traffic;
}

Traffic MatmulChain::traffic(const std::vector<Strategy>& plan) const {
  Traffic traffic;
  for (size_t i = 0; i < products.size(); ++i) {
    traffic += own(i, plan[i]);
    if (i + 1 < products.size()) traffic += between(i, plan[i], plan[i + 1]);
  }
  return traffic;
}

double MatmulChain::numPlans() const {
  return std::pow(static_cast<double>(strategies().size()),
                  static_cast<double>(products.size()));
}

std::vector<Strategy> MatmulChain::planOf(const Assignment& assignment) const {
  std::vector<Strategy> all = strategies();
  std::vector<Strategy> plan;
  for (State state : assignment) plan.push_back(all[state]);
  return plan;
}

Problem MatmulChain::problem(const Link& link, Cost most) const {
  Problem problem;
  auto price = [&](Traffic traffic) {
    Cost seconds = link.seconds(traffic);
    return seconds <= most ? seconds : kInfiniteCost;
  };
  std::vector<Strategy> all = strategies();
  auto states = static_cast<State>(all.size());
  for (size_t i = 0; i < products.size(); ++i) {
    std::vector<Cost> costs;
    for (const Strategy& strategy : all)
      costs.push_back(price(own(i, strategy)));
    problem.addVariable("product " + std::to_string(i + 1), states);
    problem.addCosts({static_cast<int64_t>(i)}, std::move(costs));
  }
  for (size_t i = 0; i + 1 < products.size(); ++i) {
    std::vector<Cost> costs;
    for (const Strategy& strategy : all)
      for (const Strategy& next : all)
        costs.push_back(price(between(i, strategy, next)));
    auto index = static_cast<int64_t>(i);
    problem.addCosts({index, index + 1}, std::move(costs));
  }
  problem.roundToTicks();
  return problem;
}

}  // namespace sbp::search::autoddl
