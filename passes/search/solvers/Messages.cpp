#include "passes/search/solvers/Messages.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Lowers `to`, per column, to the least sum of `from` and a row of `costs`.
[[gnu::target_clones("avx512f", "avx2", "default")]] void lowerByRows(
    Cost* to, const Cost* from, const Cost* costs, size_t rows,
    size_t columns) {
  for (size_t row = 0; row < rows; ++row) {
    const Cost* of = costs + row * columns;
    Cost begin = from[row];
    for (size_t column = 0; column < columns; ++column) {
      Cost sum = begin + of[column];
      to[column] = sum < to[column] ? sum : to[column];
    }
  }
}

/// The same the other way round: per row, to a sum with a column.
[[gnu::target_clones("avx512f", "avx2", "default")]] void lowerByColumns(
    Cost* to, const Cost* from, const Cost* costs, size_t rows,
    size_t columns) {
  constexpr size_t kLanes = 16;
  for (size_t row = 0; row < rows; ++row) {
    const Cost* of = costs + row * columns;
    Cost least[kLanes];
    std::fill(least, least + kLanes, kInfiniteCost);
    size_t column = 0;
    for (; column + kLanes <= columns; column += kLanes)
      for (size_t lane = 0; lane < kLanes; ++lane) {
        Cost sum = from[column + lane] + of[column + lane];
        least[lane] = sum < least[lane] ? sum : least[lane];
      }
    for (; column < columns; ++column)
      least[0] = std::min(least[0], from[column] + of[column]);
    to[row] = std::min(to[row], *std::min_element(least, least + kLanes));
  }
}

}  // namespace

Messages::Messages(const LinkedProblem& problem)
    : problem_(problem),
      earlier_(problem.own.size()),
      later_(problem.own.size()) {
  for (size_t index = 0; index < problem.links.size(); ++index) {
    const LinkedProblem::Link& link = problem.links[index];
    const FacedVariable& rows = problem.views[link.rows];
    const FacedVariable& columns = problem.views[link.columns];
    heard_.push_back({std::vector<Cost>(rows.numFaces, 0),
                      std::vector<Cost>(columns.numFaces, 0)});
    for (bool isRows : {true, false}) {
      End end = {index, isRows};
      size_t here = viewOf(end).variable;
      (otherVariable(end) < here ? earlier_ : later_)[here].push_back(end);
    }
  }
  for (const std::vector<Cost>& own : problem.own)
    with_.emplace_back(own.size(), 0);
}

const FacedVariable& Messages::viewOf(const End& end) const {
  const LinkedProblem::Link& link = problem_.links[end.link];
  return problem_.views[end.isRows ? link.rows : link.columns];
}

size_t Messages::otherVariable(const End& end) const {
  return viewOf({end.link, !end.isRows}).variable;
}

std::vector<Cost> Messages::sumOf(size_t variable) const {
  std::vector<Cost> sum = problem_.own[variable];
  for (const std::vector<End>* ends : {&earlier_[variable], &later_[variable]})
    for (const End& end : *ends) {
      const Heard& heard = heard_[end.link];
      const std::vector<Cost>& message =
          end.isRows ? heard.byRows : heard.byColumns;
      const std::vector<State>& faceOf = viewOf(end).faceOf;
      for (size_t state = 0; state < sum.size(); ++state)
        sum[state] += message[faceOf[state]];
    }
  return sum;
}

Cost Messages::tell(const End& from, const std::vector<Cost>& sum,
                    double share) {
  const LinkedProblem::Link& link = problem_.links[from.link];
  const FacedVariable& view = viewOf(from);
  const FaceCosts& costs = problem_.costs[link.costs];
  Heard& heard = heard_[from.link];
  const std::vector<Cost>& own = from.isRows ? heard.byRows : heard.byColumns;
  std::vector<Cost>& other = from.isRows ? heard.byColumns : heard.byRows;
  // Per face of this end, in units of the link's costs.
  std::vector<Cost> least(view.numFaces, kInfiniteCost);
  for (size_t state = 0; state < sum.size(); ++state)
    least[view.faceOf[state]] = std::min(least[view.faceOf[state]], sum[state]);
  for (size_t face = 0; face < least.size(); ++face)
    least[face] = (share * least[face] - own[face]) / link.times;
  std::fill(other.begin(), other.end(), kInfiniteCost);
  (from.isRows ? lowerByRows : lowerByColumns)(other.data(), least.data(),
                                               costs.costs.data(), costs.rows,
                                               costs.columns);
  Cost lowest = *std::min_element(other.begin(), other.end()) * link.times;
  for (Cost& cost : other) cost = cost * link.times - lowest;
  return lowest;
}

Cost Messages::process(size_t variable, Direction direction) {
  std::vector<Cost> sum = sumOf(variable);
  Cost gain = *std::min_element(sum.begin(), sum.end());
  for (Cost& cost : sum) cost -= gain;
  // The chains begin and end as a sweep finds them only after the first one.
  if (direction == Direction::Back && sweeps_ > 0)
    for (size_t state = 0; state < sum.size(); ++state)
      with_[variable][state] =
          std::max(with_[variable][state], bound_ + sum[state]);
  size_t numChains =
      std::max(earlier_[variable].size(), later_[variable].size());
  double share = 1.0 / static_cast<double>(std::max<size_t>(numChains, 1));
  for (const End& end :
       (direction == Direction::Back ? earlier_ : later_)[variable])
    gain += tell(end, sum, share);
  return gain;
}

void Messages::sweep() {
  size_t numVariables = problem_.own.size();
  for (size_t variable = 0; variable < numVariables; ++variable)
    process(variable, Direction::Forward);
  Cost bound = 0;
  for (size_t variable = numVariables; variable-- > 0;)
    bound += process(variable, Direction::Back);
  bound_ = std::max(bound_, bound);
  ++sweeps_;
}

}  // namespace sbp::search
