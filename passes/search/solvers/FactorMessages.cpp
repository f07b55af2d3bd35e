#include "passes/search/solvers/FactorMessages.h"

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
  for (size_t projection = 0; projection < sum.size(); ++projection)
    sum[projection] += more[projection];
  return sum;
}

void lowerTo(std::vector<Cost>& least, const std::vector<Cost>& other) {
  for (size_t projection = 0; projection < least.size(); ++projection)
    least[projection] = std::min(least[projection], other[projection]);
}

}  // namespace

FactorMessages::FactorMessages(const FactorGraph& problem,
                               const FactorGraph::Factor& factor)
    : problem_(problem), factor_(factor), changedAt_(factor.views.size(), 0) {
  for (size_t end = 0; end < factor.views.size(); ++end)
    messages_.emplace_back(numProjections(end), 0);
}

void FactorMessages::setMessage(size_t end, const std::vector<Cost>& costs) {
  for (size_t projection = 0; projection < costs.size(); ++projection)
    messages_[end][projection] = costs[projection] / factor_.times;
  changedAt_[end] = ++now_;
}

std::vector<Cost> FactorMessages::messageOf(size_t end) const {
  std::vector<Cost> message = messages_[end];
  for (Cost& cost : message) cost *= factor_.times;
  return message;
}

std::vector<Cost> FactorMessages::minMarginal(size_t end) {
  Ends all = only(factor_.views.size()) - 1;
  std::vector<Cost> least(numProjections(end), kInfiniteCost);
  lower(least, std::vector<Cost>(numProjections(end), 0), end,
        all & ~only(end));
  for (Cost& cost : least) cost *= factor_.times;
  return least;
}

const std::vector<Cost>& FactorMessages::across(size_t from, size_t to,
                                                Ends ends) {
  Part& part = parts_[{from, to, ends}];
  bool isKept = !part.costs.empty();
  for (size_t end = 0; end < changedAt_.size() && isKept; ++end)
    isKept = !has(ends, end) || changedAt_[end] <= part.madeAt;
  if (isKept) return part.costs;
  std::vector<Cost> least(numProjections(from), kInfiniteCost);
  lower(least, messages_[from], from, ends & ~only(from));
  part.costs.assign(numProjections(to), kInfiniteCost);
  part.madeAt = now_;
  const ProjectionCosts& costs =
      problem_.costs[factor_.costsOf(std::min(from, to), std::max(from, to))];
  (from < to ? lowerByRows : lowerByColumns)(part.costs.data(), least.data(),
                                             costs.costs.data(), costs.rows,
                                             costs.columns);
  return part.costs;
}

void FactorMessages::lower(std::vector<Cost>& least,
                           const std::vector<Cost>& sum, size_t end,
                           Ends ends) {
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

void FactorMessages::lowerByUsers(std::vector<Cost>& least,
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
