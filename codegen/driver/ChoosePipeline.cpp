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
#include "dialects/sbp/MicroBatchesMark.h"
#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/cut/RankPipelines.h"
#include "passes/differentiate/Passes.h"
#include "passes/module/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/plan/Placeable.h"
#include "passes/stages/LiftParameterReads.h"
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
    FailureOr<PipelineRanking> ranking =
        rank(given_.keep.kept, /*ofMore=*/nullptr, pricedFor_);
    if (failed(ranking)) return failure();
    const bool mayKeepLess =
        ranking->isShortOfMemory && given_.keep.kept == Kept::All;
    if (mayKeepLess) rankWithLess(*ranking);
    for (const EstimatedPipeline& pipeline : ranking->pipelines)
      choices_.pipelines.push_back({pipeline, std::nullopt});
    // Plans that take little memory are slow, and take long to find.
    timeBest(FitEffort::Fastest);
    if (!choices_.chosen) timeBest(FitEffort::Smallest);
    if (choices_.chosen) {
      const ComparedPipeline& best = choices_.pipelines[*choices_.chosen];
      chosen = optionsOf(best.pipeline);
      if (!isPlain(best)) report(best);
    } else if (ranking->smallest) {
      reportSmallest(*ranking->smallest, ranking->smallestBytes);
    }
    choices_.priced = std::move(ranking->priced);
    if (mayKeepLess && pricedFor_ == PricedFor::WhatIf) priceWithLess();
    return success();
  }

  PipelineChoices take() { return std::move(choices_); }

 private:
  /// Returns the pipelines of the model if its layers keep `kept`, priced for
  /// `use`. `ofMore` are the times if they keep more, or null.
  FailureOr<PipelineRanking> rank(Kept kept, const PricedTimes* ofMore,
                                  PricedFor use) {
    mlir::OwningOpRef<ModuleOp> marked = module_.clone();
    KeepInLayersOptions keep = given_.keep;
    keep.kept = kept;
    mlir::PassManager marking(module_.getContext());
    marking.addPass(createKeepInLayers(keep));
    if (failed(marking.run(*marked))) return failure();
    liftParameterReads(*marked);
    ChooseStagesOptions cut = given_.cut;
    cut.schedule = given_.schedule.schedule;
    return rankPipelines(*marked, memoryBytes_, cut, kept, pricedFor_, ofMore);
  }

  /// Adds pipelines whose layers keep less to `ranking`, which has those whose
  /// layers keep all. Adds none if the model has no layers.
  void rankWithLess(PipelineRanking& ranking) {
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic&) { return success(); });
    for (Kept kept : {Kept::Products, Kept::Inputs}) {
      FailureOr<PipelineRanking> less =
          rank(kept, &ranking.times, PricedFor::Choice);
      if (failed(less)) continue;
      ranking.times = std::move(less->times);
      for (EstimatedPipeline& pipeline : less->pipelines)
        ranking.pipelines.push_back(std::move(pipeline));
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

  /// Adds all pipelines whose layers keep less, and their problems, to the
  /// choices: questions are also about those that are not worth a choice.
  void priceWithLess() {
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic&) { return success(); });
    auto& all = choices_.pipelines;
    for (Kept kept : {Kept::Products, Kept::Inputs}) {
      FailureOr<PipelineRanking> less =
          rank(kept, /*ofMore=*/nullptr, PricedFor::WhatIf);
      if (failed(less)) continue;
      for (PricedPipelines& priced : less->priced)
        choices_.priced.push_back(std::move(priced));
      for (EstimatedPipeline& pipeline : less->pipelines)
        if (llvm::none_of(all, [&](const ComparedPipeline& known) {
              return known.pipeline == pipeline;
            }))
          all.push_back({std::move(pipeline), std::nullopt});
    }
    std::optional<EstimatedPipeline> chosen;
    if (choices_.chosen) chosen = all[*choices_.chosen].pipeline;
    llvm::sort(all, [](const ComparedPipeline& a, const ComparedPipeline& b) {
      return isFaster(a.pipeline, b.pipeline);
    });
    if (chosen)
      choices_.chosen = llvm::find_if(all,
                                      [&](const ComparedPipeline& each) {
                                        return each.pipeline == *chosen;
                                      }) -
                        all.begin();
  }

  /// Whether `compared` is the model without pipeline and micro-batches.
  bool isPlain(const ComparedPipeline& compared) const {
    return !compared.pipeline.isPipeline() &&
           compared.pipeline.microBatches == 1 &&
           compared.pipeline.kept == given_.keep.kept;
  }

  /// Times the model without pipeline and micro-batches, and then those
  /// pipelines that may be faster than the fastest so far. Chooses the fastest
  /// of all.
  void timeBest(FitEffort effort) {
    auto& all = choices_.pipelines;
    double best = std::numeric_limits<double>::infinity();
    const auto time = [&](size_t index) {
      const double seconds = secondsOf(all[index].pipeline, effort);
      all[index].seconds = seconds;
      if (seconds >= best) return;
      best = seconds;
      choices_.chosen = index;
    };
    const size_t plain =
        llvm::find_if(all, [&](const auto& each) { return isPlain(each); }) -
        all.begin();
    if (plain < all.size()) time(plain);
    size_t numTimed = 0, numTooLarge = 0;
    for (size_t index = 0; index < all.size(); ++index) {
      if (numTimed == kMostTimed || numTooLarge == kMostTooLarge ||
          all[index].pipeline.seconds >= kWorthTiming * best)
        break;
      if (index == plain) continue;
      time(index);
      ++(std::isfinite(*all[index].seconds) ? numTimed : numTooLarge);
    }
  }

  PipelineOptions optionsOf(const EstimatedPipeline& pipeline) const {
    PipelineOptions options = given_;
    options.keep.kept = pipeline.kept;
    if (pipeline.isPipeline()) {
      options.cut.stages = pipeline.stages;
      options.cut.groups = pipeline.groups;
      options.cut.schedule = options.schedule.schedule = pipeline.schedule;
    }
    options.setMicroBatches(pipeline.microBatches);
    return options;
  }

  /// Returns the predicted seconds of the model as `pipeline`; infinite if
  /// `effort` finds no plan that fits into the memory.
  double secondsOf(const EstimatedPipeline& pipeline, FitEffort effort) {
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic&) { return success(); });
    const double none = std::numeric_limits<double>::infinity();
    PipelineOptions options = optionsOf(pipeline);
    options.effort = effort;
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

