#include "codegen/driver/UnplacedModel.h"

#include <utility>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/FitMemory.h"
#include "mlir/Pass/PassManager.h"
#include "passes/differentiate/Passes.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

FailureOr<ModuleOp> UnplacedModel::logical() {
  if (!isChecked_) {
    if (failed(checkOptions(*logical_, options_))) return failure();
    mlir::PassManager passes(logical_->getContext());
    addPassesTo(Form::Logical, options_, passes);
    if (failed(passes.run(*logical_))) return failure();
    isChecked_ = true;
  }
  return *logical_;
}

FailureOr<ModuleOp> UnplacedModel::differentiated(int64_t microBatches,
                                                  Kept kept) {
  auto known = differentiated_.find({microBatches, kept});
  if (known != differentiated_.end()) return *known->second;
  FailureOr<ModuleOp> logical = this->logical();
  if (failed(logical)) return failure();
  Module module = logical->clone();
  PipelineOptions options = options_;
  options.setMicroBatches(microBatches);
  options.keep.kept = kept;
  mlir::PassManager passes(module->getContext());
  // The logical form has the marks of the options of this object.
  if (kept != options_.keep.kept)
    passes.addPass(createKeepInLayers(options.keep));
  addPassesTo(Form::Differentiated, options, passes, Form::Logical);
  if (failed(passes.run(*module))) return failure();
  return *differentiated_
              .emplace(std::pair(microBatches, kept), std::move(module))
              .first->second;
}

FailureOr<UnplacedModel::Module> UnplacedModel::placeWithin(
    double memoryBytes, const KernelTarget& target, PlaceFunction place) {
  const search::SearchRun searches({options_.place.searchSeconds});
  Module module;
  auto attempt =
      [&](const PlanQuestion& question) -> FailureOr<std::optional<double>> {
    FailureOr<ModuleOp> unplaced =
        differentiated(question.microBatches, question.kept);
    if (failed(unplaced)) return failure();
    module = unplaced->clone();
    return place(module, optionsFor(question, searches, options_));
  };
  if (failed(searchUntilItFits(
          logical_->getLoc(),
          {memoryBytes, options_.differentiate.microBatches, SearchGoal::Time,
           options_.keep.kept, options_.effort},
          attempt, [&] { return largestArenaOf(*module, target); })))
    return failure();
  return module;
}

}  // namespace sbp
