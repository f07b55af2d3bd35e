#include "passes/search/layout/Labels.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sbp::search {
namespace {

struct Label {
  TimeAndBytes cost;
  int32_t before = -1;  // the label that it continues
  int32_t passage = 0, way = 0;
};

/// Leaves those that none beats in both.
void keepUnbeaten(std::vector<Label>& labels) {
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
    return std::tie(a.cost.ticks, a.cost.bytes, a.before, a.passage, a.way) <
           std::tie(b.cost.ticks, b.cost.bytes, b.before, b.passage, b.way);
  });
  size_t kept = 0;
  for (const Label& label : labels)
    if (kept == 0 || label.cost.bytes < labels[kept - 1].cost.bytes)
      labels[kept++] = label;
  labels.resize(kept);
}

}  // namespace

LabelAnswer fastestAlong(const Corridor& corridor,
                         const LabelQuestion& question) {
  auto numSteps = static_cast<int64_t>(corridor.steps.size());
  std::vector<Label> all;  // that were kept, of all positions
  // Of the labels of each layout, the first and the one past the last.
  std::map<Layout, std::pair<int64_t, int64_t>> now;
  all.push_back({{0, 0}, -1, 0, 0});
  now[0] = {0, 1};
  LabelAnswer answer;
  int64_t labelsLeft = question.maxLabels;
  for (int64_t step = 0; step < numSteps; ++step) {
    bool isLast = step + 1 == numSteps;
    double mostBytes =
        question.limitBytes - (isLast ? 0 : question.fewestLeft[step + 1]);
    std::map<Layout, std::vector<Label>> next;
    for (int64_t index : corridor.steps[step]) {
      const Passage& passage = corridor.passages[index];
      auto from = now.find(passage.from);
      if (from == now.end() || passage.front.empty()) continue;
      Ticks left = isLast ? 0 : question.left(step, passage.to);
      Ticks most = question.reach - left;
      Ticks least = kNever;
      for (const TimeAndBytes& way : passage.front)
        least = std::min(least, way.ticks + question.bytePrice * way.bytes);
      std::vector<Label>& reached = next[passage.to];
      for (int64_t i = from->second.first; i < from->second.second; ++i) {
        const TimeAndBytes& before = all[i].cost;
        Ticks paid = before.ticks + question.bytePrice * before.bytes;
        if (paid + least > most) continue;
        for (size_t w = 0; w < passage.front.size(); ++w) {
          const TimeAndBytes& way = passage.front[w];
          TimeAndBytes cost{before.ticks + way.ticks, before.bytes + way.bytes};
          if (cost.bytes > mostBytes ||
              cost.ticks + question.bytePrice * cost.bytes > most)
            continue;
          reached.push_back({cost, static_cast<int32_t>(i),
                             static_cast<int32_t>(index),
                             static_cast<int32_t>(w)});
          --labelsLeft;
        }
      }
      if (labelsLeft < 0) {
        answer.isComplete = false;
        return answer;
      }
    }
    now.clear();
    for (auto& [layout, labels] : next) {
      keepUnbeaten(labels);
      auto begin = static_cast<int64_t>(all.size());
      all.insert(all.end(), labels.begin(), labels.end());
      now[layout] = {begin, static_cast<int64_t>(all.size())};
    }
  }
  // Behind the tail there is one place, and times rise.
  if (now.empty() || now.begin()->second.first == now.begin()->second.second)
    return answer;
  int64_t at = now.begin()->second.first;
  answer.cost = all[at].cost;
  for (; all[at].before >= 0; at = all[at].before)
    answer.ways.push_back({all[at].passage, all[at].way});
  std::reverse(answer.ways.begin(), answer.ways.end());
  return answer;
}

}  // namespace sbp::search
