#include "codegen/driver/Explain.h"

#include <cmath>
#include <limits>
#include <optional>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/BringToBoxed.h"
#include "codegen/driver/ChoosePipeline.h"
#include "codegen/driver/ExplanationJson.h"
#include "codegen/driver/ExplanationText.h"
#include "codegen/driver/FusedTimes.h"
#include "codegen/driver/LaunchCounts.h"
#include "codegen/driver/ModelSession.h"
#include "codegen/driver/PluginOps.h"
#include "codegen/driver/StagesReport.h"
#include "codegen/driver/UnplacedModel.h"
#include "codegen/driver/WriteText.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/explain/PipelineExplanation.h"
#include "passes/explain/SignaturePrices.h"
#include "passes/module/PlacedTypes.h"
#include "passes/placement/DivideLevels.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/SearchLayers.h"
#include "passes/placement/Target.h"
#include "passes/placement/VerifySignatures.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/plan/Placeable.h"
#include "passes/plan/Plan.h"
#include "passes/search/problem/Cfn.h"
#include "passes/search/program/EntryProblem.h"
#include "passes/stages/Stages.h"
#include "runtime/file/OutputFile.h"
#include "runtime/text/Printable.h"

namespace sbp {

using llvm::StringRef;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::success;

namespace {

/// Returns `explanation` without the control characters that names may have.
std::string forPeople(const std::string& explanation) {
  return text::printable(explanation, "\n");
}

LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& options = {},
                      std::optional<Form> from = std::nullopt) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, options, passes, from);
  return passes.run(module);
}

/// Returns the seconds of one run of `entry` if `differentiated` is placed by
/// propagation.
FailureOr<double> propagatedSeconds(ModuleOp differentiated, StringRef entry,
                                    const Target& target,
                                    const Device& device) {
  mlir::OwningOpRef<ModuleOp> module = differentiated.clone();
  Propagation propagation(target.mesh, /*splitsInputs=*/!hasPin(*module));
  if (failed(placeModule(*module, {target.name, target.mesh}, propagation)) ||
      failed(bringTo(Form::Boxed, *module)))
    return failure();
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(*module);
  if (failed(meshes)) return failure();
  const FailureOr<Explanation> explanation = explain(*module, *meshes, device);
  if (failed(explanation)) return failure();
  for (const ExplainedEntry& explained : explanation->entries)
    if (explained.name == entry)
      return explained.computing() + explained.communicating();
  return failure();
}

/// Searches for a plan, places `module` by it, and notes costs and alternatives
/// in `report`. If `problem` is not null, writes to it the text of the problem
/// of the entry that is searched first.
LogicalResult placeBySearch(ModuleOp module, const Target& target,
                            const Device& device, const PlaceOptions& options,
                            bool withFront, PlanReport& report,
                            std::string* problem) {
  if ((options.divideLevels && failed(divideLevels(module))) ||
      failed(verifyPlaceable(module, {target.name, target.mesh})) ||
      failed(verifySignatures(module)))
    return failure();
  FreeLayers copies;
  FailureOr<search::SearchedPlan> searched = [&] {
    WatchedSearch watched(module.getContext(), options.searchSeconds,
                          options.searchMemory);
    return searchLayers(module, target.mesh, device, options.space,
                        options.layers, copies, options.goal, watched.run());
  }();
  if (failed(searched)) return failure();
  report.searched = searched->entries;
  FailureOr<double> propagated =
      propagatedSeconds(module, report.searched.front().entry, target, device);
  if (failed(propagated)) return failure();
  report.propagated = *propagated;
  // Alternatives get search time of their own, so that the plan is that of
  // sbpc.
  WatchedSearch watched(module.getContext(), options.searchSeconds,
                        options.searchMemory);
  report.alternatives = {};
  // A search for little memory is made if no other plan fits. Its plan mostly
  // does not fit either, so no alternatives are searched for.
  if (options.goal == SearchGoal::Time) {
    search::FrontOptions front;
    if (withFront) front.step = 0.8;
    FailureOr<search::Alternatives> alternatives =
        search::findAlternatives(module, target.mesh, device, *searched,
                                 options.space, front, watched.run());
    if (failed(alternatives)) return failure();
    report.alternatives = std::move(*alternatives);
  }
  if (problem) {
    FailureOr<search::Problem> ofEntry =
        search::problemOfEntry(module, searched->entries.front().entry,
                               target.mesh, device, watched.run());
    if (failed(ofEntry)) return failure();
    *problem = search::cfnOf(*ofEntry, report.model);
  }
  Planned planned(searched->plan);
  if (failed(placeModule(module, {target.name, target.mesh}, planned)))
    return failure();
  copies.mergeEqualCopies();
  return success();
}

