#include "passes/search/solvers/Labels.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace sbp::search {
namespace {

/// The index of a label's origin. kMostOrigins limits the number of origins.
using OriginNumber = int32_t;
constexpr double kMostOrigins = std::numeric_limits<OriginNumber>::max() / 2;

/// Origin of a label: a state of `variable` added to the label of `left`, or
/// the sum of the labels of `left` and `right`.
struct Origin {
  int32_t variable = -1;
  State state = 0;
  OriginNumber left = -1, right = -1;
};

/// Labels, one row each. Columns: cost, use of each resource, slack by each set
/// of prices.
struct Labels {
  explicit Labels(size_t numColumns = 0) : numColumns(numColumns) {}

  size_t size() const { return origins.size(); }
  const double* operator[](size_t i) const {
    return values.data() + i * numColumns;
  }
  void add(const double* label, OriginNumber origin) {
    values.insert(values.end(), label, label + numColumns);
    origins.push_back(origin);
  }

  size_t numColumns;
  std::vector<double> values;
  std::vector<OriginNumber> origins;
};

/// Labels for every choice of a scope, concatenated: most choices have none.
struct Message {
  void add(const Labels& labels) {
    if (ends.empty()) all.numColumns = labels.numColumns;
    all.values.insert(all.values.end(), labels.values.begin(),
                      labels.values.end());
    all.origins.insert(all.origins.end(), labels.origins.begin(),
                       labels.origins.end());
    ends.push_back(all.size());
  }

  size_t beginOf(size_t choice) const {
    return choice == 0 ? 0 : ends[choice - 1];
  }

  Labels all;
  std::vector<size_t> ends;  // per choice
};

constexpr size_t kCost = 0, kUses = 1;

/// Number of kept labels with which a new label is compared. Comparing it with
/// all would take longer than carrying some labels that are dominated.
constexpr size_t kMostCompared = 100;

/// Number of choices of a scope after which the run is asked whether to go on.
constexpr size_t kChoicesAtATime = 256;

using Slacks = std::vector<double>;  // one per set of prices

/// Iterates over the choices of the same bucket in all priced trees.
class PricedWalk {
 public:
  PricedWalk(const std::vector<PricedTree>& priced, size_t bucket)
      : priced_(priced), bucket_(bucket), sums_(priced.size()) {
    for (const PricedTree& of : priced)
      iterators_.emplace_back(*of.tree, of.tree->buckets()[bucket]);
  }

  const std::vector<State>& choice() const {
    return iterators_.front().choice();
  }

  bool advance() {
    bool isLeft = false;
    for (BucketIterator& at : iterators_) isLeft = at.advance();
    first_ = nullptr;
    return isLeft;
  }

  /// Whether some state of this choice is within the limits of all trees.
  bool mayMatter() const {
    for (size_t i = 0; i < iterators_.size(); ++i)
      if (!(leastOf(i) + outsideOf(i) <= priced_[i].most)) return false;
    return true;
  }

  /// Sets `slacks` to the room of each tree above the cost of the best
  /// assignment with `state` and this choice. Returns false if a tree has no
  /// room.
  bool slacksOf(size_t state, Slacks& slacks) {
    // In the first tree all states are added up at once; few of them remain for
    // the other trees.
    if (!first_) first_ = &iterators_.front().sums();
    sums_[0] = (*first_)[state];
    slacks[0] = slackOf(0);
    if (!(slacks[0] >= 0)) return false;
    for (size_t i = 1; i < iterators_.size(); ++i) {
      sums_[i] = iterators_[i].sumOf(state);
      slacks[i] = slackOf(i);
      if (!(slacks[i] >= 0)) return false;
    }
    return true;
  }

  /// Returns how much the state of the last slacksOf(), which returned true,
  /// costs more than the best state of this choice.
  double above(size_t price) const { return sums_[price] - leastOf(price); }

 private:
  /// Returns the cost of the best state of this choice.
  Cost leastOf(size_t price) const {
    const BucketTree& tree = *priced_[price].tree;
    const Table& least = tree.tables()[tree.buckets()[bucket_].message];
    return least.costs[iterators_[price].number()];
  }

  Cost outsideOf(size_t price) const {
    const Bucket& bucket = priced_[price].tree->buckets()[bucket_];
    return bucket.outside[iterators_[price].number()];
  }

  double slackOf(size_t price) const {
    return priced_[price].most - sums_[price] - outsideOf(price);
  }

