#include "passes/search/budget/Labels.h"

#include <algorithm>
#include <utility>

#include "passes/search/budget/BudgetTuning.h"

namespace sbp::search {
namespace {

struct Label {
  TimeAndBytes cost;
  int32_t before = -1;  // index of the label before
  int32_t way = 0;      // index among all pairs of all fronts
};

/// Non-dominated labels: times rise and bytes fall.
using Labels = std::vector<Label>;

class LabelRun {
 public:
  LabelRun(const ReducedSpace& reduced, const PricedCostToGo& left,
           const LabelQuestion& question)
      : reduced_(reduced),
        question_(question),
        left_(left),
        labelsLeft_(question.maxLabels) {
    Layout last = 0;
    for (const Arc& arc : reduced.arcs) {
      firstWays_.push_back(numWays_);
      numWays_ += static_cast<int64_t>(arc.front.size());
      last = std::max({last, arc.from, arc.to});
    }
    fromNumbers_.assign(last + 1, -1);
    toNumbers_ = fromNumbers_;
    for (size_t i = 0; i < left.layoutsAt(0).size(); ++i)
      fromNumbers_[left.layoutsAt(0)[i]] = static_cast<int32_t>(i);
  }

  LabelAnswer run() {
    kept_.push_back({{0, 0}, -1, 0});
    now_ = {{0, 1, {}}};
    LabelAnswer answer;
    for (size_t step = 0; step < reduced_.steps.size() && answer.isComplete;
         ++step)
      answer.isComplete = take(step);
    answer.labels = question_.maxLabels - labelsLeft_;
    if (!answer.isComplete) return answer;
    // After the tail there is one place, whose first label is the fastest.
    int64_t at = now_[0].first;
    if (at == now_[0].last) return answer;
    answer.cost = kept_[at].cost;
    for (; kept_[at].before >= 0; at = kept_[at].before) {
      auto arc = std::upper_bound(firstWays_.begin(), firstWays_.end(),
                                  kept_[at].way) -
                 firstWays_.begin() - 1;
      answer.steps.push_back(
          {arc, reduced_.arcs[arc].front[kept_[at].way - firstWays_[arc]]});
    }
    std::reverse(answer.steps.begin(), answer.steps.end());
    return answer;
  }

 private:
  /// The range of labels of a layout, and the least that any of them has paid,
  /// per price.
  struct Span {
    int64_t first = 0, last = 0;
    Paid least = {};
  };

  /// Takes all labels over a step. Returns false if there are too many.
  bool take(size_t step) {
    const std::vector<Layout>& ends = left_.layoutsAt(step + 1);
    for (size_t i = 0; i < ends.size(); ++i)
      toNumbers_[ends[i]] = static_cast<int32_t>(i);
    // Arcs, by the layout to which they lead.
    std::vector<std::vector<std::pair<int64_t, const Span*>>> byEnd(
        ends.size());
    for (int64_t index : reduced_.steps[step]) {
      const Arc& arc = reduced_.arcs[index];
      int32_t from = fromNumbers_[arc.from], to = toNumbers_[arc.to];
      if (from < 0 || to < 0 || now_[from].first == now_[from].last) continue;
      byEnd[to].push_back({index, &now_[from]});
    }
    std::vector<Span> next;
    above_.clear();
    for (size_t to = 0; to < ends.size(); ++to) {
      most_ = left_.mostBefore(step + 1, to, question_.most);
      reached_.clear();
      for (const auto& [index, labels] : byEnd[to]) {
        const Front& front = reduced_.arcs[index].front;
        for (size_t way = 0; way < front.size(); ++way) {
          continueBy(index, way, *labels);
          merge();
        }
      }
      if (labelsLeft_ < 0 || kept_.size() > kBudget.mostKept) return false;
      Span& span = next.emplace_back();
      span.first = static_cast<int64_t>(kept_.size());
      kept_.insert(kept_.end(), reached_.begin(), reached_.end());
      span.last = static_cast<int64_t>(kept_.size());
      span.least.fill(kNever);
      for (const Label& label : reached_) {
        Paid paid = left_.of(label.cost);
        Ticks above = -kNever;
        for (size_t price = 0; price < kNumPrices; ++price) {
          span.least[price] = std::min(span.least[price], paid[price]);
          above = std::max(above, paid[price] - most_[price]);
        }
        above_.push_back(above);
      }
    }
    if (question_.keptLabels > 0) thin(next);
    now_ = std::move(next);
    for (Layout layout : left_.layoutsAt(step)) fromNumbers_[layout] = -1;
    fromNumbers_.swap(toNumbers_);
    return true;
  }

