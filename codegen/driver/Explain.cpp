#include "codegen/driver/Explain.h"

#include <cmath>
#include <limits>
#include <optional>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/ExplanationJson.h"
#include "codegen/driver/ExplanationText.h"
#include "codegen/driver/FitMemory.h"
#include "codegen/driver/LaunchCounts.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/StagesReport.h"
#include "codegen/driver/WriteText.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/PlacedTypes.h"
#include "passes/explain/PipelineExplanation.h"
#include "passes/placement/DivideLevels.h"
#include "passes/placement/Placeable.h"
#include "passes/placement/Plan.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/SearchLayers.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/search/Cfn.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/EntryProblem.h"
#include "passes/stages/Stages.h"
#include "runtime/file/OutputFile.h"

namespace sbp {

using llvm::StringRef;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::success;

namespace {

LogicalResult bringTo(Form form, ModuleOp module,
                      const PipelineOptions& options = {}) {
  mlir::PassManager passes(module.getContext());
  addPassesTo(form, options, passes);
  return passes.run(module);
}

/// Differentiates `module`, which is not placed yet; divides levels if that is
/// asked for.
LogicalResult prepare(ModuleOp module, const PipelineOptions& options) {
  if (failed(checkOptions(module, options)) ||
      failed(bringTo(Form::Differentiated, module, options)))
    return failure();
  return options.dividesLevels ? divideLevels(module) : success();
}

/// What one run of `entry` takes if `differentiated` is placed by propagation.
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
  for (const ExplainedEntry& explained :
       explain(*module, *meshes, device).entries)
    if (explained.name == entry)
      return explained.computing() + explained.communicating();
  return failure();
}

/// Searches a plan, and places `module` by it. `problem`, unless it is null,
/// becomes the text of the problem that is solved for the first entry.
LogicalResult placeBySearch(ModuleOp module, const Target& target,
                            const Device& device,
                            const PipelineOptions& options, bool withFront,
                            SearchGoal goal, PlanReport& report,
                            std::string* problem) {
  if (failed(verifyPlaceable(module, {target.name, target.mesh})))
    return failure();
  FreeLayers copies;
  FailureOr<search::SearchedPlan> searched = [&] {
    WatchedSearch watched(module.getContext(), options.searchSeconds,
                          options.searchMemoryBytes);
    return searchLayers(module, target.mesh, device, options.space,
                        options.layers, copies, goal, watched.run());
  }();
  if (failed(searched)) return failure();
  report.searched = searched->entries;
  FailureOr<double> propagated =
      propagatedSeconds(module, report.searched.front().entry, target, device);
  if (failed(propagated)) return failure();
  report.propagated = *propagated;
  // For what else there is as long again: the plan is to be that of sbpc.
  WatchedSearch watched(module.getContext(), options.searchSeconds,
                        options.searchMemoryBytes);
  report.alternatives = {};
  // A plan that takes little memory is mostly one that is still too large.
  if (goal == SearchGoal::Time) {
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
  copies.joinAlike();
  return success();
}

/// Places `module`, which has stages, as sbpc does, and brings it to the boxed
/// form.
LogicalResult placeStages(mlir::OwningOpRef<ModuleOp>& module,
                          const ExplainOptions& options, double memoryBytes,
                          const KernelTarget& kernels) {
  if (failed(checkOptions(*module, options.pipeline))) return failure();
  if (formOf(*module) >= Form::Placed || !std::isfinite(memoryBytes))
    return bringTo(Form::Boxed, *module, options.pipeline);
  const search::SearchRun searches({options.pipeline.searchSeconds});
  mlir::OwningOpRef<ModuleOp> given = std::move(module);
  auto attempt =
      [&](const PlanQuestion& question) -> FailureOr<std::optional<double>> {
    module = given->clone();
    const PipelineOptions pipeline =
        optionsFor(question, searches, options.pipeline);
    if (failed(bringTo(Form::Boxed, *module, pipeline))) return failure();
    return arenaBytesOf(*module, kernels, memoryBytes);
  };
  return searchUntilItFits(
      given->getLoc(), {memoryBytes, options.pipeline.microBatches}, attempt,
      [&] { return largestArenaOf(*module, kernels); });
}

/// explainModel of a model with stages.
LogicalResult explainStages(mlir::OwningOpRef<ModuleOp> module,
                            const ExplainOptions& options, Backend& backend) {
  const KernelTarget& kernels = backend.target();
  mlir::MLIRContext* context = module->getContext();
  if (!options.problemPath.empty() || options.withFront)
    return module->emitError()
           << (options.withFront ? "--front" : "--dump-problem")
           << ": the model is cut into stages, of which each has a plan of its "
              "own";
  FailureOr<Target> target = chooseTarget(*module, options.pipeline.mesh);
  if (failed(target)) return failure();
  // The search says what it assumes of the device.
  Device device = [&] {
    mlir::ScopedDiagnosticHandler silently(context, [](mlir::Diagnostic&) {});
    return target->deviceOrAssumed(*module);
  }();
  StagesReport report;
  report.model = module->getName()->str();
  report.memoryBytes = options.pipeline.memoryBytes > 0
                           ? options.pipeline.memoryBytes
                           : device.memoryBytes;
  if (failed(placeStages(module, options, report.memoryBytes, kernels)))
    return failure();
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(*module);
  if (failed(meshes)) return failure();
  auto pipeline = explainPipeline(*module, *meshes, device);
  if (failed(pipeline)) return failure();
  report.pipeline = std::move(*pipeline);
  if (auto uses = usesOfAllArenas(*module, kernels))
    report.memory = std::move(*uses);
  report.launches = LaunchCounts::of(*module, backend);
  if (!options.htmlPath.empty() &&
      failed(writeText(context, options.htmlPath, pageOf(jsonOf(report)))))
    return failure();
  if (!options.tracePath.empty() &&
      failed(writeText(context, options.tracePath, traceOf(report))))
    return failure();
  return writeText(
      context, "-",
      options.isJson ? jsonOf(report) : textOf(report, options.withDetails));
}

}  // namespace

LogicalResult explainModel(const ExplainOptions& options) {
  std::unique_ptr<ModelContext> context = ModelContext::create(
      options.dialectPlugins, [&](mlir::DialectRegistry& registry) {
        Backend::registerKernels(options.backend.kind, registry);
      });
  if (!context) return failure();
  FailureOr<std::unique_ptr<Backend>> backend =
      Backend::create(options.backend, context->get());
  if (failed(backend)) return failure();
  const KernelTarget& kernels = (*backend)->target();
  mlir::OwningOpRef<ModuleOp> module = loadModel(
      *context, options.source, [&](ModuleOp module, int64_t numRanks) {
        (*backend)->addMachine(module, numRanks);
      });
  if (!module) return failure();
  // The output before the work, not after it.
  for (const std::string& path :
       {options.htmlPath, options.problemPath, options.tracePath})
    if (!path.empty() &&
        failed(reportError(&context->get(), file::checkWritable(path))))
      return failure();
  Form given = formOf(*module);
  if (given > Form::Boxed)
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form, in which it no longer shows whose tensors move; "
              "explain takes any form up to the boxed one";
  if (given >= Form::Placed && !options.problemPath.empty())
    return module->emitError()
           << "the model is in the " << stringOf(given)
           << " form: its placements are decided, and there is no problem to "
              "write down";
  if (failed(cutModel(*module, options.cut, options.pipeline)))
    return failure();
  if (stagesOf(*module))
    return explainStages(std::move(module), options, **backend);
  if (!options.tracePath.empty())
    return module->emitError()
           << "the model has no stages, and a trace shows when each of them "
              "runs; sbpc --stages cuts a model";
  mlir::OwningOpRef<ModuleOp> logical = module->clone();
  if (failed(given < Form::Placed ? prepare(*module, options.pipeline)
                                  : checkOptions(*module, options.pipeline)))
    return failure();
  FailureOr<Target> target = chooseTarget(*module, options.pipeline.mesh);
  if (failed(target)) return failure();
  Device device = target->deviceOrAssumed(*module);
  if (options.pipeline.memoryBytes > 0)
    device.memoryBytes = options.pipeline.memoryBytes;
  PlanReport report;
  std::string problem;
  report.model = module->getName()->str();
  report.mesh = target->mesh;
  report.memoryBytes = device.memoryBytes;
  report.space = options.pipeline.space;
  if (given < Form::Placed) {
    // As sbpc does, so that it is its plan that is explained.
    const search::SearchRun searches({options.pipeline.searchSeconds});
    auto attempt =
        [&](const PlanQuestion& question) -> FailureOr<std::optional<double>> {
      const PipelineOptions pipeline =
          optionsFor(question, searches, options.pipeline);
      module = logical->clone();
      Device limited = device;
      limited.memoryBytes = question.memoryBytes;
      if (failed(prepare(*module, pipeline)) ||
          failed(placeBySearch(
              *module, *target, limited, pipeline,
              options.withFront || !options.htmlPath.empty(), question.goal,
              report, options.problemPath.empty() ? nullptr : &problem)))
        return failure();
      return std::isfinite(question.memoryBytes)
                 ? arenaBytesOf(*module, kernels, device.memoryBytes)
                 : std::nullopt;
    };
    if (failed(searchUntilItFits(
            logical->getLoc(),
            {device.memoryBytes, options.pipeline.microBatches}, attempt,
            [&] { return largestArenaOf(*module, kernels); })))
      return failure();
    // Not what was counted in the search, but what is allocated.
    if (auto uses = usesOfArenas(*module, kernels))
      for (search::EntryCost& cost : report.searched)
        for (ArenaUse& use : *uses)
          if (use.entry == cost.entry) cost.memory = use.parts;
  }
  if (failed(bringTo(Form::Boxed, *module))) return failure();
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(*module);
  if (failed(meshes)) return failure();
  report.explanation = explain(*module, *meshes, device);
  report.launches = LaunchCounts::of(*module, **backend);
  if (!options.htmlPath.empty() &&
      failed(writeText(&context->get(), options.htmlPath, htmlOf(report))))
    return failure();
  if (!options.problemPath.empty() &&
      failed(writeText(&context->get(), options.problemPath, problem)))
    return failure();
  return writeText(
      &context->get(), "-",
      options.isJson ? jsonOf(report)
                     : textOf(report, options.withDetails ? TextLength::Full
                                                          : TextLength::Page));
}

}  // namespace sbp
