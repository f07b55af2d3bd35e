// --sbp-choose-stages: a model is cut into stages by what its parts cost.

#include "passes/stages/ChooseStages.h"
#include "passes/stages/Passes.h"

namespace sbp {

#define GEN_PASS_DEF_CHOOSESTAGES
#include "passes/stages/Passes.h.inc"

namespace {

struct ChooseStages : impl::ChooseStagesBase<ChooseStages> {
  using ChooseStagesBase::ChooseStagesBase;

  void runOnOperation() override {
    StageQuestion question;
    question.numStages = stages;
    question.numGroups = groups > 0 ? groups : stages;
    question.microBatches = microBatches;
    question.memoryBytes = memory;
    question.searchSeconds = searchSeconds;
    question.searchMemoryBytes = searchMemory;
    if (failed(chooseStages(getOperation(), question))) signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
