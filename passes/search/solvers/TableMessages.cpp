#include "passes/search/solvers/TableMessages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace sbp::search {
namespace {

/// Returns a cost that is higher than that of every allowed assignment.
Cost dearerThanAny(const Problem& problem) {
  Cost sum = 0;
  for (const Table& table : problem.tables()) {
    Cost most = 0;
    for (Cost cost : table.costs)
      if (std::isfinite(cost)) most = std::max(most, cost);
    sum += most;
  }
  return 1 + 2 * sum;
}

/// Returns whether no entry has an influence.
bool isZero(const Table& table) {
  return std::all_of(table.costs.begin(), table.costs.end(),
                     [](Cost cost) { return cost == 0; });
}

/// Returns, per state of the middle dimension, the least of `costs`, a table of
/// `outer` x `size` x `inner` entries.
std::vector<Cost> leastOf(const std::vector<Cost>& costs, size_t outer,
                          size_t size, size_t inner) {
  std::vector<Cost> least(size, kInfiniteCost);
  const Cost* entry = costs.data();
  for (size_t o = 0; o < outer; ++o) {
    if (inner == 1) {
      for (size_t state = 0; state < size; ++state, ++entry)
        least[state] = *entry < least[state] ? *entry : least[state];
      continue;
    }
    for (size_t state = 0; state < size; ++state, entry += inner)
      least[state] =
          std::min(least[state], *std::min_element(entry, entry + inner));
  }
  return least;
}

/// Adds `more`, per state of the middle dimension, to the costs.
void add(std::vector<Cost>& costs, const std::vector<Cost>& more, size_t outer,
         size_t inner) {
  Cost* entry = costs.data();
  for (size_t o = 0; o < outer; ++o)
    for (Cost cost : more)
      for (size_t i = 0; i < inner; ++i) *entry++ += cost;
}

/// Returns the elements of `all` at `places`.
template <typename T>
std::vector<T> only(const std::vector<T>& all,
                    const std::vector<size_t>& places) {
  std::vector<T> some;
  some.reserve(places.size());
  for (size_t place : places) some.push_back(all[place]);
  return some;
}

}  // namespace

TableMessages::TableMessages(const Problem& problem,
                             const std::vector<int64_t>& order)
    : order_(order), ends_(problem.numVariables()) {
  std::vector<int64_t> placeOf(problem.numVariables());
  for (size_t place = 0; place < order.size(); ++place)
    placeOf[order[place]] = static_cast<int64_t>(place);
  for (int64_t v = 0; v < problem.numVariables(); ++v) {
    own_.emplace_back(problem.numStates(v), 0);
    with_.emplace_back(problem.numStates(v), 0);
    std::iota(states_.emplace_back(problem.numStates(v)).begin(),
              states_.back().end(), 0);
  }
  const Cost forbidden = dearerThanAny(problem);
  std::map<std::vector<int64_t>, size_t> factorOf;  // by variables
  for (const Table& table : problem.tables()) {
    if (isZero(table)) continue;
    std::vector<Cost> costs = table.costs;
    for (Cost& cost : costs)
      if (!std::isfinite(cost)) cost = forbidden;
    if (table.variables.empty()) {
      bound_ += costs.front();
      continue;
    }
    if (table.variables.size() == 1) {
      std::vector<Cost>& own = own_[table.variables.front()];
      for (size_t state = 0; state < own.size(); ++state)
        own[state] += costs[state];
      continue;
    }
    const auto [known, isNew] =
        factorOf.try_emplace(table.variables, factors_.size());
    if (!isNew) {
      std::vector<Cost>& all = factors_[known->second].costs;
      for (size_t entry = 0; entry < all.size(); ++entry)
        all[entry] += costs[entry];
      continue;
    }
    int64_t first = placeOf[table.variables.front()], last = first;
    for (int64_t v : table.variables) {
      first = std::min(first, placeOf[v]);
      last = std::max(last, placeOf[v]);
    }
    for (size_t place = 0; place < table.variables.size(); ++place) {
      const int64_t v = table.variables[place];
      ends_[v].push_back({factors_.size(), place,
                          /*hasEarlier=*/placeOf[v] > first,
                          /*hasLater=*/placeOf[v] < last});
    }
    factors_.push_back({table.variables, std::move(costs)});
  }
}

TableMessages::Around TableMessages::around(const End& end) const {
  const std::vector<int64_t>& variables = factors_[end.factor].variables;
  Around result;
  for (size_t i = 0; i < end.place; ++i)
    result.outer *= states_[variables[i]].size();
  result.size = states_[variables[end.place]].size();
  for (size_t i = end.place + 1; i < variables.size(); ++i)
    result.inner *= states_[variables[i]].size();
  return result;
}

