#include <cmath>
#include <numeric>

#include "tools/lab/Experiments.h"

namespace sbp::search::lab {
namespace {

/// Returns the best cost after `evaluations`; infinity before the first one.
Cost costAfter(const std::vector<Improvement>& improvements,
               int64_t evaluations) {
  Cost cost = kInfiniteCost;
  for (const Improvement& improvement : improvements)
    if (improvement.evaluations <= evaluations) cost = improvement.cost;
  return cost;
}

/// Returns the mean, and half the width of its 90 % confidence interval.
Json summary(const std::vector<double>& values) {
  auto number = static_cast<double>(values.size());
  // One division, so that the mean of ones is exactly one.
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / number;
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  double deviation =
      values.size() < 2 ? 0 : std::sqrt(squares / (number - 1) / number);
  constexpr double kNormalQuantile95 = 1.645;
  return {{"mean", mean}, {"half_width", kNormalQuantile95 * deviation}};
}

}  // namespace

Json figure8(const DenseLayers& layers, int64_t runs, int64_t evaluations) {
  autoddl::MatmulChain chain = layers.chain();
  auto makeProblem = [&] { return chain.problem(layers.link()); };
  DensePlan exact = solve(layers, {Solver::Elimination, {}});
  // Rounded to the ticks of the heuristics, so that no heuristic is below it.
  Cost optimum = solve(makeProblem, {Solver::Elimination, {}}).solution.cost;

  Json result{{"nodes", layers.nodes},
              {"optimum_seconds", exact.seconds},
              {"elimination_seconds", exact.found.searchSeconds},
              {"runs", runs}};
  Json& curves = result["relative_cost"];
  for (auto [name, solver] : {std::pair("random", Solver::Random),
                              std::pair("mh", Solver::MetropolisHastings),
                              std::pair("cd", Solver::CoordinateDescent)}) {
    std::vector<TimedSolution> found;
    double seconds = 0;
    for (int64_t run = 0; run < runs; ++run) {
      Budget budget{evaluations, layers.solver.budget.seed + run};
      found.push_back(solve(makeProblem, {solver, budget}));
      seconds += found.back().seconds / static_cast<double>(runs);
    }
    Json points = Json::array();
    for (int64_t after = 1; after <= evaluations; after *= 2) {
      std::vector<double> relative;
      for (const TimedSolution& run : found)
        relative.push_back(
            ratioOf(costAfter(run.improvements, after), optimum));
      Json point = summary(relative);
      point["evaluations"] = after;
      points.push_back(point);
    }
    curves[name] = {{"seconds", seconds}, {"points", points}};
  }
  return result;
}

}  // namespace sbp::search::lab
