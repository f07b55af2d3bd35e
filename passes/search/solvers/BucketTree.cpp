#include "passes/search/solvers/BucketTree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "passes/search/solvers/EliminationOrder.h"

namespace sbp::search {

namespace {

/// Number of choices of a scope after which the run is asked whether to go on:
/// a few milliseconds.
constexpr size_t kChoicesAtATime = 4096;

/// Bytes per entry of a table that elimination makes: cost, best state, and the
/// `outside` of a pass down.
constexpr double kBytesPerEntry = 2 * sizeof(Cost) + sizeof(State);

/// Returns the first state with the least cost. Compares four costs at a time,
/// which compilers vectorise: nearly all the time of an elimination is spent
/// here.
State leastOf(const std::vector<Cost>& costs) {
  constexpr size_t kLanes = 4;
  std::array<Cost, kLanes> least;
  least.fill(kInfiniteCost);
  size_t state = 0;
  for (; state + kLanes <= costs.size(); state += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane)
      least[lane] =
          costs[state + lane] < least[lane] ? costs[state + lane] : least[lane];
  Cost all = *std::min_element(least.begin(), least.end());
  for (; state < costs.size(); ++state) all = std::min(all, costs[state]);
  return static_cast<State>(std::find(costs.begin(), costs.end(), all) -
                            costs.begin());
}

bool isZero(const Table& table) {
  return std::all_of(table.costs.begin(), table.costs.end(),
                     [](Cost cost) { return cost == 0; });
}

/// Lowers each of `least` to the sum of `costs` and `more`, where this is less.
void lower(Cost* least, const std::vector<Cost>& costs, Cost more) {
  for (size_t state = 0; state < costs.size(); ++state) {
    Cost cost = costs[state] + more;
    least[state] = cost < least[state] ? cost : least[state];
  }
}

}  // namespace

// ---- Iteration over a bucket

BucketIterator::BucketIterator(const BucketTree& tree, const Bucket& bucket)
    : problem_(tree.problem()),
      scope_(bucket.scope),
      numStates_(problem_.numStates(bucket.variable)),
      choice_(bucket.scope.size(), 0),
      sums_(numStates_) {
  for (size_t index : bucket.tables) {
    const Table& table = tree.tables()[index];
    TablePosition& at = tables_.emplace_back();
    at.strides.assign(scope_.size(), 0);
    /// whether the loop is past the variable, from the last dimension
    bool isInside = false;
    size_t stride = numStates_;
    for (size_t i = table.variables.size(); i-- > 0;) {
      int64_t v = table.variables[i];
      if (v == bucket.variable) {
        isInside = true;
        continue;
      }
      size_t size = problem_.numStates(v);
      (isInside ? at.outer : at.inner) *= size;
      at.strides[std::lower_bound(scope_.begin(), scope_.end(), v) -
                 scope_.begin()] = stride;
      stride *= size;
    }
    at.costs.resize(table.costs.size());
    for (size_t o = 0; o < at.outer; ++o)
      for (size_t state = 0; state < numStates_; ++state)
        for (size_t i = 0; i < at.inner; ++i)
          at.costs[(o * at.inner + i) * numStates_ + state] =
              table.costs[(o * numStates_ + state) * at.inner + i];
  }
}

const std::vector<Cost>& BucketIterator::sums() {
  if (tables_.empty()) return sums_;
  const Cost* first = tables_.front().costs.data() + tables_.front().position;
  std::copy(first, first + numStates_, sums_.begin());
  for (size_t i = 1; i < tables_.size(); ++i) {
    const Cost* costs = tables_[i].costs.data() + tables_[i].position;
    for (size_t state = 0; state < numStates_; ++state)
      sums_[state] += costs[state];
  }
  return sums_;
}

bool BucketIterator::advance() {
  ++number_;
  for (size_t i = scope_.size(); i-- > 0;) {
    if (++choice_[i] < problem_.numStates(scope_[i])) {
      for (TablePosition& at : tables_) at.position += at.strides[i];
      return true;
    }
    for (TablePosition& at : tables_)
      at.position -= at.strides[i] * (choice_[i] - 1);
    choice_[i] = 0;
  }
  return false;
}

std::vector<Cost> BucketIterator::inTableOrder(
    size_t index, const std::vector<Cost>& copy) const {
  const TablePosition& at = tables_[index];
  std::vector<Cost> costs(copy.size());
  for (size_t o = 0; o < at.outer; ++o)
    for (size_t state = 0; state < numStates_; ++state)
      for (size_t i = 0; i < at.inner; ++i)
        costs[(o * numStates_ + state) * at.inner + i] =
            copy[(o * at.inner + i) * numStates_ + state];
  return costs;
}

// ---- The tree

BucketTree::BucketTree(const Problem& problem, SearchRun run, Keep kept)
    : problem_(&problem),
      run_(std::move(run)),
      tablesOf_(problem.numVariables()) {
  for (const Table& given : problem.tables()) {
    // A table of zeros has no influence.
    if (kept == Keep::Answers && isZero(given)) continue;
    Table table = given;
    // A variable with one state leaves no choice.
    table.variables.erase(
        std::remove_if(table.variables.begin(), table.variables.end(),
                       [&](int64_t v) { return problem.numStates(v) == 1; }),
        table.variables.end());
    keep(std::move(table));
  }
}

void BucketTree::keep(Table table) {
  if (table.variables.empty()) constant_ += table.costs.front();
  for (int64_t variable : table.variables)
    tablesOf_[variable].push_back(tables_.size());
  tables_.push_back(std::move(table));
}

std::optional<BucketTree> BucketTree::eliminate(const Problem& problem,
                                                EliminationLimits limits,
                                                Keep keep) {
  BucketTree tree(problem, limits.run, keep);
  Neighbours neighbours(problem.numVariables());
  for (const Table& table : tree.tables_)
    for (int64_t variable : table.variables)
      for (int64_t other : table.variables)
        if (other != variable) neighbours[variable].insert(other);
  EliminationOrder order = findEliminationOrder(problem, neighbours);
  if (order.largestTable > limits.tableEntries || order.work > limits.work ||
      !limits.run.allows(order.tableEntries * kBytesPerEntry))
    return std::nullopt;

  std::vector<bool> isTaken;
  for (int64_t variable : order.variables) {
    Bucket& bucket = tree.buckets_.emplace_back();
    bucket.variable = variable;
    isTaken.resize(tree.tables_.size(), false);
    for (size_t index : tree.tablesOf_[variable]) {
      if (isTaken[index]) continue;
      isTaken[index] = true;
      bucket.tables.push_back(index);
      for (int64_t other : tree.tables_[index].variables)
        if (other != variable) bucket.scope.push_back(other);
    }
    std::sort(bucket.scope.begin(), bucket.scope.end());
    bucket.scope.erase(std::unique(bucket.scope.begin(), bucket.scope.end()),
                       bucket.scope.end());
    if (!tree.passUp(bucket, keep)) return std::nullopt;
  }
  return tree;
}

bool BucketTree::passUp(Bucket& bucket, Keep keep) {
  if (run_.isOver()) return false;
  BucketIterator at(*this, bucket);
  if (keep == Keep::Answers)
    for (size_t index : bucket.tables) tables_[index] = {};
  Table message{bucket.scope, {}};
  size_t entries = 1;
  for (int64_t v : bucket.scope) entries *= problem_->numStates(v);
  message.costs.reserve(entries);
  bucket.best.reserve(entries);
  do {
    const std::vector<Cost>& sums = at.sums();
    State best = leastOf(sums);
    message.costs.push_back(sums[best]);
    bucket.best.push_back(best);
    if (at.number() % kChoicesAtATime == 0 && run_.isOver()) return false;
  } while (at.advance());
  bucket.message = tables_.size();
  this->keep(std::move(message));
  return true;
}

Assignment BucketTree::cheapest() const {
  Assignment assignment(problem_->numVariables(), 0);
  for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
    int64_t index = 0;
    for (int64_t v : bucket->scope)
      index = index * problem_->numStates(v) + assignment[v];
    assignment[bucket->variable] = bucket->best[index];
  }
  return assignment;
}