/// Returns what fixes how `module` runs with `options`, in words that follow
/// "the model"; null if nothing does.
const char* whatFixes(ModuleOp module, const PipelineOptions& options) {
  mlir::func::FuncOp entry = trainedEntryOf(module);
  if (formOf(module) != Form::Logical) return "is differentiated";
  if (stagesOf(module)) return "has stages";
  if (hasPin(module)) return "has pins";
  if (!entry) return "trains no function";
  if (markedMicroBatches(entry) > 0) return "has a number of micro-batches";
  if (options.cut.stages > 0) return "is cut by --stages";
  if (!options.schedule.schedule.empty()) return "has a --schedule";
  if (!options.place.mesh.empty()) return "is placed on a --mesh";
  if (options.place.placeBy != PlaceBy::Search)
    return "is placed without a search";
  if (options.place.space != SearchSpace::Full)
    return "is placed within a --space";
  if (options.place.divideLevels) return "is placed by --divide-levels";
  return nullptr;
}

}  // namespace

FailureOr<std::optional<PipelineChoices>> choosePipeline(
    ModuleOp module, const KernelTarget& kernels, PipelineOptions& pipeline,
    PipelineWish wish, PricedFor pricedFor) {
  if (const char* fixed = whatFixes(module, pipeline)) {
    if (wish == PipelineWish::Asked)
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
  const PipelineOptions given = pipeline;
  // The text of the model says that it runs without a pipeline.
  pipeline.setMicroBatches(
      std::max<int64_t>(given.differentiate.microBatches, 1));
  if (wish == PipelineWish::Never) return std::optional<PipelineChoices>();
  PipelineChooser chooser(module, kernels, given, *memoryBytes, pricedFor);
  if (failed(chooser.run(pipeline))) return failure();
  return std::optional(chooser.take());
}

}  // namespace sbp
