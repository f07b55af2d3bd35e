#include "passes/search/redistribution/FewLayouts.h"

#include <map>
#include <numeric>

namespace sbp::search {

FewMoves::FewMoves(const Redistribution& moves, Direction direction)
    : space_(&moves.space()), direction_(direction) {
  bool isBackward = direction == Direction::Backward;
  for (const Redistribution::Pass& pass :
       isBackward ? moves.reversed_ : moves.passes_) {
    Pass& own = passes_.emplace_back();
    own.phase = pass.phase;
    own.level = pass.level;
    own.begins.assign(space_->numParts(pass.level) + 1, 0);
    for (const Redistribution::Step& step : pass.steps)
      ++own.begins[(isBackward ? step.to : step.from) + 1];
    for (size_t part = 1; part < own.begins.size(); ++part)
      own.begins[part] += own.begins[part - 1];
    own.steps.resize(pass.steps.size());
    own.ranks.assign(own.begins.size() - 1, -1);
    for (const Redistribution::Step& step : pass.steps) {
      int32_t& rank = own.ranks[isBackward ? step.to : step.from];
      if (rank < 0) rank = own.numRanks++;
    }
    std::vector<int32_t> next = own.begins;
    auto stride = static_cast<int32_t>(space_->stride(pass.level));
    for (const Redistribution::Step& step : pass.steps) {
      int32_t start = isBackward ? step.to : step.from;
      int32_t end = isBackward ? step.from : step.to;
      own.steps[next[start]++] = {(end - start) * stride, step.collective};
    }
  }
  int64_t numLayouts = space_->numLayouts();
  heldIndices_.assign(numLayouts, 0);
  for (size_t level = 0; level < space_->levels().size(); ++level) {
    std::vector<int32_t>& parts = parts_.emplace_back(numLayouts);
    for (Layout layout = 0; layout < numLayouts; ++layout) {
      int64_t part = space_->partOf(layout, level);
      parts[layout] = static_cast<int32_t>(part);
      heldIndices_[layout] +=
          static_cast<int32_t>(space_->heldIndexOfPart(level, part));
    }
  }
  listPhaseMoves();
}

void FewMoves::listPhaseMoves() {
  for (size_t begin = 0, end = 0; begin < passes_.size(); begin = end) {
    PhaseMoves& phaseMoves = phaseMoves_.emplace_back();
    phaseMoves.phase = passes_[begin].phase;
    phaseMoves.level = passes_[begin].level;
    while (end < passes_.size() && passes_[end].phase == phaseMoves.phase &&
           passes_[end].level == phaseMoves.level)
      ++end;
    phaseMoves.begins = {0};
    for (int64_t part = 0; part < space_->numParts(phaseMoves.level); ++part) {
      // Passes may be repeated, so a step may occur twice.
      std::map<int32_t, int32_t> collectives;  // by difference
      for (size_t pass = begin; pass < end; ++pass)
        for (int32_t s = passes_[pass].begins[part];
             s < passes_[pass].begins[part + 1]; ++s)
          collectives[passes_[pass].steps[s].difference] =
              passes_[pass].steps[s].collective;
      for (auto [difference, collective] : collectives)
        phaseMoves.steps.push_back({difference, collective});
      phaseMoves.begins.push_back(
          static_cast<int32_t>(phaseMoves.steps.size()));
    }
  }
}

bool FewMoves::relax(const Tariff& tariff, const std::vector<Ticks>* left,
                     Ticks budget, Phase last, size_t most, FewValues& values,
                     std::vector<UsedMove>* used) const {
  std::vector<Layout> queue;
  for (const Pass& pass : passes_) {
    if (pass.phase > last) continue;
    const std::vector<int32_t>& parts = parts_[pass.level];
    queue = values.layouts();
    // A layout that is lowered here takes its steps (again) in this pass.
    for (size_t i = 0; i < queue.size(); ++i) {
      Layout from = queue[i];
      Ticks start = values[from];
      int32_t begin = pass.begins[parts[from]];
      int32_t end = pass.begins[parts[from] + 1];
      for (int32_t s = begin; s < end; ++s) {
        Layout to = from + pass.steps[s].difference;
        Ticks ticks = start + priceOf(tariff, pass.steps[s], from);
        if (ticks >= values[to] || ticks + (left ? (*left)[to] : 0) > budget)
          continue;
        values.lower(to, ticks);
        queue.push_back(to);
      }
      if (values.layouts().size() > most) return false;
    }
    if (used) listUsed(pass, tariff, left, budget, values, *used);
  }
  return true;
}

void FewMoves::listUsed(const Pass& pass, const Tariff& tariff,
                        const std::vector<Ticks>* left, Ticks budget,
                        const FewValues& values,
                        std::vector<UsedMove>& used) const {
  const std::vector<int32_t>& parts = parts_[pass.level];
  // Sorts layouts by rank (counting sort).
  std::vector<size_t> begins(pass.numRanks + 1, 0);
  auto moves = [&](Layout from) {
    return pass.begins[parts[from]] < pass.begins[parts[from] + 1];
  };
  for (Layout from : values.layouts())
    if (moves(from)) ++begins[pass.ranks[parts[from]] + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<Layout> order(begins.back());
  for (Layout from : values.layouts())
    if (moves(from)) order[begins[pass.ranks[parts[from]]]++] = from;
  for (Layout from : order)
    for (int32_t s = pass.begins[parts[from]]; s < pass.begins[parts[from] + 1];
         ++s) {
      Layout to = from + pass.steps[s].difference;
      Ticks ticks = priceOf(tariff, pass.steps[s], from);
      if (values[from] + ticks + (left ? (*left)[to] : 0) <= budget)
        used.push_back({from, to, ticks});
    }
}

}  // namespace sbp::search
