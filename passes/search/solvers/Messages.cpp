#include "passes/search/solvers/Messages.h"

#include <algorithm>

namespace sbp::search {

Messages::Messages(const LinkedProblem& problem)
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
  std::vector<size_t> numFans;  // per class of fans
  for (size_t index = 0; index < problem.fans.size(); ++index) {
    size_t of = alike_.fanClassOf[index];
    if (of == numFans.size()) {
      numFans.push_back(0);
      addFan(problem, index);
    }
    ++numFans[of];
  }
  for (Class& variables : classes_)
    for (End& end : variables.ends)
      end.count =
          static_cast<double>(numFans[end.fan] / variables.numVariables);
}

void Messages::addFan(const LinkedProblem& problem, size_t index) {
  const LinkedProblem::Fan& fan = problem.fans[index];
  std::vector<size_t> classes;  // per end
  for (size_t view : fan.views)
    classes.push_back(alike_.classOf[problem.views[view].variable]);
  auto [first, last] = std::minmax_element(classes.begin(), classes.end());
  for (size_t number = 0; number < classes.size(); ++number) {
    End end;
    end.fan = fans_.size();
    end.number = number;
    end.view = &problem.views[fan.views[number]];
    end.hasEarlier = classes[number] > *first;
    end.hasLater = classes[number] < *last;
    classes_[classes[number]].ends.push_back(end);
  }
  fans_.emplace_back(problem, fan);
}

void Messages::process(Class& variables, Give give) {
  std::vector<Cost> sum = *variables.own;
  std::vector<std::vector<Cost>> heard;  // per end
  size_t numEarlier = 0, numLater = 0;
  for (const End& end : variables.ends) {
    heard.push_back(fans_[end.fan].hear(end.number));
    const std::vector<State>& faceOf = end.view->faceOf;
    for (size_t state = 0; state < sum.size(); ++state)
      sum[state] += end.count * heard.back()[faceOf[state]];
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
  // A class of fans counts once.
  size_t numWays = std::max<size_t>({numEarlier, numLater, 1});
  for (size_t i = 0; i < heard.size(); ++i) {
    const End& end = variables.ends[i];
    std::vector<Cost> given(heard[i].size(), 0);
    if (give == Give::ToLater ? end.hasLater
                              : give == Give::ToEarlier && end.hasEarlier) {
      double share = 1 / (end.count * static_cast<double>(numWays));
      std::fill(given.begin(), given.end(), kInfiniteCost);
      for (size_t state = 0; state < sum.size(); ++state) {
        Cost& least = given[end.view->faceOf[state]];
        least = std::min(least, share * sum[state]);
      }
    }
    for (size_t face = 0; face < given.size(); ++face)
      given[face] -= heard[i][face];
    fans_[end.fan].tell(end.number, given);
  }
}

void Messages::sweep() {
  for (Class& variables : classes_) process(variables, Give::ToLater);
  for (size_t last = classes_.size(); last-- > 0;)
    process(classes_[last], Give::ToEarlier);
}

void Messages::settle() {
  for (Class& variables : classes_) process(variables, Give::Nothing);
}

std::vector<Cost> Messages::takenBy(size_t fan, size_t end) const {
  std::vector<Cost> taken = fans_[alike_.fanClassOf[fan]].toldBy(end);
  for (Cost& cost : taken) cost = -cost;
  return taken;
}

}  // namespace sbp::search
