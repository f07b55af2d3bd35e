#include "passes/search/chain/Units.h"
#include "tools/lab/GptSearch.h"

namespace sbp::search::lab {
namespace {

const char* nameOf(Phase phase) {
  switch (phase) {
    case Phase::Slice:
      return "slice";
    case Phase::ReduceScatter:
      return "reduce-scatter";
    case Phase::Exchange:
      return "all-to-all";
    case Phase::Gather:
      return "all-gather";
    case Phase::MakeTerms:
      return "make terms";
  }
  return "";
}

class PlanWriter {
 public:
  PlanWriter(const Chain& chain, const LayoutSpace& space)
      : chain_(chain), space_(space) {}

  Json block(const Block& block, const LiftedBlock& lifted) const {
    Json json{{"block", block.name}, {"steps", steps(block, lifted.branch)}};
    if (!lifted.skip.empty()) json["skip"] = steps(block, lifted.skip);
    if (!lifted.residual.empty()) json["residual"] = axes(lifted.residual);
    return json;
  }

 private:
  Json axes(const AxisKinds& layout) const {
    return lettersOf(chain_, space_, layout);
  }

  /// Returns the steps as JSON. Consecutive steps of one phase at one level are
  /// one entry.
  Json steps(const Block& block, const std::vector<LiftedStep>& lifted) const {
    Json all = Json::array();
    for (size_t i = 0; i < lifted.size(); ++i) {
      const LiftedStep& step = lifted[i];
      if (step.what == TransitionStep::What::Run) {
        all.push_back({{"op", block.ops[step.op].name},
                       {"axes", axes(step.reached)},
                       {"seconds", secondsOf(chain_, step.ticks)}});
        if (step.bytes > 0) all.back()["bytes"] = step.bytes;
        if (step.bytes > 0 && block.ops[step.op].parameters > 0)
          all.back()["weights"] = sbp::search::nameOf(step.storage);
        continue;
      }
      double devices = step.devices;
      Ticks ticks = step.ticks;
      for (; i + 1 < lifted.size() && lifted[i + 1].what == step.what &&
             lifted[i + 1].op == step.op && lifted[i + 1].phase == step.phase &&
             lifted[i + 1].level == step.level;
           ++i) {
        devices *= lifted[i + 1].devices;
        ticks += lifted[i + 1].ticks;
      }
      all.push_back({{"move", nameOf(step.phase)},
                     {"level", step.level},
                     {"devices", devices},
                     {"seconds", secondsOf(chain_, ticks)}});
    }
    return all;
  }

  const Chain& chain_;
  const LayoutSpace& space_;
};

}  // namespace

Json planToJson(const Chain& chain, const LayoutSpace& space,
                const LiftedPlan& plan) {
  PlanWriter writer(chain, space);
  Json layers = Json::array();
  layers.push_back(
      {{"layers", "head"}, {"blocks", {writer.block(chain.head, plan.head)}}});
  size_t next = 0;
  int64_t layer = 0;
  for (const Repetition& part : chain.body)
    for (int64_t i = 0; i < part.times; ++i, ++layer) {
      Json blocks = Json::array();
      for (int64_t block : part.blocks)
        blocks.push_back(
            writer.block(chain.blocks[block], plan.blocks[next++]));
      if (layer > 0 && layers.back()["blocks"] == blocks) {
        layers.back()["layers"][1] = layer;
        continue;
      }
      layers.push_back({{"layers", {layer, layer}}, {"blocks", blocks}});
    }
  layers.push_back(
      {{"layers", "tail"}, {"blocks", {writer.block(chain.tail, plan.tail)}}});
  return layers;
}

}  // namespace sbp::search::lab
