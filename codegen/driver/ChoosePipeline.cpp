#include "codegen/driver/ChoosePipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/driver/BringToBoxed.h"
#include "codegen/driver/Quantities.h"
#include "codegen/driver/Summary.h"
#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/cut/RankPipelines.h"
#include "passes/differentiate/Passes.h"
#include "passes/microbatches/AskedMicroBatches.h"
#include "passes/module/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/plan/Placeable.h"
#include "passes/stages/Stages.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Counted.h"

namespace sbp {

using mlir::success;

namespace {

/// Largest number of pipelines that are placed and timed, and of those that do
/// not fit into the memory. More of them may find a faster one where estimates
/// are close; each takes as long as to compile the model.
constexpr size_t kMostTimed = 5;
constexpr size_t kMostTooLarge = 5;

/// A pipeline is placed and timed only if its estimate is below this multiple
/// of the best time so far. Estimates of whole pipelines are mostly too low.
constexpr double kWorthTiming = 1.02;

class PipelineChooser {
 public:
  PipelineChooser(ModuleOp module, const KernelTarget& kernels,
                  const PipelineOptions& given, double memoryBytes,
                  PricedFor pricedFor)
      : module_(module),
        kernels_(kernels),
        given_(given),
        memoryBytes_(memoryBytes),
        pricedFor_(pricedFor) {}

  LogicalResult run(PipelineOptions& chosen) {
    FailureOr<PipelineRanking> ranking = rank(given_.keep.kept);
    if (failed(ranking)) return failure();
    if (ranking->isShortOfMemory && given_.keep.kept == Kept::All)
      rankWithLess(*ranking);
    chosen = given_;
    for (const EstimatedPipeline& pipeline : ranking->pipelines)
      choices_.pipelines.push_back({pipeline, std::nullopt});
    double best = std::numeric_limits<double>::infinity();
    const auto time = [&](size_t index) {
      ComparedPipeline& compared = choices_.pipelines[index];
      PipelineOptions options = optionsOf(compared.pipeline);
      const double seconds = secondsOf(options);
      compared.seconds = seconds;
      if (seconds >= best) return;
      best = seconds;
      choices_.chosen = index;
      chosen = std::move(options);
      chosen.cut.terse = false;
    };
    const auto isPlain = [&](const ComparedPipeline& compared) {
      return !compared.pipeline.isPipeline() &&
             compared.pipeline.microBatches == 1 &&
             compared.pipeline.kept == given_.keep.kept;
    };
    auto& all = choices_.pipelines;
    if (auto plain = llvm::find_if(all, isPlain); plain != all.end())
      time(plain - all.begin());
    size_t numTimed = 0, numTooLarge = 0;
    for (size_t index = 0; index < all.size(); ++index) {
      if (numTimed == kMostTimed || numTooLarge == kMostTooLarge ||
          all[index].pipeline.seconds >= kWorthTiming * best)
        break;
      if (all[index].seconds) continue;
      time(index);
      ++(std::isfinite(*all[index].seconds) ? numTimed : numTooLarge);
    }
    if (choices_.chosen && !isPlain(all[*choices_.chosen]))
      report(all[*choices_.chosen]);
    if (!choices_.chosen && ranking->smallest)
      reportSmallest(*ranking->smallest, ranking->smallestBytes);
    choices_.priced = std::move(ranking->priced);
    return success();
  }

  PipelineChoices take() { return std::move(choices_); }

 private:
  /// Returns the pipelines of the model if its layers keep `kept`.
  FailureOr<PipelineRanking> rank(Kept kept) {
    mlir::OwningOpRef<ModuleOp> marked = module_.clone();
    KeepInLayersOptions keep = given_.keep;
    keep.kept = kept;
    mlir::PassManager marking(module_.getContext());
    marking.addPass(createKeepInLayers(keep));
    if (failed(marking.run(*marked))) return failure();
    ChooseStagesOptions cut = given_.cut;
    cut.schedule = given_.schedule.schedule;
    return rankPipelines(*marked, memoryBytes_, cut, kept, pricedFor_);
  }

  /// Adds pipelines whose layers keep less to `ranking`, which has those whose
  /// layers keep all. Adds none if the model has no layers.
  void rankWithLess(PipelineRanking& ranking) {
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic&) { return success(); });
    for (Kept kept : {Kept::Products, Kept::Inputs}) {
      FailureOr<PipelineRanking> less = rank(kept);
      if (failed(less)) continue;
      for (EstimatedPipeline& pipeline : less->pipelines)
        ranking.pipelines.push_back(std::move(pipeline));
      for (PricedPipelines& priced : less->priced)
        ranking.priced.push_back(std::move(priced));
      // The smallest one is that of the layers that keep the least.
      if (ranking.smallest &&
          (!less->smallest || less->smallestBytes < ranking.smallestBytes)) {
        ranking.smallest = less->smallest;
        ranking.smallestBytes = less->smallestBytes;
      }
      // Layers that keep even less take longer.
      if (!less->isShortOfMemory) break;
    }
    llvm::sort(ranking.pipelines, isFaster);
  }

