#include "passes/search/layout/Labels.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace sbp::search {
namespace {

struct Label {
  TimeAndBytes cost;
  int32_t before = -1;  // the label that it continues
  int32_t way = 0;      // of all ways of all passages
};

/// Labels of which none beats another: times rise and bytes fall.
using Labels = std::vector<Label>;

/// Prices of a byte, by that at which the corridor was found.
constexpr double kPrices[] = {1, 0, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 1e6};
constexpr size_t kNumPrices = std::size(kPrices);

/// What is paid at each of these prices.
using Paid = std::array<Ticks, kNumPrices>;

Paid operator+(Paid a, const Paid& b) {
  for (size_t i = 0; i < kNumPrices; ++i) a[i] += b[i];
  return a;
}

/// What is left to pay along a corridor, at several prices at once.
class LeftAlong {
 public:
  LeftAlong(const Corridor& corridor, const LabelQuestion& question) {
    for (size_t i = 0; i < kNumPrices; ++i) {
      prices_[i] = kPrices[i] * question.bytePrice;
      // A product is rounded.
      most_[i] = question.most + prices_[i] * question.limitBytes + 1;
    }
    std::vector<Paid> passages(corridor.passages.size(), never());
    for (size_t i = 0; i < passages.size(); ++i)
      for (const TimeAndBytes& cost : corridor.passages[i].front)
        lower(of(cost), passages[i]);
    left_.resize(corridor.steps.size() + 1);
    left_.back()[0] = Paid{};
    for (size_t step = corridor.steps.size(); step-- > 0;)
      for (int64_t index : corridor.steps[step]) {
        const Passage& passage = corridor.passages[index];
        auto behind = left_[step + 1].find(passage.to);
        if (behind == left_[step + 1].end() || passage.front.empty()) continue;
        lower(passages[index] + behind->second,
              left_[step].try_emplace(passage.from, never()).first->second);
      }
  }

  Paid of(const TimeAndBytes& cost) const {
    Paid paid;
    for (size_t i = 0; i < kNumPrices; ++i)
      paid[i] = cost.ticks + prices_[i] * cost.bytes;
    return paid;
  }

  /// The most that may be paid before a layout that a step has led to.
  Paid mostBefore(size_t step, Layout layout) const {
    Paid most = most_;
    auto left = left_[step + 1].find(layout);
    for (size_t i = 0; i < kNumPrices; ++i)
      most[i] -= left == left_[step + 1].end() ? kNever : left->second[i];
    return most;
  }

 private:
  static Paid never() {
    Paid paid;
    paid.fill(kNever);
    return paid;
  }
  static void lower(const Paid& by, Paid& paid) {
    for (size_t i = 0; i < kNumPrices; ++i) paid[i] = std::min(paid[i], by[i]);
  }

  Paid prices_, most_;
  std::vector<std::unordered_map<Layout, Paid>> left_;
};

class LabelRun {
 public:
  LabelRun(const Corridor& corridor, const LabelQuestion& question)
      : corridor_(corridor),
        question_(question),
        left_(corridor, question),
        labelsLeft_(question.maxLabels) {
    for (const Passage& passage : corridor.passages) {
      firstWays_.push_back(numWays_);
      numWays_ += static_cast<int64_t>(passage.front.size());
    }
  }

  LabelAnswer run() {
    kept_.push_back({{0, 0}, -1, 0});
    now_[0] = {0, 1};
    LabelAnswer answer;
    for (size_t step = 0; step < corridor_.steps.size(); ++step)
      if (!take(step)) {
        answer.isComplete = false;
        return answer;
      }
    // Behind the tail there is one place; the first label there is the fastest.
    if (now_.empty()) return answer;
    int64_t at = now_.begin()->second.first;
    answer.cost = kept_[at].cost;
    for (; kept_[at].before >= 0; at = kept_[at].before) {
      auto passage = std::upper_bound(firstWays_.begin(), firstWays_.end(),
                                      kept_[at].way) -
                     firstWays_.begin() - 1;
      answer.steps.push_back(
          {passage, corridor_.passages[passage]
                        .front[kept_[at].way - firstWays_[passage]]});
    }
    std::reverse(answer.steps.begin(), answer.steps.end());
    return answer;
  }

