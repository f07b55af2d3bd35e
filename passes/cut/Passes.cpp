#include "passes/cut/Passes.h"

#include "passes/cut/ChooseStages.h"
#include "passes/module/VerifyTensors.h"
#include "passes/options/CheckedPass.h"

namespace sbp {

#define GEN_PASS_DEF_CHOOSESTAGES
#include "passes/cut/Passes.h.inc"

namespace {

struct ChooseStages : CheckedPass<impl::ChooseStagesBase<ChooseStages>> {
  using CheckedPass::CheckedPass;

  static void declare(ChooseStagesOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<ChooseStages>();
    to.add(pass, pass->stages, options.stages, OptionGroup::Stages);
    to.add(pass, pass->groups, options.groups, OptionGroup::Stages);
    to.add(pass, pass->microBatches, options.microBatches, OptionGroup::Stages);
    to.add(pass, pass->reduceIn, options.reduceIn);
    to.add(pass, pass->schedule, options.schedule, OptionGroup::Stages);
    to.add(pass, pass->memory, options.memory);
    to.add(pass, pass->searchSeconds, options.searchSeconds);
    to.add(pass, pass->searchMemory, options.searchMemory);
  }

  void runOnOperation() override {
    ChooseStagesOptions options;
    options.stages = stages;
    options.groups = groups;
    options.microBatches = microBatches;
    options.reduceIn = reduceIn;
    options.schedule = schedule;
    options.memory = memory;
    options.searchSeconds = searchSeconds;
    options.searchMemory = searchMemory;
    if (failed(verifyTensors(getOperation())) ||
        failed(chooseStages(getOperation(), options)))
      signalPassFailure();
  }
};

}  // namespace

void declareOptions(ChooseStagesOptions& options, OptionDeclarer& to) {
  ChooseStages::declare(options, to);
}

}  // namespace sbp
