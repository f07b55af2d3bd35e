#include "passes/search/chain/Rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbp::search {
namespace {

/// At most one in this many layouts are few.
constexpr int64_t kPartOfFew = 8;

/// Lowers values to those of a row whose start has value `cost`.
[[gnu::target_clones("avx512f", "avx2", "default")]] void lowerBy(
    Ticks cost, const Values& row, Values& values) {
  const Ticks* __restrict entries = row.data();
  Ticks* __restrict lowered = values.data();
  for (size_t i = 0, n = values.size(); i < n; ++i) {
    Ticks reached = cost + entries[i];
    lowered[i] = reached < lowered[i] ? reached : lowered[i];
  }
}

/// Returns the least sum of an entry of the row and the value to which it
/// leads.
[[gnu::target_clones("avx512f", "avx2", "default")]] Ticks leastSum(
    const Values& row, const Values& values) {
  // Several lanes: the minimum of integers does not depend on the order.
  constexpr size_t kLanes = 16;
  Ticks least[kLanes];
  for (Ticks& ticks : least) ticks = kNever;
  const Ticks* a = row.data();
  const Ticks* b = values.data();
  size_t i = 0, size = row.size();
  for (; i + kLanes <= size; i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) {
      Ticks sum = a[i + lane] + b[i + lane];
      least[lane] = sum < least[lane] ? sum : least[lane];
    }
  for (; i < size; ++i) least[0] = std::min(least[0], a[i] + b[i]);
  return *std::min_element(least, least + kLanes);
}

/// Returns values that are carried over a branch, raised to the values with
/// skips that are counted by distances to or from anchors.
template <typename Carry>
Values withSkips(const Values& values, const Rows::Distances& distances,
                 const Carry& carry) {
  Values carried = carry(values);
  for (const auto& skipped : distances) {
    Values counted = values;
    for (size_t x = 0; x < counted.size(); ++x) counted[x] -= (*skipped)[x];
    counted = carry(std::move(counted));
    for (size_t y = 0; y < counted.size(); ++y)
      carried[y] = std::max(carried[y], counted[y] + (*skipped)[y]);
  }
  return carried;
}

/// Returns the values of `layouts`; those of others are never.
Values onlyOf(const std::vector<Layout>& layouts, const Values& values) {
  Values only(values.size(), kNever);
  for (Layout layout : layouts) only[layout] = values[layout];
  return only;
}

}  // namespace

Ticks Row::operator[](Layout layout) const {
  if (isWhole) return ticks[layout];
  auto found = std::lower_bound(to.begin(), to.end(), layout);
  return found != to.end() && *found == layout ? ticks[found - to.begin()]
                                               : kNever;
}

int64_t Rows::numEntries() const {
  int64_t number = 0;
  for (size_t block = 0; block < rows_.size(); ++block)
    number += numEntries(static_cast<int64_t>(block));
  return number;
}

int64_t Rows::numEntries(int64_t block) const {
  int64_t number = 0;
  for (const auto& [unused, row] : rows_[block])
    number += static_cast<int64_t>(row.ticks.size());
  return number;
}

void Row::raise(Layout layout, Ticks raised) {
  auto found =
      isWhole ? to.end() : std::lower_bound(to.begin(), to.end(), layout);
  if (!isWhole && (found == to.end() || *found != layout)) return;
  Ticks& entry = ticks[isWhole ? layout : found - to.begin()];
  entry = std::max(entry, raised);
}

void Rows::setPart(int64_t block, Layout from, Row part) {
  Row& row = rows_[block][from];
  Row known = std::exchange(row, std::move(part));
  std::vector<Layout> to;
  Values ticks;
  size_t i = 0, j = 0;
  while (i < row.to.size() || j < known.to.size()) {
    bool isNew =
        j == known.to.size() || (i < row.to.size() && row.to[i] <= known.to[j]);
    bool isKnown =
        i == row.to.size() || (j < known.to.size() && known.to[j] <= row.to[i]);
    to.push_back(isNew ? row.to[i] : known.to[j]);
    // If a lifted cost has raised one of both, this is the cost.
    ticks.push_back(
        std::max(isNew ? row.ticks[i] : 0, isKnown ? known.ticks[j] : 0));
    i += isNew;
    j += isKnown;
  }
  row.to = std::move(to);
  row.ticks = std::move(ticks);
}

std::shared_ptr<const Values> Rows::share(int64_t block, Values behind) {
  auto& shared = shared_[block];
  shared.push_back(std::make_shared<const Values>(std::move(behind)));
  if (shared.size() > kMostShared) {
    for (auto& [unused, row] : rows_[block])
      if (row.behind == shared.front()) row.behind = nullptr;
    shared.pop_front();
  }
  return shared.back();
}