  const std::vector<PricedTree>& priced_;
  size_t bucket_;
  std::vector<BucketIterator> iterators_;
  // sums of all states of this choice, or null
  const std::vector<Cost>* first_ = nullptr;
  std::vector<Cost> sums_;
};

class LabelPass {
 public:
  LabelPass(const Problem& problem,
            const std::vector<const Resource*>& resources,
            const std::vector<PricedTree>& priced, double maxLabels,
            const SearchRun& run)
      : problem_(problem),
        resources_(resources),
        priced_(priced),
        run_(run),
        tree_(*priced.front().tree),
        left_(std::min(maxLabels, kMostOrigins)),
        messages_(tree_.buckets().size()),
        current_(problem.numVariables(), 0) {}

  LabelSearch run() {
    LabelSearch search;
    Labels all = one();
    for (size_t i = 0; i < problem_.tables().size(); ++i)
      if (tree_.tables()[i].variables.empty()) all = withTable(all, i);
    Slacks slacks;
    for (const PricedTree& priced : priced_)
      slacks.push_back(priced.most - priced.tree->leastCost());
    for (size_t b = 0; b < tree_.buckets().size(); ++b) {
      const Bucket& bucket = tree_.buckets()[b];
      pass(b, messages_[b]);
      for (size_t index : bucket.tables)
        if (auto sender = tree_.senderOf(index)) messages_[*sender] = Message();
      if (bucket.scope.empty()) {
        all = undominated(joined(all, messages_[b], 0, slacks));
        messages_[b] = Message();
      }
      if (left_ < 0) {
        search.isComplete = false;
        return search;
      }
    }
    // Labels are sorted by cost, and all fit.
    if (all.size() > 0) search.cheapest = assignmentOf(all.origins.front());
    return search;
  }

 private:
  Labels none() const {
    return Labels(kUses + resources_.size() + priced_.size());
  }
  size_t firstSlack() const { return kUses + resources_.size(); }

  Labels one() const {
    Labels labels = none();
    std::vector<double> zero(labels.numColumns, 0);
    labels.add(zero.data(), -1);
    return labels;
  }

  bool fits(const double* label) const {
    for (size_t r = 0; r < resources_.size(); ++r)
      if (label[kUses + r] > resources_[r]->limit) return false;
    return true;
  }

  /// Returns `labels`, plus the cost and uses of the current choice in `table`.
  /// Drops labels that do not fit.
  Labels withTable(const Labels& labels, size_t table) {
    Labels result = none();
    int64_t entry = problem_.entryOf(table, current_);
    std::vector<double> label(labels.numColumns);
    for (size_t i = 0; i < labels.size(); ++i) {
      std::copy_n(labels[i], label.size(), label.begin());
      label[kCost] += problem_.tables()[table].costs[entry];
      for (size_t r = 0; r < resources_.size(); ++r)
        if (const std::vector<double>& uses = resources_[r]->uses[table];
            !uses.empty())
          label[kUses + r] += uses[entry];
      if (fits(label.data())) result.add(label.data(), labels.origins[i]);
    }
    return result;
  }

  /// Returns the sums of each label of `a` and each label of `message` for
  /// `choice` that are within `slacks` and fit.
  Labels joined(const Labels& a, const Message& message, size_t choice,
                const Slacks& slacks) {
    const Labels& b = message.all;
    Labels result = none();
    std::vector<double> label(a.numColumns);
    auto matter = [&](const double* one, const double* other) {
      for (size_t price = 0; price < slacks.size(); ++price)
        if (one[firstSlack() + price] + other[firstSlack() + price] >
            slacks[price])
          return false;
      return true;
    };
    for (size_t i = 0; i < a.size() && left_ >= 0; ++i)
      for (size_t j = message.beginOf(choice); j < message.ends[choice]; ++j) {
        if (!matter(a[i], b[j])) continue;
        for (size_t c = 0; c < label.size(); ++c) label[c] = a[i][c] + b[j][c];
        if (!fits(label.data())) continue;
        --left_;
        origins_.push_back({-1, 0, a.origins[i], b.origins[j]});
        result.add(label.data(), lastOrigin());
      }
    return result;
  }

