#include "passes/search/layout/Labels.h"

#include <algorithm>
#include <map>
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

class LabelRun {
 public:
  LabelRun(const Corridor& corridor, const LabelQuestion& question)
      : corridor_(corridor),
        question_(question),
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
    bool isLast = step + 1 == corridor_.steps.size();
    double mostBytes =
        question_.limitBytes - (isLast ? 0 : question_.fewestLeft[step + 1]);
    Ticks most =
        question_.reach -
        (isLast ? 0 : question_.left(static_cast<int64_t>(step), passage.to));
    const TimeAndBytes& own = passage.front[way];
    added_.clear();
    auto [begin, end] = now_.at(passage.from);
    for (int64_t i = begin; i < end; ++i) {
      TimeAndBytes cost{kept_[i].cost.ticks + own.ticks,
                        kept_[i].cost.bytes + own.bytes};
      if (cost.bytes <= mostBytes &&
          cost.ticks + question_.bytePrice * cost.bytes <= most)
        added_.push_back({cost, static_cast<int32_t>(i),
                          static_cast<int32_t>(firstWays_[index] + way)});
    }
    labelsLeft_ -= static_cast<int64_t>(added_.size());
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
