#include "passes/search/decisions/AlikeFlows.h"

#include <map>

#include "llvm/ADT/bit.h"

namespace sbp::search {

std::vector<int64_t> priceKeyOf(const Flow& flow) {
  std::vector<int64_t> key(flow.shape.begin(), flow.shape.end());
  key.insert(key.end(), {-1, flow.elementBytes, flow.mayMove, flow.keepsTerms,
                         llvm::bit_cast<int64_t>(flow.bucketing.totalBytes()),
                         flow.made.decision, flow.made.index});
  for (const Flow::Use& use : flow.uses)
    key.insert(key.end(),
               {use.slot.decision, use.slot.index, use.isStored, use.behind});
  return key;
}

std::vector<AlikeFlows> alikeFlowsOf(
    const DecisionGraph& graph, llvm::function_ref<bool(const Flow&)> isApart) {
  std::vector<AlikeFlows> alike;
  std::map<std::vector<int64_t>, size_t> known;
  for (size_t index = 0; index < graph.flows.size(); ++index) {
    const Flow& flow = graph.flows[index];
    if (!isApart || !isApart(flow)) {
      auto [entry, isNew] = known.try_emplace(priceKeyOf(flow), alike.size());
      if (!isNew) {
        AlikeFlows& like = alike[entry->second];
        like.flow.times += flow.times;
        like.members.push_back(index);
        continue;
      }
    }
    alike.push_back({flow, {index}});
  }
  return alike;
}

}  // namespace sbp::search
