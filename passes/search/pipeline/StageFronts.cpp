#include "passes/search/pipeline/StageFronts.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Whether `way` takes no more than `other` of anything.
bool isNoWorse(const StageWay& way, const StageWay& other) {
  return way.forward <= other.forward && way.input <= other.input &&
         way.weight <= other.weight && way.once <= other.once &&
         way.bytes <= other.bytes && way.transient <= other.transient;
}

void add(StageWay& way, const UnitOption& option, const FrontKind& kind) {
  way.forward += option.forward;
  way.input += option.input + (kind.isWhole ? option.weight : 0);
  way.weight += kind.isWhole ? 0 : option.weight;
  way.once += option.once;
  way.bytes += kind.load.bytesOf(option);
  way.transient = std::max(way.transient, option.transient);
}

void addBothWays(StageWay& way, double seconds) {
  way.forward += seconds;
  way.input += seconds;
}

/// Adds `next` to the front unless a member is no worse; drops members that are
/// no better.
template <typename Member, typename WayOf>
void addToFront(std::vector<Member>& front, Member next, WayOf ofMember) {
  for (const Member& member : front)
    if (isNoWorse(ofMember(member), ofMember(next))) return;
  front.erase(std::remove_if(front.begin(), front.end(),
                             [&](const Member& member) {
                               return isNoWorse(ofMember(next),
                                                ofMember(member));
                             }),
              front.end());
  front.push_back(std::move(next));
}

}  // namespace

StageWay wayOf(const JointProblem& problem, const JointCase& ofCase,
               const Boundaries& boundaries, const StageRun& run,
               const FrontKind& kind, std::vector<int64_t> options) {
  StageWay way;
  int64_t layout = 0;
  for (int64_t unit = run.begin; unit < run.end; ++unit) {
    const UnitOption& option =
        problem.optionsOf(ofCase, unit)[options[unit - run.begin]];
    add(way, option, kind);
    if (unit > run.begin)
      addBothWays(way, ofCase.move[layout][option.layout]);
    else if (run.before != StageRun::kNone)
      addBothWays(way, boundaries.all[run.before].after[option.layout]);
    layout = option.layout;
  }
  if (run.after != StageRun::kNone)
    addBothWays(way, boundaries.all[run.after].before[layout]);
  way.options = std::move(options);
  return way;
}

StageFronts::Chain& StageFronts::chainOf(const StageRun& run,
                                         const FrontKind& kind) {
  std::deque<Chain>& chains = chains_[{run.begin, run.before}];
  for (Chain& chain : chains)
    if (chain.kind == kind) return chain;
  chains.emplace_back().kind = kind;
  return chains.back();
}

void StageFronts::extend(Chain& chain, const StageRun& run) {
  const int64_t numLayouts = case_.numLayouts();
  const auto length = static_cast<int64_t>(chain.steps.size());
  const std::vector<UnitOption>& options =
      problem_.optionsOf(case_, run.begin + length);
  std::vector<std::vector<Step>> next(numLayouts);
  const auto wayOfStep = [](const Step& step) -> const StageWay& {
    return step.way;
  };
  const auto tryStep = [&](const Step& step, double transfer) {
    const UnitOption& option = options[step.option];
    if (transfer == kInfinite) return;
    Step longer = step;
    add(longer.way, option, chain.kind);
    addBothWays(longer.way, transfer);
    ++work_.fronts;
    if (fits(longer.way))
      addToFront(next[option.layout], std::move(longer), wayOfStep);
  };
  for (size_t i = 0; i < options.size(); ++i) {
    const auto option = static_cast<int64_t>(i);
    const int64_t layout = options[i].layout;
    if (length == 0) {
      tryStep({{}, option}, run.before == StageRun::kNone
                                ? 0
                                : boundaries_.all[run.before].after[layout]);
      continue;
    }
    for (int64_t from = 0; from < numLayouts; ++from) {
      const std::vector<Step>& before = chain.steps.back()[from];
      for (size_t index = 0; index < before.size(); ++index)
        tryStep({before[index].way, option, from, static_cast<int64_t>(index)},
                case_.move[from][layout]);
      if (static_cast<int64_t>(next[layout].size()) > tuning_.maxFront) {
        chain.isComplete = false;
        return;
      }
    }
  }
  chain.steps.push_back(std::move(next));
}

StageRun StageFronts::firstLike(const StageRun& run) const {
  StageRun first = run;
  first.begin = runs_.firstLike(run.begin, run.end);
  first.end = first.begin + (run.end - run.begin);
  return first;
}

const StageFront* StageFronts::exact(const StageRun& run,
                                     const FrontKind& kind) {
  const StageRun first = firstLike(run);
  Chain& chain = chainOf(first, kind);
  const int64_t length = run.end - run.begin;
  while (chain.isComplete && static_cast<int64_t>(chain.steps.size()) < length)
    extend(chain, first);
  if (static_cast<int64_t>(chain.steps.size()) < length) return nullptr;

  const auto [entry, isNew] =
      chain.fronts.try_emplace({length, run.after}, StageFront());
  StageFront& front = entry->second;
  if (!isNew) return &front;
  const auto same = [](const StageWay& way) -> const StageWay& { return way; };
  for (int64_t layout = 0; layout < case_.numLayouts(); ++layout) {
    const double transfer = run.after == StageRun::kNone
                                ? 0
                                : boundaries_.all[run.after].before[layout];
    if (transfer == kInfinite) continue;
    for (const Step& last : chain.steps[length - 1][layout]) {
      StageWay way = last.way;
      addBothWays(way, transfer);
      // Bytes do not distinguish the ways of a stage that is alone.
      if (kind.isAlone) way.bytes = way.transient = 0;
      way.options.resize(length);
      const Step* step = &last;
      for (int64_t i = length; i-- > 0;) {
        way.options[i] = step->option;
        if (i > 0)
          step = &chain.steps[i - 1][step->layoutBefore][step->indexBefore];
      }
      addToFront(front.ways, std::move(way), same);
    }
  }
  return &front;
}

const StageFront& StageFronts::near(const StageRun& run, const FrontKind& kind,
                                    double microBatches, double room) {
  const StageRun first = firstLike(run);
  const auto [entry, isNew] =
      chainOf(first, kind)
          .near.try_emplace({run.end - run.begin, run.after, room},
                            StageFront());
  StageFront& front = entry->second;
  if (!isNew) return front;
  front.isExact = false;
  const double n = microBatches;
  const auto same = [](const StageWay& way) -> const StageWay& { return way; };
  for (const TimeWeights& weights :
       {TimeWeights{n, n, n, 1}, TimeWeights{1, 1, 1, 1}})
    for (std::vector<int64_t>& options :
         prices_.plansOf(first, weights, kind.load, room)) {
      StageWay way =
          wayOf(problem_, case_, boundaries_, first, kind, std::move(options));
      // A stage that is alone fits, so that its bytes no longer count.
      if (kind.isAlone) way.bytes = way.transient = 0;
      addToFront(front.ways, std::move(way), same);
    }
  return front;
}

double StageFront::least(const TimeWeights& weights) const {
  double least = kInfinite;
  for (const StageWay& way : ways) least = std::min(least, weights.of(way));
  return least;
}

}  // namespace sbp::search
