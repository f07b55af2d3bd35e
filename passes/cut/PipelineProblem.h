// The joint planning problem of a model (passes/search/pipeline): the ways to
// train it as a pipeline, with their prices.
//
// A case divides the ranks into D equal groups, as StageGroups.h does, and the
// batch into N micro-batches. The units of the problem are those of the trained
// entry (EntryUnits.h). A unit has up to two options in a case: to run as fast
// as possible on a group, or in as little memory as possible.
//
// All prices are optimistic: a unit is priced as if tensors arrived in the
// placement that suits it best (UnitKindPricing.h), and a tensor that several
// units keep counts for one of them only. So a plan of the problem is an
// estimate of what a pipeline takes, and the bound of the problem holds for all
// pipelines whose units run in one of the two ways.

#ifndef PASSES_CUT_PIPELINEPROBLEM_H_
#define PASSES_CUT_PIPELINEPROBLEM_H_

#include <cstdint>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/EntryUnits.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/placement/Target.h"
#include "passes/search/SearchRun.h"
#include "passes/search/pipeline/JointProblem.h"

namespace sbp {

/// Numbers to choose from.
struct PipelineNumbers {
  std::vector<int64_t> groups;        // D, each at least 2
  std::vector<int64_t> microBatches;  // N
};

/// Returns the numbers of groups into which the ranks of `mesh` can be divided,
/// and numbers of micro-batches that divide the batch of `entry`: a few per
/// power of two. A group runs at least one of `numUnits` units.
PipelineNumbers pipelineNumbers(const Mesh& mesh, mlir::func::FuncOp entry,
                                int64_t numUnits);

/// Returns the problem of `entry`, the trained entry of `module`, with a case
/// for each of `numbers` and V chunks of a group, V being 1 or 2. `units` are
/// the units of `entry`. Leaves out numbers of micro-batches into which the
/// batch cannot be divided. `memory` is the limit per device, in bytes. Fails
/// with a diagnostic if a unit cannot be priced.
FailureOr<search::JointProblem> pipelineProblem(
    ModuleOp module, mlir::func::FuncOp entry, const EntryUnits& units,
    const Target& target, const Device& device, double memory,
    const PipelineNumbers& numbers, ReduceIn reduceIn,
    const search::SearchRun& run);

}  // namespace sbp

#endif  // PASSES_CUT_PIPELINEPROBLEM_H_