void TableMessages::process(int64_t variable, Give give) {
  std::vector<Cost>& sum = own_[variable];
  std::vector<std::vector<Cost>> taken;
  size_t numEarlier = 0, numLater = 0;
  for (const End& end : ends_[variable]) {
    const Around sizes = around(end);
    taken.push_back(leastOf(factors_[end.factor].costs, sizes.outer, sizes.size,
                            sizes.inner));
    for (size_t state = 0; state < sum.size(); ++state)
      sum[state] += taken.back()[state];
    numEarlier += end.hasEarlier;
    numLater += end.hasLater;
  }
  const Cost least = *std::min_element(sum.begin(), sum.end());
  bound_ += least;
  for (size_t state = 0; state < sum.size(); ++state) {
    sum[state] -= least;
    with_[variable][state] =
        std::max(with_[variable][state], bound_ + sum[state]);
  }
  const size_t numWays = std::max<size_t>({numEarlier, numLater, 1});
  size_t numGiven = 0;
  for (size_t i = 0; i < taken.size(); ++i) {
    const End& end = ends_[variable][i];
    const bool isGiven = give == Give::ToLater ? end.hasLater : end.hasEarlier;
    numGiven += isGiven;
    for (size_t state = 0; state < sum.size(); ++state)
      taken[i][state] =
          (isGiven ? sum[state] / static_cast<double>(numWays) : 0) -
          taken[i][state];
    const Around sizes = around(end);
    add(factors_[end.factor].costs, taken[i], sizes.outer, sizes.inner);
  }
  const double left =
      1 - static_cast<double>(numGiven) / static_cast<double>(numWays);
  for (Cost& cost : sum) cost *= left;
}

void TableMessages::sweep() {
  for (int64_t variable : order_) process(variable, Give::ToLater);
  for (size_t i = order_.size(); i-- > 0;) process(order_[i], Give::ToEarlier);
}

void TableMessages::leaveOutAbove(Cost threshold) {
  std::vector<std::vector<size_t>> left(states_.size());  // places
  for (size_t v = 0; v < states_.size(); ++v)
    for (size_t place = 0; place < states_[v].size(); ++place)
      if (with_[v][place] <= threshold) left[v].push_back(place);
  for (Factor& factor : factors_) {
    std::vector<size_t> entries = {0};
    for (int64_t v : factor.variables) {
      std::vector<size_t> more;
      more.reserve(entries.size() * left[v].size());
      for (size_t entry : entries)
        for (size_t place : left[v])
          more.push_back(entry * states_[v].size() + place);
      entries = std::move(more);
    }
    factor.costs = only(factor.costs, entries);
  }
  for (size_t v = 0; v < states_.size(); ++v) {
    states_[v] = only(states_[v], left[v]);
    own_[v] = only(own_[v], left[v]);
    with_[v] = only(with_[v], left[v]);
  }
}

size_t TableMessages::numEntries() const {
  size_t number = 0;
  for (const Factor& factor : factors_) number += factor.costs.size();
  return number;
}

Assignment TableMessages::guess() const {
  std::vector<int64_t> chosen(own_.size(), -1);  // places of states
  for (int64_t variable : order_) {
    std::vector<Cost> sum = own_[variable];
    for (const End& end : ends_[variable]) {
      const Factor& factor = factors_[end.factor];
      // Entries that agree with the variables before.
      std::vector<size_t> entries = {0}, places = {0};
      for (size_t i = 0; i < factor.variables.size(); ++i) {
        const int64_t v = factor.variables[i];
        const size_t size = states_[v].size();
        std::vector<size_t> more, morePlaces;
        for (size_t e = 0; e < entries.size(); ++e)
          for (size_t place = 0; place < size; ++place) {
            if (chosen[v] >= 0 && static_cast<size_t>(chosen[v]) != place)
              continue;
            more.push_back(entries[e] * size + place);
            morePlaces.push_back(i == end.place ? place : places[e]);
          }
        entries = std::move(more);
        places = std::move(morePlaces);
      }
      std::vector<Cost> least(sum.size(), kInfiniteCost);
      for (size_t e = 0; e < entries.size(); ++e)
        least[places[e]] = std::min(least[places[e]], factor.costs[entries[e]]);
      for (size_t place = 0; place < sum.size(); ++place)
        sum[place] += least[place];
    }
    chosen[variable] = std::min_element(sum.begin(), sum.end()) - sum.begin();
  }
  Assignment assignment;
  for (size_t v = 0; v < chosen.size(); ++v)
    assignment.push_back(states_[v][chosen[v]]);
  return assignment;
}

}  // namespace sbp::search
