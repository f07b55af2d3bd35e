#include "passes/search/solvers/Messages.h"

#include <algorithm>

namespace sbp::search {

Messages::Messages(const LinkedProblem& problem)
    : problem_(problem),
      ends_(problem.own.size()),
      setAside_(problem.own.size(), 0) {
  fans_.reserve(problem.fans.size());
  for (const LinkedProblem::Fan& fan : problem.fans) {
    size_t index = fans_.size();
    fans_.emplace_back(problem, fan);
    std::vector<size_t> variables;
    for (size_t view : fan.views)
      variables.push_back(problem.views[view].variable);
    auto [first, last] =
        std::minmax_element(variables.begin(), variables.end());
    for (size_t number = 0; number < variables.size(); ++number)
      ends_[variables[number]].push_back({index, number,
                                          variables[number] > *first,
                                          variables[number] < *last});
  }
  for (const std::vector<Cost>& own : problem.own)
    with_.emplace_back(own.size(), 0);
}

void Messages::process(size_t variable, bool isForward) {
  std::vector<Cost> sum = problem_.own[variable];
  std::vector<std::vector<Cost>> heard;  // per end
  size_t numEarlier = 0, numLater = 0;
  for (const End& end : ends_[variable]) {
    heard.push_back(fans_[end.fan].hear(end.number));
    const std::vector<State>& faceOf = viewOf(end).faceOf;
    for (size_t state = 0; state < sum.size(); ++state)
      sum[state] += heard.back()[faceOf[state]];
    numEarlier += end.hasEarlier;
    numLater += end.hasLater;
  }
  Cost least = *std::min_element(sum.begin(), sum.end());
  bound_ += least - setAside_[variable];
  setAside_[variable] = least;
  for (size_t state = 0; state < sum.size(); ++state) {
    sum[state] -= least;
    with_[variable][state] =
        std::max(with_[variable][state], bound_ + sum[state]);
  }
  double share =
      1.0 / static_cast<double>(std::max<size_t>({numEarlier, numLater, 1}));
  for (size_t i = 0; i < heard.size(); ++i) {
    const End& end = ends_[variable][i];
    const FacedVariable& view = viewOf(end);
    std::vector<Cost> given(view.numFaces, 0);
    if (isForward ? end.hasLater : end.hasEarlier) {
      std::fill(given.begin(), given.end(), kInfiniteCost);
      for (size_t state = 0; state < sum.size(); ++state)
        given[view.faceOf[state]] =
            std::min(given[view.faceOf[state]], share * sum[state]);
    }
    for (size_t face = 0; face < given.size(); ++face)
      given[face] -= heard[i][face];
    fans_[end.fan].tell(end.number, given);
  }
}

void Messages::sweep() {
  size_t numVariables = problem_.own.size();
  for (size_t variable = 0; variable < numVariables; ++variable)
    process(variable, /*isForward=*/true);
  for (size_t variable = numVariables; variable-- > 0;)
    process(variable, /*isForward=*/false);
}

}  // namespace sbp::search
