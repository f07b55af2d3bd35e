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

  void runOnOperation() override {
    StageQuestion question;
    question.numStages = stages;
    question.numGroups = groups > 0 ? groups : stages;
    question.microBatches = microBatches;
    question.schedule = schedule;
    question.memoryBytes = memory;
    question.searchSeconds = searchSeconds;
    question.searchMemoryBytes = searchMemory;
    if (failed(verifyTensors(getOperation())) ||
        failed(chooseStages(getOperation(), question)))
      signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
