#include "passes/search/decisions/PinnedFlows.h"

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {
namespace {

/// Returns the uses of `flow` after the pin `behind`, as uses of a flow of
/// their own.
llvm::SmallVector<Flow::Use, 2> usesBehind(const Flow& flow, int64_t behind) {
  llvm::SmallVector<Flow::Use, 2> uses;
  for (Flow::Use use : flow.uses) {
    if (use.behind != behind) continue;
    use.behind = -1;
    uses.push_back(use);
  }
  return uses;
}

bool isOnlyUse(const Flow& flow, const Flow::Use& use) {
  return llvm::count_if(flow.uses, [&](const Flow::Use& other) {
           return other.behind == use.behind;
         }) == 1;
}

}  // namespace

bool hasPin(const Flow& flow) {
  return llvm::any_of(flow.uses,
                      [](const Flow::Use& use) { return use.behind >= 0; });
}

bool isPin(const Flow& flow, const Flow::Use& use) {
  int64_t number = &use - flow.uses.data();
  return llvm::any_of(flow.uses, [&](const Flow::Use& other) {
    return other.behind == number;
  });
}

std::vector<Flow> cutAtPins(const Flow& flow) {
  if (!hasPin(flow)) return {flow};
  std::vector<Flow> parts = {flow};
  parts.front().uses = usesBehind(flow, -1);
  for (auto [number, use] : llvm::enumerate(flow.uses)) {
    if (!isPin(flow, use)) continue;
    if (!isOnlyUse(flow, use)) return {flow};
    Flow& part = parts.emplace_back(flow);
    part.made = use.slot;
    part.uses = usesBehind(flow, static_cast<int64_t>(number));
  }
  return parts;
}

std::vector<Flow> usesApart(const Flow& flow) {
  std::vector<Flow> flows;
  for (const Flow::Use& use : flow.uses) {
    if (isPin(flow, use)) continue;
    // Collects the pins from the use back to the maker.
    llvm::SmallVector<Flow::Use, 2> uses = {use};
    while (uses.back().behind >= 0)
      uses.push_back(flow.uses[uses.back().behind]);
    Flow& apart = flows.emplace_back(flow);
    apart.uses.assign(uses.rbegin(), uses.rend());
    for (auto [number, passed] : llvm::enumerate(apart.uses))
      passed.behind = static_cast<int64_t>(number) - 1;
  }
  return flows;
}

}  // namespace sbp::search
