#include "passes/cut/Passes.h"

#include "passes/cut/ChooseStages.h"
#include "passes/microbatches/AskedMicroBatches.h"
#include "passes/module/VerifyTensors.h"
#include "passes/options/CheckedPass.h"

namespace sbp {

#define GEN_PASS_DEF_CHOOSESTAGES
#include "passes/cut/Passes.h.inc"

namespace {

struct ChooseStages
    : CheckedPass<ChooseStages, impl::ChooseStagesBase<ChooseStages>,
                  ChooseStagesOptions> {
  using CheckedPass::CheckedPass;

  static void declare(ChooseStagesOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<ChooseStages>();
    pass->forEachOption(options,
                        [&](auto& option, auto& field, OptionGroup group) {
                          to.add(pass, option, field, group);
                        });
    to.need("groups", "stages");
  }

  void runOnOperation() override {
    ChooseStagesOptions options;
    forEachOption(options, [](auto& option, auto& field, OptionGroup) {
      field = option.getValue();
    });
    FailureOr<int64_t> asked =
        askedMicroBatches(getOperation(), options.microBatches);
    if (failed(asked)) return signalPassFailure();
    options.microBatches = *asked;
    if (failed(verifyTensors(getOperation())) ||
        failed(chooseStages(getOperation(), options)))
      signalPassFailure();
  }

 private:
  /// Calls `visit` for each option of the pass, with the field of `options`
  /// that has its value and the group that lists it in help.
  template <typename Visit>
  void forEachOption(ChooseStagesOptions& options, Visit visit) {
    visit(stages, options.stages, OptionGroup::Stages);
    visit(groups, options.groups, OptionGroup::Stages);
    visit(microBatches, options.microBatches, OptionGroup::Stages);
    visit(reduceIn, options.reduceIn, OptionGroup::Plan);
    visit(schedule, options.schedule, OptionGroup::Stages);
    visit(memory, options.memory, OptionGroup::Plan);
    visit(searchSeconds, options.searchSeconds, OptionGroup::Plan);
    visit(searchMemory, options.searchMemory, OptionGroup::Plan);
    visit(terse, options.terse, OptionGroup::Internal);
  }
};

}  // namespace

void declareOptions(ChooseStagesOptions& options, OptionDeclarer& to) {
  ChooseStages::declare(options, to);
}

}  // namespace sbp
