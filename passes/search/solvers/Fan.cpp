#include "passes/search/solvers/Fan.h"

#include <algorithm>
#include <utility>

namespace sbp::search {
namespace {

/// Lowers to[column] to the least of from[row] + costs[row][column] over all
/// rows.
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

/// Lowers to[row] to the least of from[column] + costs[row][column] over all
/// columns.
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

std::vector<Cost> sumOf(std::vector<Cost> sum, const std::vector<Cost>& more) {
  for (size_t face = 0; face < sum.size(); ++face) sum[face] += more[face];
  return sum;
}

void lowerTo(std::vector<Cost>& least, const std::vector<Cost>& other) {
  for (size_t face = 0; face < least.size(); ++face)
    least[face] = std::min(least[face], other[face]);
}

}  // namespace

FanMessages::FanMessages(const LinkedProblem& problem,
                         const LinkedProblem::Fan& fan)
    : problem_(problem), fan_(fan), toldAt_(fan.views.size(), 0) {
  for (size_t end = 0; end < fan.views.size(); ++end)
    told_.emplace_back(numFaces(end), 0);
}

void FanMessages::tell(size_t end, const std::vector<Cost>& costs) {
  for (size_t face = 0; face < costs.size(); ++face)
    told_[end][face] = costs[face] / fan_.times;
  toldAt_[end] = ++now_;
}

std::vector<Cost> FanMessages::toldBy(size_t end) const {
  std::vector<Cost> told = told_[end];
  for (Cost& cost : told) cost *= fan_.times;
  return told;
}

std::vector<Cost> FanMessages::hear(size_t end) {
  Ends all = only(fan_.views.size()) - 1;
  std::vector<Cost> least(numFaces(end), kInfiniteCost);
  lower(least, std::vector<Cost>(numFaces(end), 0), end, all & ~only(end));
  for (Cost& cost : least) cost *= fan_.times;
  return least;
}

const std::vector<Cost>& FanMessages::across(size_t from, size_t to,
                                             Ends ends) {
  Part& part = parts_[{from, to, ends}];
  bool isKept = !part.costs.empty();
  for (size_t end = 0; end < toldAt_.size() && isKept; ++end)
    isKept = !has(ends, end) || toldAt_[end] <= part.madeAt;
  if (isKept) return part.costs;
  std::vector<Cost> least(numFaces(from), kInfiniteCost);
  lower(least, told_[from], from, ends & ~only(from));
  part.costs.assign(numFaces(to), kInfiniteCost);
  part.madeAt = now_;
  const FaceCosts& costs =
      problem_.costs[fan_.costsOf(std::min(from, to), std::max(from, to))];
  (from < to ? lowerByRows : lowerByColumns)(part.costs.data(), least.data(),
                                             costs.costs.data(), costs.rows,
                                             costs.columns);
  return part.costs;
}

void FanMessages::lower(std::vector<Cost>& least, const std::vector<Cost>& sum,
                        size_t end, Ends ends) {
  if (!has(ends, 0)) return lowerByUsers(least, sum, end, ends);
  // Ends after `end` may be served by it; all other ends are in the tree of the
  // end that serves `end`.
  Ends after = ends & ~(only(end + 1) - 1);
  for (Ends users = after;; users = (users - 1) & after) {
    Ends beyond = ends & ~users;
    for (size_t server = 0; server < end; ++server)
      if (has(beyond, server))
        lowerByUsers(least, sumOf(sum, across(server, end, beyond)), end,
                     users);
    if (users == 0) return;
  }
}

void FanMessages::lowerByUsers(std::vector<Cost>& least,
                               const std::vector<Cost>& sum, size_t end,
                               Ends users) {
  if (users == 0) return lowerTo(least, sum);
  // No other of these users can serve the first one.
  size_t first = 0;
  while (!has(users, first)) ++first;
  Ends others = users & ~only(first);
  for (Ends beyond = others;; beyond = (beyond - 1) & others) {
    lowerByUsers(least, sumOf(sum, across(first, end, only(first) | beyond)),
                 end, others & ~beyond);
    if (beyond == 0) return;
  }
}

}  // namespace sbp::search
