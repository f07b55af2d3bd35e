#include "passes/search/decisions/Restriction.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

Restriction::Restriction(
    const DecisionGraph& graph,
    llvm::function_ref<bool(size_t decision, State state)> keeps)
    : graph_(graph) {
  for (auto [index, decision] : llvm::enumerate(graph_.decisions)) {
    std::vector<State>& kept = kept_.emplace_back();
    std::vector<Decision::State> states;
    for (State state = 0; state < static_cast<State>(decision.states.size());
         ++state) {
      if (!keeps(index, state)) continue;
      kept.push_back(state);
      states.push_back(std::move(decision.states[state]));
    }
    decision.states = std::move(states);
  }
}

void Restriction::keepInPlace(llvm::function_ref<bool(const Flow&)> isKept) {
  for (Flow& flow : graph_.flows) flow.mayMove &= !isKept(flow);
}

Assignment Restriction::inWhole(const Assignment& assignment) const {
  Assignment whole;
  for (auto [kept, state] : llvm::zip(kept_, assignment))
    whole.push_back(kept[state]);
  return whole;
}

std::optional<Assignment> Restriction::inPart(const Assignment& whole) const {
  Assignment part;
  for (auto [kept, state] : llvm::zip(kept_, whole)) {
    auto found = llvm::lower_bound(kept, state);
    if (found == kept.end() || *found != state) return std::nullopt;
    part.push_back(static_cast<State>(found - kept.begin()));
  }
  return part;
}

Restriction onlyLeast(
    const DecisionGraph& graph,
    llvm::function_ref<int64_t(size_t decision, const Decision::State& state)>
        number) {
  std::vector<std::vector<int64_t>> numbers;
  for (auto [index, decision] : llvm::enumerate(graph.decisions)) {
    std::vector<int64_t>& of = numbers.emplace_back();
    for (const Decision::State& state : decision.states)
      of.push_back(number(index, state));
    // What is above the least.
    const int64_t least = *llvm::min_element(of);
    for (int64_t& each : of) each -= least;
  }
  return Restriction(graph, [&](size_t decision, State state) {
    return numbers[decision][state] == 0;
  });
}

}  // namespace sbp::search
