#include "passes/search/solvers/Messages.h"

#include <algorithm>

namespace sbp::search {

Messages::Messages(const FactorGraph& problem)
    : alike_(alikeVariablesOf(problem)) {
  for (size_t v = 0; v < problem.own.size(); ++v) {
    size_t of = alike_.classOf[v];
    if (of == classes_.size()) {
      Class& first = classes_.emplace_back();
      first.own = &problem.own[v];
      first.with.assign(problem.own[v].size(), 0);
    }
    ++classes_[of].numVariables;
  }
  std::vector<size_t> numFactors;  // per class of factors
  for (size_t index = 0; index < problem.factors.size(); ++index) {
    size_t of = alike_.factorClassOf[index];
    if (of == numFactors.size()) {
      numFactors.push_back(0);
      addFactor(problem, index);
    }
    ++numFactors[of];
  }
  for (Class& variables : classes_)
    for (End& end : variables.ends)
      end.count =
          static_cast<double>(numFactors[end.factor] / variables.numVariables);
}

void Messages::addFactor(const FactorGraph& problem, size_t index) {
  const FactorGraph::Factor& factor = problem.factors[index];
  std::vector<size_t> classes;  // per end
  for (size_t view : factor.views)
    classes.push_back(alike_.classOf[problem.views[view].variable]);
  auto [first, last] = std::minmax_element(classes.begin(), classes.end());
  for (size_t number = 0; number < classes.size(); ++number) {
    End end;
    end.factor = factors_.size();
    end.number = number;
    end.view = &problem.views[factor.views[number]];
    end.hasEarlier = classes[number] > *first;
    end.hasLater = classes[number] < *last;
    classes_[classes[number]].ends.push_back(end);
  }
  factors_.emplace_back(problem, factor);
}

void Messages::process(Class& variables, Give give) {
  std::vector<Cost> sum = *variables.own;
  std::vector<std::vector<Cost>> marginals;  // per end
  size_t numEarlier = 0, numLater = 0;
  for (const End& end : variables.ends) {
    marginals.push_back(factors_[end.factor].minMarginal(end.number));
    const std::vector<State>& projectionOf = end.view->projectionOf;
    for (size_t state = 0; state < sum.size(); ++state)
      sum[state] += end.count * marginals.back()[projectionOf[state]];
    numEarlier += end.hasEarlier;
    numLater += end.hasLater;
  }
  Cost least = *std::min_element(sum.begin(), sum.end());
  bound_ += static_cast<double>(variables.numVariables) *
            (least - variables.setAside);
  variables.setAside = least;
  for (size_t state = 0; state < sum.size(); ++state) {
    sum[state] -= least;
    variables.with[state] =
        std::max(variables.with[state], bound_ + sum[state]);
  }
  // A class of factors counts once.
  size_t numWays = std::max<size_t>({numEarlier, numLater, 1});
  for (size_t i = 0; i < marginals.size(); ++i) {
    const End& end = variables.ends[i];
    std::vector<Cost> given(marginals[i].size(), 0);
    if (give == Give::ToLater ? end.hasLater
                              : give == Give::ToEarlier && end.hasEarlier) {
      double share = 1 / (end.count * static_cast<double>(numWays));
      std::fill(given.begin(), given.end(), kInfiniteCost);
      for (size_t state = 0; state < sum.size(); ++state) {
        Cost& least = given[end.view->projectionOf[state]];
        least = std::min(least, share * sum[state]);
      }
    }
    for (size_t projection = 0; projection < given.size(); ++projection)
      given[projection] -= marginals[i][projection];
    factors_[end.factor].setMessage(end.number, given);
  }
}

void Messages::sweep() {
  for (Class& variables : classes_) process(variables, Give::ToLater);
  for (size_t last = classes_.size(); last-- > 0;)
    process(classes_[last], Give::ToEarlier);
}

void Messages::collect() {
  for (Class& variables : classes_) process(variables, Give::Nothing);
}

std::vector<Cost> Messages::takenBy(size_t factor, size_t end) const {
  std::vector<Cost> taken =
      factors_[alike_.factorClassOf[factor]].messageOf(end);
  for (Cost& cost : taken) cost = -cost;
  return taken;
}

}  // namespace sbp::search