/// Returns an option that is given and needs the search of one plan for the
/// whole model, or an empty text if there is none.
StringRef searchOption(const ExplainOptions& options) {
  if (options.withFront) return "--front";
  return options.problemPath.empty() ? "" : "--dump-problem";
}

/// Whether some output shows all details.
bool hasDetails(const ExplainOptions& options) {
  return options.withDetails || options.isJson || !options.htmlPath.empty();
}

/// Does the work of explainModel for a model with stages.
LogicalResult explainStages(mlir::OwningOpRef<ModuleOp> module,
                            const ExplainOptions& options,
                            const std::optional<PipelineChoices>& choices,
                            Backend& backend) {
  const KernelTarget& kernels = backend.target();
  mlir::MLIRContext* context = module->getContext();
  if (StringRef option = searchOption(options); !option.empty())
    return module->emitError()
           << option
           << ": the model is cut into stages, of which each has a plan of its "
              "own";
  FailureOr<Device> boxed = bringToBoxed(module, options.pipeline, kernels);
  if (failed(boxed)) return failure();
  const Device& device = *boxed;
  StagesReport report;
  report.choices = choices;
  report.model = module->getName()->str();
  report.memoryBytes = device.memoryBytes;
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(*module);
  if (failed(meshes)) return failure();
  auto pipeline = explainPipeline(*module, *meshes, device,
                                  kernelSharesIn(*module, device));
  if (failed(pipeline)) return failure();
  report.pipeline = std::move(*pipeline);
  if (hasDetails(options)) {
    auto signatures = priceSignatures(*module, *meshes, device);
    if (failed(signatures)) return failure();
    report.signatures = std::move(*signatures);
  }
  if (auto uses = allArenas(*module, kernels)) report.memory = std::move(*uses);
  report.launches = LaunchCounts::of(*module, backend);
  if (!options.htmlPath.empty() &&
      failed(writeText(context, options.htmlPath, pageOf(jsonOf(report)))))
    return failure();
  if (!options.tracePath.empty() &&
      failed(writeText(context, options.tracePath, traceOf(report))))
    return failure();
  return writeText(context, "-",
                   options.isJson
                       ? jsonOf(report)
                       : forPeople(textOf(report, options.withDetails)));
}

/// Returns a report of a plan for `module` that has all but the plan.
PlanReport startReport(ModuleOp module, const Target& target,
                       const ExplainOptions& options) {
  PlanReport report;
  report.model = module.getName()->str();
  report.mesh = target.mesh;
  report.device = target.deviceOrAssumed(module);
  if (options.pipeline.place.memory > 0)
    report.device.memoryBytes = options.pipeline.place.memory;
  report.space = options.pipeline.place.space;
  return report;
}

/// Explains `module`, which is placed, and writes the explanation and the HTML
/// page, if `options` have one.
LogicalResult finishReport(ModuleOp module, PlanReport& report,
                           const ExplainOptions& options, Backend& backend) {
  if (failed(bringTo(Form::Boxed, module))) return failure();
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(module);
  if (failed(meshes)) return failure();
  FailureOr<Explanation> explanation = explain(
      module, *meshes, report.device, kernelSharesIn(module, report.device));
  if (failed(explanation)) return failure();
  report.explanation = std::move(*explanation);
  if (hasDetails(options)) {
    auto signatures = priceSignatures(module, *meshes, report.device);
    if (failed(signatures)) return failure();
    report.signatures = std::move(*signatures);
  }
  report.launches = LaunchCounts::of(module, backend);
  mlir::MLIRContext* context = module.getContext();
  if (!options.htmlPath.empty() &&
      failed(writeText(context, options.htmlPath, htmlOf(report))))
    return failure();
  return writeText(
      context, "-",
      options.isJson
          ? jsonOf(report)
          : forPeople(textOf(report, options.withDetails ? TextLength::Full
                                                         : TextLength::Page)));
}