/// Bounds of the entries that rows of a block leave out.
class Rows::LeftOut {
 public:
  /// Adds a row whose start has value `value`.
  void add(const Row& row, Ticks value) {
    auto [least, unused] = least_.try_emplace(row.behind.get(), kNever);
    least->second = std::min(least->second, value + row.others);
  }
  /// Raises `bounds` to those of the missing entries.
  void raise(Values& bounds) const {
    Values least(bounds.size(), kNever);
    for (const auto& [behind, paid] : least_)
      for (size_t y = 0; y < least.size(); ++y)
        least[y] = std::min(least[y], paid - (*behind)[y]);
    for (size_t y = 0; y < least.size(); ++y)
      bounds[y] = std::max(bounds[y], least[y]);
  }

 private:
  std::map<const Values*, Ticks> least_;
};

Values Rows::countedRow(int64_t block, Layout from) const {
  const BlockOperator& blockOperator = priced_->block(block);
  Values values(priced_->space().numLayouts(), kNever);
  values[from] = 0;
  values = blockOperator.advance(std::move(values));
  if (blockOperator.block().hasSkip) {
    Values skip = priced_->skipFrom(from);
    for (size_t i = 0; i < values.size(); ++i) values[i] += skip[i];
  }
  const Values& addition = priced_->addition();
  for (size_t i = 0; i < values.size(); ++i) values[i] += addition[i];
  return values;
}

Values Rows::countedColumn(int64_t block, Layout to) const {
  const BlockOperator& blockOperator = priced_->block(block);
  Values values(priced_->space().numLayouts(), kNever);
  values[to] = priced_->addition()[to];
  values = blockOperator.retreat(std::move(values));
  if (blockOperator.block().hasSkip) {
    Values skip = priced_->skipTo(to);
    for (size_t i = 0; i < values.size(); ++i) values[i] += skip[i];
  }
  return values;
}

void Rows::addAnchorFrom(int64_t block, Layout from) {
  if (priced_->block(block).block().hasSkip)
    fromAnchors_[block].push_back(
        std::make_shared<Values>(priced_->skipFrom(from)));
}

void Rows::addAnchorTo(int64_t block, Layout to) {
  if (priced_->block(block).block().hasSkip)
    toAnchors_[block].push_back(std::make_shared<Values>(priced_->skipTo(to)));
}

void Rows::forgetAnchors(int64_t block) {
  fromAnchors_[block].clear();
  toAnchors_[block].clear();
}

Values Rows::boundAhead(int64_t block, const Values& values,
                        const StepWithin* within) const {
  const ListedBlock* branch = within ? within->branch() : nullptr;
  auto advance = [&](Values from) {
    return branch ? branch->advance(from)
                  : priced_->block(block).advance(std::move(from));
  };
  bool countsSkips = branch || !within;
  Values bound = withSkips(
      values, countsSkips ? fromAnchors_[block] : Distances(), advance);
  const Values& addition = priced_->addition();
  for (size_t y = 0; y < bound.size(); ++y) bound[y] += addition[y];
  return bound;
}

Values Rows::boundBack(int64_t block, Values values,
                       const StepWithin* within) const {
  const ListedBlock* branch = within ? within->branch() : nullptr;
  auto retreat = [&](Values from) {
    return branch ? branch->retreat(from)
                  : priced_->block(block).retreat(std::move(from));
  };
  const Values& addition = priced_->addition();
  for (size_t y = 0; y < values.size(); ++y) values[y] += addition[y];
  bool countsSkips = branch || !within;
  Values bound =
      withSkips(values, countsSkips ? toAnchors_[block] : Distances(), retreat);
  // No plan has such a residual tensor.
  for (size_t x = 0; x < bound.size(); ++x)
    if (addition[x] == kNever) bound[x] = kNever;
  return bound;
}

bool Rows::areFew(size_t layouts) const {
  return static_cast<int64_t>(layouts) * kPartOfFew <=
         priced_->space().numLayouts();
}

Values Rows::advance(int64_t block, const Values& values, Ticks threshold,
                     const StepWithin* within) const {
  if (!within) return advanceToAll(block, values, threshold, nullptr);
  if (areFew(within->to.size()))
    return advanceTo(block, values, threshold, *within);
  return onlyOf(within->to, advanceToAll(block, values, threshold, within));
}

Values Rows::advanceToAll(int64_t block, const Values& values, Ticks threshold,
                          const StepWithin* within) const {
  Values bounded = boundOthers(block, values, threshold, within)
                       .value_or(Values(values.size(), kNever));
  for (const auto& [from, row] : rows_[block]) {
    if (values[from] == kNever) continue;
    if (row.isWhole)
      lowerBy(values[from], row.ticks, bounded);
    else
      for (size_t i = 0; i < row.to.size(); ++i)
        bounded[row.to[i]] =
            std::min(bounded[row.to[i]], values[from] + row.ticks[i]);
  }
  return bounded;
}