std::optional<std::vector<std::vector<Cost>>> BucketTree::passDown() {
  std::vector<std::vector<Cost>> least;
  for (int64_t v = 0; v < problem_->numVariables(); ++v)
    least.emplace_back(problem_->numStates(v), kInfiniteCost);
  // An entry that is forbidden inside stays forbidden, whatever is outside.
  auto without = [](Cost all, Cost inside) {
    return inside == kInfiniteCost ? kInfiniteCost : all - inside;
  };
  for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
    if (bucket->scope.empty())
      bucket->outside = {
          without(constant_, tables_[bucket->message].costs.front())};
    BucketIterator at(*this, *bucket);
    // Per incoming message and entry of it, the least cost of all assignments
    // that agree with this entry.
    std::vector<std::vector<Cost>> agreeing(bucket->tables.size());
    for (size_t i = 0; i < bucket->tables.size(); ++i)
      if (senderOf(bucket->tables[i]))
        agreeing[i].assign(tables_[bucket->tables[i]].costs.size(),
                           kInfiniteCost);
    std::vector<Cost>& leastOf = least[bucket->variable];
    do {
      if (at.number() % kChoicesAtATime == 0 && run_.isOver())
        return std::nullopt;
      const std::vector<Cost>& sums = at.sums();
      Cost outside = bucket->outside[at.number()];
      lower(leastOf.data(), sums, outside);
      for (size_t i = 0; i < agreeing.size(); ++i) {
        if (agreeing[i].empty()) continue;
        lower(agreeing[i].data() + at.positionIn(i), sums, outside);
      }
    } while (at.advance());
    for (size_t i = 0; i < agreeing.size(); ++i) {
      if (agreeing[i].empty()) continue;
      size_t index = bucket->tables[i];
      Bucket& sender = buckets_[*senderOf(index)];
      sender.outside = at.inTableOrder(i, agreeing[i]);
      for (size_t entry = 0; entry < sender.outside.size(); ++entry)
        sender.outside[entry] =
            without(sender.outside[entry], tables_[index].costs[entry]);
    }
  }
  return least;
}

}  // namespace sbp::search