 private:
  /// Takes all labels over a step; false if there are too many.
  bool take(size_t step) {
    std::map<Layout, std::vector<int64_t>> byEnd;
    for (int64_t index : corridor_.steps[step])
      if (now_.count(corridor_.passages[index].from) > 0)
        byEnd[corridor_.passages[index].to].push_back(index);
    std::map<Layout, std::pair<int64_t, int64_t>> next;
    for (const auto& [to, passages] : byEnd) {
      Labels reached;
      for (int64_t index : passages) {
        const Front& front = corridor_.passages[index].front;
        for (size_t way = 0; way < front.size(); ++way) {
          continueBy(step, index, way);
          merge(reached);
        }
      }
      if (labelsLeft_ < 0) return false;
      if (reached.empty()) continue;
      if (question_.keptLabels > 0) thin(step, to, reached);
      auto begin = static_cast<int64_t>(kept_.size());
      kept_.insert(kept_.end(), reached.begin(), reached.end());
      next[to] = {begin, static_cast<int64_t>(kept_.size())};
    }
    now_ = std::move(next);
    return true;
  }

  /// Sets added_ to the labels that one way of a passage makes.
  void continueBy(size_t step, int64_t index, size_t way) {
    const Passage& passage = corridor_.passages[index];
    const TimeAndBytes& own = passage.front[way];
    Paid most = left_.mostBefore(step, passage.to);
    added_.clear();
    auto [begin, end] = now_.at(passage.from);
    for (int64_t i = begin; i < end; ++i) {
      TimeAndBytes cost{kept_[i].cost.ticks + own.ticks,
                        kept_[i].cost.bytes + own.bytes};
      Paid paid = left_.of(cost);
      bool matters = cost.bytes <= question_.limitBytes;
      for (size_t price = 0; price < kNumPrices; ++price)
        matters &= paid[price] <= most[price];
      if (matters)
        added_.push_back({cost, static_cast<int32_t>(i),
                          static_cast<int32_t>(firstWays_[index] + way)});
    }
    labelsLeft_ -= static_cast<int64_t>(added_.size());
  }

  /// Keeps those labels of a layout that promise the fastest plans.
  void thin(size_t step, Layout layout, Labels& labels) const {
    auto kept = static_cast<size_t>(question_.keptLabels);
    if (labels.size() <= kept) return;
    Paid most = left_.mostBefore(step, layout);
    std::vector<std::pair<Ticks, size_t>> above;
    for (size_t i = 0; i < labels.size(); ++i) {
      Paid paid = left_.of(labels[i].cost);
      Ticks worst = -kNever;
      for (size_t price = 0; price < kNumPrices; ++price)
        worst = std::max(worst, paid[price] - most[price]);
      above.push_back({worst, i});
    }
    std::nth_element(above.begin(), above.begin() + kept, above.end());
    std::vector<size_t> chosen;
    for (size_t i = 0; i < kept; ++i) chosen.push_back(above[i].second);
    std::sort(chosen.begin(), chosen.end());
    for (size_t i = 0; i < kept; ++i) labels[i] = labels[chosen[i]];
    labels.resize(kept);
  }

  /// Merges added_ into labels.
  void merge(Labels& labels) {
    if (added_.empty()) return;
    merged_.clear();
    double fewest = kNever;
    auto a = labels.begin(), b = added_.begin();
    while (a != labels.end() || b != added_.end()) {
      bool takesA = b == added_.end() ||
                    (a != labels.end() && (a->cost.ticks < b->cost.ticks ||
                                           (a->cost.ticks == b->cost.ticks &&
                                            a->cost.bytes <= b->cost.bytes)));
      const Label& label = takesA ? *a++ : *b++;
      if (label.cost.bytes < fewest) {
        merged_.push_back(label);
        fewest = label.cost.bytes;
      }
    }
    labels.swap(merged_);
  }

  const Corridor& corridor_;
  const LabelQuestion& question_;
  LeftAlong left_;
  int64_t labelsLeft_;
  std::vector<int64_t> firstWays_;  // per passage
  int64_t numWays_ = 0;
  Labels kept_;  // of all positions
  Labels added_, merged_;
  // Of the labels of each layout, the first and the one past the last.
  std::map<Layout, std::pair<int64_t, int64_t>> now_;
};

}  // namespace

LabelAnswer fastestAlong(const Corridor& corridor,
                         const LabelQuestion& question) {
  return LabelRun(corridor, question).run();
}

}  // namespace sbp::search