std::optional<Values> Rows::boundOthers(int64_t block, const Values& values,
                                        Ticks threshold,
                                        const StepWithin* within) const {
  Values others = values, inPart(values.size(), kNever);
  LeftOut leftOut;
  bool arePart = false;
  for (const auto& [from, row] : rows_[block]) {
    if (!row.isWhole && !row.behind) continue;
    others[from] = kNever;
    if (values[from] == kNever || row.holdsUpTo(threshold)) continue;
    inPart[from] = values[from];
    leftOut.add(row, values[from]);
    arePart = true;
  }
  bool areOthers = std::any_of(others.begin(), others.end(),
                               [](Ticks value) { return value < kNever; });
  std::optional<Values> bounded;
  if (areOthers) bounded = boundAhead(block, others, within);
  if (!arePart) return bounded;
  inPart = boundAhead(block, inPart, within);
  leftOut.raise(inPart);
  if (!bounded) return inPart;
  for (size_t y = 0; y < inPart.size(); ++y)
    (*bounded)[y] = std::min((*bounded)[y], inPart[y]);
  return bounded;
}

Values Rows::retreat(int64_t block, const Values& values, Ticks threshold,
                     const StepWithin* within) const {
  if (!within) return retreatToAll(block, values, threshold, nullptr);
  if (areFew(within->to.size()))
    return retreatTo(block, values, threshold, *within);
  return onlyOf(within->to, retreatToAll(block, values, threshold, within));
}

Values Rows::retreatToAll(int64_t block, const Values& values, Ticks threshold,
                          const StepWithin* within) const {
  Values bounded = boundBack(block, values, within);
  // Least difference of `values` and `behind`, per group of rows.
  std::map<const Values*, Ticks> besides;
  for (const auto& [from, row] : rows_[block]) {
    if (row.isWhole) {
      bounded[from] = leastSum(row.ticks, values);
      continue;
    }
    Ticks least = kNever;
    for (size_t i = 0; i < row.to.size(); ++i)
      least = std::min(least, values[row.to[i]] + row.ticks[i]);
    if (!row.holdsUpTo(threshold)) {
      Ticks left = bounded[from];
      if (row.behind) {
        auto [known, isNew] = besides.try_emplace(row.behind.get(), kNever);
        for (size_t y = 0; isNew && y < values.size(); ++y)
          if (values[y] < kNever)
            known->second =
                std::min(known->second, values[y] - (*row.behind)[y]);
        left = std::max(left, row.others + known->second);
      }
      least = std::min(least, left);
    }
    bounded[from] = least;
  }
  return bounded;
}

Values Rows::advanceTo(int64_t block, const Values& values, Ticks threshold,
                       const StepWithin& within) const {
  const std::vector<Layout>& to = within.to;
  Values reached(values.size(), kNever);
  if (std::optional<Values> others =
          boundOthers(block, values, threshold, &within))
    for (Layout y : to) reached[y] = (*others)[y];
  for (const auto& [from, row] : rows_[block]) {
    if (values[from] == kNever) continue;
    if (row.isWhole) {
      for (Layout y : to)
        reached[y] = std::min(reached[y], values[from] + row.ticks[y]);
    } else {
      for (size_t i = 0; i < row.to.size(); ++i)
        reached[row.to[i]] =
            std::min(reached[row.to[i]], values[from] + row.ticks[i]);
    }
  }
  return onlyOf(to, reached);
}

Values Rows::retreatTo(int64_t block, const Values& values, Ticks threshold,
                       const StepWithin& within) const {
  const std::vector<Layout>& to = within.to;
  const std::map<Layout, Row>& rows = rows_[block];
  bool areKnown = std::all_of(to.begin(), to.end(), [&](Layout x) {
    auto row = rows.find(x);
    return row != rows.end() && row->second.holdsUpTo(threshold);
  });
  if (!areKnown)
    return onlyOf(to, retreatToAll(block, values, threshold, &within));
  std::vector<Layout> behind;
  for (size_t y = 0; y < values.size(); ++y)
    if (values[y] < kNever) behind.push_back(static_cast<Layout>(y));
  Values reached(values.size(), kNever);
  for (Layout x : to) {
    const Row& row = rows.at(x);
    if (row.isWhole) {
      for (Layout y : behind)
        reached[x] = std::min(reached[x], row.ticks[y] + values[y]);
    } else {
      for (size_t i = 0; i < row.to.size(); ++i)
        reached[x] = std::min(reached[x], row.ticks[i] + values[row.to[i]]);
    }
  }
  return reached;
}

}  // namespace sbp::search
