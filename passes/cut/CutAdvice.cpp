#include "passes/cut/CutAdvice.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/differentiate/KeepInLayers.h"
#include "passes/module/TrainedEntry.h"

namespace sbp {
namespace {

using Clock = std::chrono::steady_clock;

/// Time after which no further change is tried. More time finds advice for
/// larger models, and makes an error wait for it.
constexpr std::chrono::seconds kMostTime(5);

/// Largest factors of micro-batches and of groups that are tried. Larger ones
/// seldom help where these do not.
constexpr int64_t kMostMicroBatches = 8;
constexpr int64_t kMostGroups = 4;

/// A change of a model and its options.
struct Change {
  int64_t microBatches = 1, groups = 1;  // factors
  std::optional<Kept> kept;              // nullopt: as before
};

/// Returns the changes in the order in which they are tried.
std::vector<Change> allChanges() {
  std::vector<Change> changes;
  for (int64_t factor = 2; factor <= kMostMicroBatches; factor *= 2)
    changes.push_back({factor, 1, std::nullopt});
  for (Kept kept : {Kept::Products, Kept::Inputs})
    changes.push_back({1, 1, kept});
  for (int64_t factor = 2; factor <= kMostGroups; factor *= 2)
    changes.push_back({1, factor, std::nullopt});
  return changes;
}

/// Returns changes of two things at once.
std::vector<Change> allPairs() {
  std::vector<Change> changes;
  for (int64_t factor = 2; factor <= kMostMicroBatches; factor *= 2)
    changes.push_back({factor, 1, Kept::Inputs});
  return changes;
}

class CutAdviser {
 public:
  CutAdviser(ModuleOp module, const ChooseStagesOptions& options,
             CutTrial trial)
      : module_(module),
        options_(options),
        trial_(trial),
        deadline_(Clock::now() + kMostTime) {}

  std::string run() {
    std::optional<Change> best = bestOf(allChanges());
    if (!best) best = bestOf(allPairs());
    if (best) return "with " + textOf(*best) + " a cut fits, by an estimate";
    return "neither more micro-batches nor more groups nor layers that keep "
           "less were found to suffice; the placements that take least memory "
           "are counted already, with parameters and state divided among the "
           "ranks of a group; more devices, more memory or a smaller batch "
           "would help";
  }

 private:
  std::optional<Change> bestOf(const std::vector<Change>& changes) {
    std::optional<Change> best;
    double least = std::numeric_limits<double>::infinity();
    for (const Change& change : changes) {
      if (Clock::now() >= deadline_) break;
      mlir::OwningOpRef<ModuleOp> copy = module_.clone();
      if (change.kept && !keep(*copy, *change.kept)) continue;
      const std::optional<double> seconds = trial_(*copy, optionsOf(change));
      if (!seconds || *seconds >= least) continue;
      least = *seconds;
      best = change;
    }
    return best;
  }

  /// Marks the layers of `module`. Returns whether that changes one.
  static bool keep(ModuleOp module, Kept kept) {
    const mlir::SymbolTable symbols(module);
    const auto layers = layersToKeep(trainedEntryOf(module), kept, symbols);
    const bool changes = llvm::any_of(
        layers, [](auto layer) { return !layer->hasAttr(kKeepAttrName); });
    keepInLayers(layers, kept);
    return changes;
  }

  ChooseStagesOptions optionsOf(const Change& change) const {
    ChooseStagesOptions options = options_;
    options.microBatches =
        change.microBatches * std::max<int64_t>(options.microBatches, 1);
    options.stages = change.groups * options.stages;
    if (change.groups > 1)
      options.groups = GroupCounts(change.groups * options.groups.numGroups());
    return options;
  }

  std::string textOf(const Change& change) const {
    const ChooseStagesOptions options = optionsOf(change);
    std::vector<std::string> texts;
    const auto add = [&](const char* name, int64_t number) {
      texts.push_back(std::string(name) + " " + std::to_string(number));
    };
    if (change.groups > 1) {
      add("--stages", options.stages);
      if (options.groups.isGiven()) add("--groups", options.groups.numGroups());
    }
    if (change.microBatches > 1) add("--micro-batches", options.microBatches);
    if (change.kept)
      texts.push_back("--keep " + std::string(stringOf(*change.kept)));
    return llvm::join(texts, " ");
  }

  ModuleOp module_;
  const ChooseStagesOptions& options_;
  CutTrial trial_;
  Clock::time_point deadline_;
};

}  // namespace

std::string adviceForCut(ModuleOp module, const ChooseStagesOptions& options,
                         CutTrial trial) {
  return CutAdviser(module, options, trial).run();
}

}  // namespace sbp