/// Does the work of explainModel for a model without stages that is not placed
/// yet.
LogicalResult explainUnplaced(mlir::OwningOpRef<ModuleOp> module,
                              const ExplainOptions& options,
                              const std::optional<PipelineChoices>& choices,
                              Backend& backend) {
  const KernelTarget& kernels = backend.target();
  mlir::MLIRContext* context = module->getContext();
  UnplacedModel unplaced(std::move(module), options.pipeline);
  FailureOr<ModuleOp> differentiated = unplaced.differentiated();
  if (failed(differentiated)) return failure();
  mlir::OwningOpRef<ModuleOp> divided = differentiated->clone();
  if (options.pipeline.place.divideLevels && failed(divideLevels(*divided)))
    return failure();
  FailureOr<Target> target =
      chooseTarget(*divided, options.pipeline.place.mesh);
  if (failed(target)) return failure();
  PlanReport report = startReport(*divided, *target, options);
  report.choices = choices;
  std::string problem;
  // The model is placed as sbpc places it, so that the plan is the same.
  auto place =
      [&](mlir::OwningOpRef<ModuleOp>& placed,
          const PipelineOptions& pipeline) -> FailureOr<std::optional<double>> {
    Device limited = report.device;
    limited.memoryBytes = pipeline.place.memory;
    if (failed(placeBySearch(*placed, *target, limited, pipeline.place,
                             options.withFront || !options.htmlPath.empty(),
                             report,
                             options.problemPath.empty() ? nullptr : &problem)))
      return failure();
    return std::isfinite(pipeline.place.memory)
               ? arenaBytesOf(*placed, kernels, report.device.memoryBytes)
               : std::nullopt;
  };
  auto found = unplaced.placeWithin(report.device.memoryBytes, kernels, place);
  if (failed(found)) return failure();
  // Replaces the bytes that the search counted by those that are allocated.
  if (auto uses = largestArenaByEntry(**found, kernels))
    for (search::EntryCost& cost : report.searched)
      for (ArenaUse& use : *uses)
        if (use.entry == cost.entry) cost.memory = use.parts;
  if (!options.problemPath.empty() &&
      failed(writeText(context, options.problemPath, problem)))
    return failure();
  return finishReport(**found, report, options, backend);
}

}  // namespace

LogicalResult explainModel(const ExplainOptions& asked) {
  ExplainOptions options = asked;
  std::unique_ptr<ModelSession> session = ModelSession::create(options);
  if (!session) return failure();
  Backend& backend = session->backend();
  mlir::OwningOpRef<ModuleOp> module = session->load(options.source);
  if (!module) return failure();
  // The output is checked before the work, not after it.
  for (const std::string& path :
       {options.htmlPath, options.problemPath, options.tracePath})
    if (!path.empty() &&
        failed(reportError(&session->context(), file::checkWritable(path))))
      return failure();
  if (failed(checkPluginOps(*module))) return failure();
  Form given = formOf(*module);
  if (given > Form::Boxed)
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form, in which it no longer shows whose tensors move; "
              "explain takes any form up to the boxed one";
  if (StringRef option = searchOption(options);
      given >= Form::Placed && !option.empty())
    return module->emitError()
           << option << ": the model is in the " << stringOf(given)
           << " form, in which its placements are decided";
  const bool asksWhatIf = options.wish == PipelineWish::Asked;
  FailureOr<std::optional<PipelineChoices>> choices =
      choosePipeline(*module, backend.target(), options.pipeline, options.wish,
                     asksWhatIf ? PricedFor::WhatIf : PricedFor::Choice);
  if (failed(choices)) return failure();
  if (*choices && asksWhatIf) (*choices)->whatIf = whatIfOf(**choices);
  if (options.pipeline.cut.stages > 0) {
    if (failed(bringTo(Form::Logical, *module, options.pipeline)))
      return failure();
    options.pipeline.cut.stages = 0;
  }
  if (stagesOf(*module))
    return explainStages(std::move(module), options, *choices, backend);
  if (!options.tracePath.empty())
    return module->emitError()
           << "the model has no stages, and a trace shows when each of them "
              "runs; sbpc --stages cuts a model";
  if (given < Form::Placed)
    return explainUnplaced(std::move(module), options, *choices, backend);
  if (failed(checkOptions(*module, options.pipeline))) return failure();
  FailureOr<Target> target = chooseTarget(*module, options.pipeline.place.mesh);
  if (failed(target)) return failure();
  PlanReport report = startReport(*module, *target, options);
  return finishReport(*module, report, options, backend);
}

}  // namespace sbp
