#include "passes/search/solvers/Labels.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sbp::search {
namespace {

/// How a label came to be: a state of a variable on top of `left`, or `left`
/// and `right` together.
struct Origin {
  int64_t variable = -1;
  State state = 0;
  int64_t left = -1, right = -1;
};

/// Labels, as columns: cost, slack, one per resource.
struct Labels {
  explicit Labels(size_t numResources = 0) : numColumns(numResources + 2) {}

  size_t size() const { return origins.size(); }
  const double* operator[](size_t i) const {
    return values.data() + i * numColumns;
  }
  void add(const double* label, int64_t origin) {
    values.insert(values.end(), label, label + numColumns);
    origins.push_back(origin);
  }

  size_t numColumns;
  std::vector<double> values;
  std::vector<int64_t> origins;
};

constexpr size_t kCost = 0, kSlack = 1, kUses = 2;

class LabelPass {
 public:
  LabelPass(const Problem& problem, const std::vector<Resource>& resources,
            const BucketTree& priced, Cost bound, double maxLabels)
      : problem_(problem),
        resources_(resources),
        priced_(priced),
        bound_(bound),
        left_(maxLabels),
        messages_(priced.buckets().size()),
        current_(problem.numVariables(), 0) {}

  LabelSearch run() {
    LabelSearch search;
    Labels all = one();
    for (size_t i = 0; i < problem_.tables().size(); ++i)
      if (priced_.tables()[i].variables.empty()) all = withTable(all, i);
    double slack = bound_ - priced_.leastCost();
    for (size_t b = 0; b < priced_.buckets().size(); ++b) {
      const Bucket& bucket = priced_.buckets()[b];
      pass(bucket, messages_[b]);
      for (size_t index : bucket.tables)
        if (auto sender = priced_.senderOf(index)) messages_[*sender] = {};
      if (bucket.scope.empty()) {
        all = undominated(joined(all, messages_[b].front(), slack));
        messages_[b] = {};
      }
      if (left_ < 0) {
        search.isComplete = false;
        return search;
      }
    }
    // They are in order of their costs, and all fit.
    if (all.size() > 0) search.cheapest = assignmentOf(all.origins.front());
    return search;
  }

 private:
  Labels one() const {
    Labels labels(resources_.size());
    std::vector<double> zero(labels.numColumns, 0);
    labels.add(zero.data(), -1);
    return labels;
  }

  bool fits(const double* label) const {
    for (size_t r = 0; r < resources_.size(); ++r)
      if (label[kUses + r] > resources_[r].limit) return false;
    return true;
  }

  /// `labels` with what the current choice costs and uses in a table.
  Labels withTable(const Labels& labels, size_t table) {
    Labels result(resources_.size());
    int64_t entry = problem_.entryOf(table, current_);
    std::vector<double> label(labels.numColumns);
    for (size_t i = 0; i < labels.size(); ++i) {
      std::copy_n(labels[i], label.size(), label.begin());
      label[kCost] += problem_.tables()[table].costs[entry];
      for (size_t r = 0; r < resources_.size(); ++r)
        if (const std::vector<double>& uses = resources_[r].uses[table];
            !uses.empty())
          label[kUses + r] += uses[entry];
      if (fits(label.data())) result.add(label.data(), labels.origins[i]);
    }
    return result;
  }

  /// All sums of one of each, up to `slack`.
  Labels joined(const Labels& a, const Labels& b, double slack) {
    Labels result(resources_.size());
    std::vector<double> label(a.numColumns);
    for (size_t i = 0; i < a.size() && left_ >= 0; ++i)
      for (size_t j = 0; j < b.size(); ++j) {
        if (a[i][kSlack] + b[j][kSlack] > slack) continue;
        for (size_t c = 0; c < label.size(); ++c) label[c] = a[i][c] + b[j][c];
        if (!fits(label.data())) continue;
        --left_;
        origins_.push_back({-1, 0, a.origins[i], b.origins[j]});
        result.add(label.data(), static_cast<int64_t>(origins_.size()) - 1);
      }
    return result;
  }

  /// Those that no other is at least as good as in cost and all uses, by cost.
  Labels undominated(const Labels& labels) const {
    std::vector<size_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
      const double *a = labels[i], *b = labels[j];
      if (a[kCost] != b[kCost]) return a[kCost] < b[kCost];
      for (size_t c = kUses; c < labels.numColumns; ++c)
        if (a[c] != b[c]) return a[c] < b[c];
      return i < j;
    });
    Labels kept(resources_.size());
    for (size_t i : order) {
      bool isDominated = false;
      // The last kept are the likeliest to use less.
      for (size_t k = kept.size(); k-- > 0 && !isDominated;) {
        isDominated = true;
        for (size_t c = kUses; c < labels.numColumns && isDominated; ++c)
          isDominated = kept[k][c] <= labels[i][c];
        if (resources_.size() == 1) break;  // by cost, so uses descend
      }
      if (!isDominated) kept.add(labels[i], labels.origins[i]);
    }
    return kept;
  }

  void pass(const Bucket& bucket, std::vector<Labels>& message) {
    BucketWalk walk(priced_, bucket);
    const std::vector<Cost>& least = priced_.tables()[bucket.message].costs;
    do {
      Labels labels(resources_.size());
      const std::vector<Cost>& sums = walk.sums();
      Cost outside = bucket.outside[walk.number()];
      for (size_t i = 0; i < bucket.scope.size(); ++i)
        current_[bucket.scope[i]] = walk.choice()[i];
      for (size_t state = 0; state < sums.size(); ++state) {
        double slack = bound_ - sums[state] - outside;
        if (!(slack >= 0)) continue;
        current_[bucket.variable] = static_cast<State>(state);
        Labels these = ofState(bucket, slack);
        std::vector<double> label(these.numColumns);
        for (size_t i = 0; i < these.size(); ++i) {
          std::copy_n(these[i], label.size(), label.begin());
          label[kSlack] += sums[state] - least[walk.number()];
          origins_.push_back({bucket.variable, static_cast<State>(state),
                              these.origins[i], -1});
          labels.add(label.data(), static_cast<int64_t>(origins_.size()) - 1);
          --left_;
        }
      }
      message.push_back(undominated(labels));
    } while (walk.advance() && left_ >= 0);
  }

  /// The labels of the current choice, with all of the bucket's tables.
  Labels ofState(const Bucket& bucket, double slack) {
    Labels labels = one();
    for (size_t index : bucket.tables)
      if (!priced_.senderOf(index)) labels = withTable(labels, index);
    for (size_t index : bucket.tables)
      if (auto sender = priced_.senderOf(index)) {
        int64_t entry = 0;
        for (int64_t v : priced_.tables()[index].variables)
          entry = entry * problem_.numStates(v) + current_[v];
        labels = joined(labels, messages_[*sender][entry], slack);
        labels = undominated(labels);
      }
    return labels;
  }

  Assignment assignmentOf(int64_t origin) const {
    Assignment assignment(problem_.numVariables(), 0);
    std::vector<int64_t> open = {origin};
    while (!open.empty()) {
      int64_t number = open.back();
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
  const std::vector<Resource>& resources_;
  const BucketTree& priced_;
  Cost bound_;
  double left_;
  std::vector<std::vector<Labels>> messages_;  // per bucket and choice
  Assignment current_;
  std::vector<Origin> origins_;
};

}  // namespace

LabelSearch searchLabels(const Problem& problem,
                         const std::vector<Resource>& resources,
                         const BucketTree& priced, Cost bound,
                         double maxLabels) {
  return LabelPass(problem, resources, priced, bound, maxLabels).run();
}

}  // namespace sbp::search