  /// Returns `labels` without dominated ones, in ascending order of cost. A few
  /// dominated labels may remain.
  Labels undominated(const Labels& labels) const {
    std::vector<size_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
      const double *a = labels[i], *b = labels[j];
      if (a[kCost] != b[kCost]) return a[kCost] < b[kCost];
      for (size_t c = kUses; c < firstSlack(); ++c)
        if (a[c] != b[c]) return a[c] < b[c];
      return i < j;
    });
    Labels kept = none();
    auto isBetter = [&](size_t k, size_t i) {
      for (size_t c = kUses; c < firstSlack(); ++c)
        if (kept[k][c] > labels[i][c]) return false;
      return true;
    };
    // Kept labels; the likeliest to dominate are last: a label moves to the end
    // when it is added and when it dominates. With one resource, uses descend
    // as costs ascend, so comparing with the last label suffices.
    std::vector<size_t> likely;
    const size_t most = resources_.size() == 1 ? 1 : kMostCompared;
    for (size_t i : order) {
      auto end = likely.rbegin() + std::min(likely.size(), most);
      auto better = std::find_if(likely.rbegin(), end,
                                 [&](size_t k) { return isBetter(k, i); });
      if (better != end) {
        std::rotate(better.base() - 1, better.base(), likely.end());
        continue;
      }
      likely.push_back(kept.size());
      kept.add(labels[i], labels.origins[i]);
    }
    return kept;
  }

  OriginNumber lastOrigin() const {
    return static_cast<OriginNumber>(origins_.size()) - 1;
  }

  void pass(size_t index, Message& message) {
    const Bucket& bucket = tree_.buckets()[index];
    PricedWalk at(priced_, index);
    auto numStates = static_cast<size_t>(problem_.numStates(bucket.variable));
    Slacks slacks(priced_.size());
    size_t number = 0;
    do {
      if (number++ % kChoicesAtATime == 0 && run_.isOver()) left_ = -1;
      Labels labels = none();
      if (!at.mayMatter()) {
        message.add(labels);
        continue;
      }
      for (size_t i = 0; i < bucket.scope.size(); ++i)
        current_[bucket.scope[i]] = at.choice()[i];
      for (size_t state = 0; state < numStates; ++state) {
        if (!at.slacksOf(state, slacks)) continue;
        current_[bucket.variable] = static_cast<State>(state);
        Labels these = ofState(bucket, slacks);
        std::vector<double> label(these.numColumns);
        for (size_t i = 0; i < these.size(); ++i) {
          std::copy_n(these[i], label.size(), label.begin());
          for (size_t price = 0; price < priced_.size(); ++price)
            label[firstSlack() + price] += at.above(price);
          origins_.push_back({static_cast<int32_t>(bucket.variable),
                              static_cast<State>(state), these.origins[i], -1});
          labels.add(label.data(), lastOrigin());
          --left_;
        }
      }
      message.add(undominated(labels));
    } while (at.advance() && left_ >= 0);
  }

  /// Returns the labels of the current choice and state: the sums of all tables
  /// of the bucket.
  Labels ofState(const Bucket& bucket, const Slacks& slacks) {
    Labels labels = one();
    for (size_t index : bucket.tables)
      if (!tree_.senderOf(index)) labels = withTable(labels, index);
    for (size_t index : bucket.tables)
      if (auto sender = tree_.senderOf(index)) {
        size_t choice = 0;
        for (int64_t v : tree_.tables()[index].variables)
          choice = choice * problem_.numStates(v) + current_[v];
        labels = joined(labels, messages_[*sender], choice, slacks);
        labels = undominated(labels);
      }
    return labels;
  }

  Assignment assignmentOf(OriginNumber origin) const {
    Assignment assignment(problem_.numVariables(), 0);
    std::vector<OriginNumber> open = {origin};
    while (!open.empty()) {
      OriginNumber number = open.back();
      open.pop_back();
      if (number < 0) continue;
      const Origin& from = origins_[number];
      if (from.variable >= 0) assignment[from.variable] = from.state;
      open.push_back(from.left);
      open.push_back(from.right);
    }
    return assignment;
  }

  const Problem& problem_;
  const std::vector<const Resource*>& resources_;
  const std::vector<PricedTree>& priced_;
  const SearchRun& run_;
  const BucketTree& tree_;  // the first of priced_; all have the same buckets
  double left_;
  std::vector<Message> messages_;  // per bucket
  Assignment current_;
  std::vector<Origin> origins_;
};

}  // namespace

LabelSearch searchLabels(const Problem& problem,
                         const std::vector<const Resource*>& resources,
                         const std::vector<PricedTree>& priced,
                         double maxLabels, const SearchRun& run) {
  return LabelPass(problem, resources, priced, maxLabels, run).run();
}

}  // namespace sbp::search
