#include "passes/stages/Passes.h"

#include "passes/module/VerifyTensors.h"
#include "passes/stages/CutStages.h"
#include "passes/stages/DividePipes.h"

namespace sbp {

#define GEN_PASS_DEF_CUTSTAGES
#define GEN_PASS_DEF_DIVIDEPIPES
#include "passes/stages/Passes.h.inc"

namespace {

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
