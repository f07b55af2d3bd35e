// The joint planning problem of a model (passes/search/pipeline): the ways to
// train it as a pipeline, with their prices.
//
// A case divides the ranks into D equal groups of a shape (GroupShape.h), and
// the batch into N micro-batches. The units of the problem are those of the
// trained entry (EntryUnits.h). The options of a unit in a case are plans on a
// group: the fastest one; where memory limits a case, the one that keeps the
// least memory, too; and others in between for cases that are worth it.
//
// A plan of the problem is an estimate of what a pipeline takes. A unit is
// priced as if tensors arrived in the placement that suits it best
// (UnitKindPricing.h), and a tensor that several units keep counts for one of
// them only, so most estimates are too low. A backward is divided in half
// between inputs and weights, so times of schedules with halves may be too
// high, too.
//
// With D = 1 there is no pipeline: all ranks run all units, for one micro-batch
// after the other.

#ifndef PASSES_CUT_PIPELINEPROBLEM_H_
#define PASSES_CUT_PIPELINEPROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/CaseNumbers.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/GroupCounts.h"
#include "passes/cut/GroupShape.h"
#include "passes/cut/PricedPipelines.h"
#include "passes/cut/UnitKindPricing.h"
#include "passes/cut/UnitTransfers.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/placement/Target.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

/// Numbers to choose from.
struct PipelineNumbers {
  std::vector<GroupShape> groups;       // the outermost shapes
  std::vector<GroupShape> innerGroups;  // others, the most promising ones first
  std::vector<int64_t> microBatches;    // N
};

/// Returns the shapes of groups into which the ranks of `mesh` can be divided,
/// and numbers of micro-batches that divide the batch of `entry`: a few per
/// power of two. A group runs at least one of `numUnits` units.
PipelineNumbers pipelineNumbers(const Mesh& mesh, mlir::func::FuncOp entry,
                                int64_t numUnits);

/// The model whose pipelines are priced, and the devices that run it.
struct PricedModel {
  ModuleOp module;
  mlir::func::FuncOp entry;  // the trained one
  const EntryUnits& units;   // of `entry`
  const Target& target;
  const Device& device;
  ReduceIn reduceIn;
  Kept kept;  // what layers without a mark keep, by their marks in `module`
};

/// The problem of a model, as the head of this file describes it.
class PipelineProblem {
 public:
  /// Makes the problem of `model`, which must outlive the result, without
  /// cases. `memory` is the limit per device, in bytes. `isShort` says that it
  /// is known to limit some case.
  PipelineProblem(const PricedModel& model, double memory, bool isShort);

  /// Adds the case of `numbers` with one stage per group, and one with two
  /// stages per group if there are several groups and enough
  /// units. Adds none if the problem has these cases, if the model allows no
  /// such division of the batch, or if most groups would be idle.
  void addCases(const CaseNumbers& numbers, const search::SearchRun& run);

  /// Whether memory has a limit.
  bool hasLimit() const;

  /// Whether the best plan of the cases of `numbers` needs more than kReserve
  /// of the memory.
  bool isLimited(const CaseNumbers& numbers) const;

  /// Returns the seconds that the cases of `numbers` take if memory has no
  /// limit, and no group is ever idle; infinite if there are no such cases.
  double secondsOfWork(const CaseNumbers& numbers) const;

  /// Returns the numbers of the cases that may have plans, those that are
  /// probably fast first.
  std::vector<CaseNumbers> numbersInOrder() const;

  /// Gives the cases of `numbers` more options between the fastest and the
  /// smallest one. Fails with a diagnostic if a unit cannot be priced.
  LogicalResult addOptions(const CaseNumbers& numbers,
                           const search::SearchRun& run);

  const PricedPipelines& priced() const { return priced_; }
  const search::JointProblem& get() const { return priced_.problem; }

  /// Returns the numbers of case number `index` of get().
  const CaseNumbers& numbersOf(size_t index) const { return numbers_[index]; }

  /// Part of the memory that a plan should need by its estimate. Estimates are
  /// optimistic, so a plan that needs more may not fit.
  static constexpr double kReserve = 0.75;

 private:
  /// Returns the case of `numbers` with one chunk, and at most `mostOptions`
  /// options of each kind of unit.
  FailureOr<search::JointCase> priceCase(const CaseNumbers& numbers,
                                         size_t mostOptions,
                                         const search::SearchRun& run) const;
  StageGroupList listOf(const GroupShape& groups) const;

  /// Returns `ofCase` with each number of chunks that the families have.
  std::vector<search::JointCase> withChunks(
      const search::JointCase& ofCase) const;

  std::vector<search::JointCase> casesOf(const CaseNumbers& numbers) const;
  /// Whether the best plan of `cases` needs more than kReserve of the memory.
  bool areLimited(std::vector<search::JointCase> cases) const;

  const PricedModel model_;
  PricedPipelines priced_;
  std::vector<CaseNumbers> numbers_;  // by case
  std::set<CaseNumbers> tried_;
  /// Whether memory limits one of the cases that were priced. Then it probably
  /// limits others.
  bool isShort_;
};

}  // namespace sbp

#endif  // PASSES_CUT_PIPELINEPROBLEM_H_