  PipelineOptions optionsOf(const EstimatedPipeline& pipeline) const {
    PipelineOptions options = given_;
    options.cut.terse = true;
    options.keep.kept = pipeline.kept;
    if (pipeline.isPipeline()) {
      options.cut.stages = pipeline.stages;
      options.cut.groups = pipeline.groups;
      options.cut.schedule = options.schedule.schedule = pipeline.schedule;
    }
    if (pipeline.microBatches > 1)
      options.setMicroBatches(pipeline.microBatches);
    return options;
  }

  /// Returns the predicted seconds of the model that `options` make; infinite
  /// if it does not fit into the memory.
  double secondsOf(const PipelineOptions& options) {
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic&) { return success(); });
    const double none = std::numeric_limits<double>::infinity();
    mlir::OwningOpRef<ModuleOp> planned(module_.clone());
    if (failed(bringToBoxed(planned, options, kernels_))) return none;
    const std::optional<PredictedTime> time = predictTime(*planned, "");
    return time ? time->seconds : none;
  }

  void report(const ComparedPipeline& chosen) {
    const auto& [pipeline, seconds] = chosen;
    std::string text = fmt::format("a step takes {} {}", secondsText(*seconds),
                                   descriptionOf(pipeline));
    if (const double without = choices_.secondsWithout();
        pipeline.isPipeline() && std::isfinite(without))
      text += "; without a pipeline it takes " + secondsText(without);
    mlir::emitRemark(trainedEntryOf(module_).getLoc())
        << text << "; " << argumentsOf(pipeline) << " makes the same program";
  }

  void reportSmallest(const EstimatedPipeline& pipeline, double bytes) {
    mlir::emitRemark(trainedEntryOf(module_).getLoc()) << fmt::format(
        "no pipeline fits into {} either; the least memory that "
        "one needs is about {}: {} ({})",
        bytes::toText(memoryBytes_), bytes::toText(bytes),
        descriptionOf(pipeline), argumentsOf(pipeline));
  }

  static std::string descriptionOf(const EstimatedPipeline& pipeline) {
    if (!pipeline.isPipeline() && pipeline.microBatches == 1)
      return "without a pipeline";
    if (!pipeline.isPipeline())
      return fmt::format("in {} micro-batches, without a pipeline",
                         pipeline.microBatches);
    return fmt::format("as a pipeline of {} on {}, in {} micro-batches by {}",
                       text::counted(pipeline.stages, "stage"),
                       text::counted(pipeline.groups.numGroups(), "group"),
                       pipeline.microBatches, pipeline.schedule);
  }

  /// Returns the command-line arguments that make `pipeline`.
  static std::string argumentsOf(const EstimatedPipeline& pipeline) {
    std::string arguments =
        fmt::format("--micro-batches {}", pipeline.microBatches);
    if (pipeline.isPipeline())
      arguments = fmt::format("--stages {} --groups {} {} --schedule {}",
                              pipeline.stages, pipeline.groups.str(), arguments,
                              pipeline.schedule);
    if (pipeline.kept != Kept::All)
      arguments += fmt::format(" --keep {}", stringOf(pipeline.kept));
    return arguments;
  }

  ModuleOp module_;
  const KernelTarget& kernels_;
  const PipelineOptions& given_;
  const double memoryBytes_;
  const PricedFor pricedFor_;
  PipelineChoices choices_;
};

}  // namespace

FailureOr<std::optional<PipelineChoices>> choosePipeline(
    ModuleOp module, const KernelTarget& kernels, PipelineOptions& pipeline,
    PricedFor pricedFor) {
  const char* fixed = formOf(module) != Form::Logical ? "is differentiated"
                      : stagesOf(module)              ? "has stages"
                      : hasPin(module)                ? "has pins"
                      : !trainedEntryOf(module)       ? "trains no function"
                      : pipeline.place.placeBy != PlaceBy::Search
                          ? "is placed without a search"
                          : nullptr;
  if (fixed) {
    module.emitRemark() << "--plan chooses no pipeline: the model " << fixed;
    return std::optional<PipelineChoices>();
  }
  // Later passes report a target that is missing.
  std::optional<double> memoryBytes;
  {
    mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                           [](mlir::Diagnostic&) {});
    FailureOr<Target> target = chooseTarget(module, pipeline.place.mesh);
    if (failed(target) || target->mesh.numRanks() == 1)
      return std::optional<PipelineChoices>();
    memoryBytes = target->device ? target->device->memoryBytes
                                 : std::numeric_limits<double>::infinity();
  }
  if (pipeline.place.memory > 0) memoryBytes = pipeline.place.memory;
  FailureOr<int64_t> asked =
      askedMicroBatches(module, pipeline.differentiate.microBatches);
  if (failed(asked)) return failure();
  pipeline.setMicroBatches(*asked);
  const PipelineOptions given = pipeline;
  PipelineChooser chooser(module, kernels, given, *memoryBytes, pricedFor);
  if (failed(chooser.run(pipeline))) return failure();
  return std::optional(chooser.take());
}

}  // namespace sbp
