#include "passes/stages/Passes.h"

#include "passes/VerifyTensors.h"
#include "passes/options/CheckedPass.h"
#include "passes/stages/ChooseStages.h"
#include "passes/stages/CutStages.h"
#include "passes/stages/DividePipes.h"

namespace sbp {

#define GEN_PASS_DEF_CHOOSESTAGES
#define GEN_PASS_DEF_CUTSTAGES
#define GEN_PASS_DEF_DIVIDEPIPES
#include "passes/stages/Passes.h.inc"

namespace {

struct ChooseStages : CheckedPass<impl::ChooseStagesBase<ChooseStages>> {
  using CheckedPass::CheckedPass;

  void runOnOperation() override {
    StageQuestion question;
    question.numStages = stages;
    question.numGroups = groups > 0 ? groups : stages;
    question.microBatches = microBatches;
    question.reduceIn = reduceIn;
    question.schedule = schedule;
    question.memoryBytes = memory;
    question.searchSeconds = searchSeconds;
    question.searchMemoryBytes = searchMemory;
    if (failed(verifyTensors(getOperation())) ||
        failed(chooseStages(getOperation(), question)))
      signalPassFailure();
  }
};

struct CutStages : impl::CutStagesBase<CutStages> {
  void runOnOperation() override {
    if (failed(verifyTensors(getOperation())) ||
        failed(cutStages(getOperation())))
      signalPassFailure();
  }
};

struct DividePipes : impl::DividePipesBase<DividePipes> {
  void runOnOperation() override {
    if (failed(verifyTensors(getOperation())) ||
        failed(dividePipes(getOperation())))
      signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
