// The data flow of the compiler: which passes run, in which order.

#ifndef PASSES_PIPELINES_H_
#define PASSES_PIPELINES_H_

#include <cstdint>
#include <string>

#include "mlir/Pass/PassManager.h"
#include "passes/Forms.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/placement/LayerPlans.h"
#include "passes/placement/PlaceBy.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/program/SearchSpace.h"

namespace sbp {

struct PipelineOptions {
  /// Into how many micro-batches a training step divides its batch; 0 for as
  /// many as the schedule has, or else one.
  int64_t microBatches = 0;
  /// The type in which terms of gradients in bf16 are added up over ranks.
  ReduceIn reduceIn = ReduceIn::F32;
  /// The schedule of a program in stages: a family, or a file with its rows;
  /// empty for the module's own, or else a usual one.
  std::string schedule;
  /// Whether groups run what can run, in place of what the schedule has next.
  bool byMessages = false;
  /// The sbp.mesh or sbp.machine to place on; empty when there is one only.
  std::string mesh;
  PlaceBy placeBy = PlaceBy::Search;
  /// Which plans are searched.
  SearchSpace space = SearchSpace::Full;
  /// Whether all calls of a layer are placed alike.
  LayerPlans layers = LayerPlans::Tied;
  /// Bytes that a searched plan may take of each device; 0 for what the machine
  /// says.
  double memoryBytes = 0;
  /// After so many seconds, or with so many bytes in the compiler's memory, a
  /// search ends with the best plan that it has; 0 bytes for what this machine
  /// has for it.
  double searchSeconds = 60;
  double searchMemoryBytes = 0;
  /// Places on a mesh with an axis per prime factor of each level.
  bool dividesLevels = false;
  /// What is searched for.
  SearchGoal goal = SearchGoal::Time;
  /// Whether each form ends with tensors called what its text calls them
  /// (passes/names/Spelling.h). An explanation has longer names.
  bool spellsNames = false;
};

/// Fails, with a diagnostic at `module`, when there is nothing in it to which
/// an option that was given applies. To be asked before any pass runs.
mlir::LogicalResult checkOptions(mlir::ModuleOp module,
                                 const PipelineOptions& options);

/// Adds the passes that bring a module to `form`, from that form or any before
/// it: a pass that finds its work done leaves the module alone. So a program
/// may be printed at any form, changed by hand, and taken on from there.
void addPassesTo(Form form, const PipelineOptions& options,
                 mlir::OpPassManager& passes);

/// Registers every pass of the project, and a pipeline `--sbp-to-<form>` for
/// every form.
void registerPasses();

}  // namespace sbp

#endif  // PASSES_PIPELINES_H_