  /// Whether a plan with this label may cost little enough to matter.
  bool matters(const TimeAndBytes& cost) const {
    Paid paid = left_.of(cost);
    bool matters = cost.bytes <= left_.limitBytes();
    for (size_t price = 0; price < kNumPrices; ++price)
      matters &= paid[price] <= most_[price];
    return matters;
  }

  /// Sets added_ to the labels that one pair of an arc's front makes.
  void continueBy(int64_t index, size_t way, const Span& labels) {
    const TimeAndBytes& own = reduced_.arcs[index].front[way];
    added_.clear();
    Paid paid = left_.of(own);
    bool someMatter = true;
    for (size_t price = 0; price < kNumPrices; ++price)
      someMatter &= labels.least[price] + paid[price] <= most_[price] + 1;
    if (!someMatter) return;
    for (int64_t i = labels.first; i < labels.last; ++i) {
      TimeAndBytes cost{kept_[i].cost.ticks + own.ticks,
                        kept_[i].cost.bytes + own.bytes};
      if (matters(cost))
        added_.push_back({cost, static_cast<int32_t>(i),
                          static_cast<int32_t>(firstWays_[index] + way)});
    }
    labelsLeft_ -= static_cast<int64_t>(added_.size());
  }

  /// Keeps the labels of a position with the best bounds.
  void thin(std::vector<Span>& spans) {
    auto kept = static_cast<size_t>(question_.keptLabels);
    if (above_.size() <= kept) return;
    std::vector<Ticks> sorted = above_;
    std::nth_element(sorted.begin(), sorted.begin() + kept, sorted.end());
    int64_t first = spans.front().first, end = first;
    for (Span& span : spans) {
      int64_t begin = end;
      for (int64_t i = span.first; i < span.last; ++i)
        if (above_[i - first] < sorted[kept]) kept_[end++] = kept_[i];
      span.first = begin;
      span.last = end;
    }
    kept_.resize(end);
  }

  /// Merges added_ into reached_.
  void merge() {
    if (added_.empty()) return;
    merged_.clear();
    double fewest = kNever;
    auto a = reached_.begin(), b = added_.begin();
    while (a != reached_.end() || b != added_.end()) {
      bool takesA = b == added_.end() ||
                    (a != reached_.end() && (a->cost.ticks < b->cost.ticks ||
                                             (a->cost.ticks == b->cost.ticks &&
                                              a->cost.bytes <= b->cost.bytes)));
      const Label& label = takesA ? *a++ : *b++;
      if (label.cost.bytes < fewest) {
        merged_.push_back(label);
        fewest = label.cost.bytes;
      }
    }
    reached_.swap(merged_);
  }

  const ReducedSpace& reduced_;
  const LabelQuestion& question_;
  const PricedCostToGo& left_;
  int64_t labelsLeft_;
  std::vector<int64_t> firstWays_;  // per arc
  int64_t numWays_ = 0;
  // Index of each layout at either end of a step; negative for most layouts.
  std::vector<int32_t> fromNumbers_, toNumbers_;
  Labels kept_;            // of all positions
  std::vector<Span> now_;  // per layout at the current position
  // per label, largest excess of its cost over most_
  std::vector<Ticks> above_;
  Paid most_;  // most that may be paid up to the current layout
  Labels reached_, added_, merged_;
};

}  // namespace

LabelAnswer fastestAlong(const ReducedSpace& reduced,
                         const PricedCostToGo& left,
                         const LabelQuestion& question) {
  return LabelRun(reduced, left, question).run();
}

}  // namespace sbp::search
