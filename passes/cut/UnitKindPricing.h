// Prices each kind of unit of an entry: finds the time and memory that a unit
// of the kind takes on one group of ranks. A unit is an op or layer call that a
// stage keeps whole (EntryUnits.h).
//
// Each unit is made a stage of its own, and the program is differentiated. The
// ops of the first unit of each kind then become a separate program
// (GroupProgram.h), for which a plan is searched:
//
//   %h = sbp.arrive
//   %y, %saved = call @loss.stage4.forward(%h, %w)
//   sbp.depart %y
//   %g = sbp.arrive
//   %dh, %dw = call @loss.stage4.backward(%h, %w, %saved, %g)
//   sbp.depart %dh
//   %new = nn.sgd %w, %dw, ...
//
// Of units that repeat, most are left out first (RepeatedUnits.h).
//
// The price is optimistic, because tensors that arrive may have any placement.
// In a stage of several units, neighbours may have to agree on placements,
// which costs more. The later search of the whole stage accounts for this.

#ifndef PASSES_CUT_UNITKINDPRICING_H_
#define PASSES_CUT_UNITKINDPRICING_H_

#include <memory>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/RepeatedUnits.h"
#include "passes/cut/UnitTasks.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/plan/Plan.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/search/run/SearchRun.h"

namespace sbp {

/// The price of a unit of one kind. Bytes are those on the group's device that
/// holds the most.
struct UnitKindPrice {
  double seconds = 0;  // per training step, for all micro-batches
  UnitTasks tasks;     // the parts of `seconds`
  /// Bytes that stay for the whole training: the unit's parameters, their
  /// optimiser state, and sums of gradients.
  double persistentBytes = 0;
  double weightBytes = 0;  // bytes of the parameters alone
  /// Bytes that the unit keeps from its forward to its backward, per
  /// micro-batch, without `operands` and `results`.
  double activationBytes = 0;
  /// Peak memory of the unit beyond all bytes above and the bytes in `operands`
  /// and `results`.
  double transientBytes = 0;

  /// An operand or a result of the unit.
  struct Tensor {
    RankedTensorType type;  // of a micro-batch, placed on the group
    /// Bytes per micro-batch if the unit keeps the tensor for its backward;
    /// else 0.
    double activationBytes = 0;
    /// Bytes of the tensor if it is a parameter that belongs to another unit;
    /// else 0.
    double sharedParameterBytes = 0;
  };
  std::vector<Tensor> operands, results;  // as in EntryUnit
};

/// The program in which each unit is a stage of its own, and the searches for
/// plans of these stages.
class UnitKindPricing {
 public:
  /// Builds the program: a copy of `module` in which each of `units`, the units
  /// of `entry`, is a stage on a group like `group`. `units` must outlive the
  /// result. Fails with a diagnostic if the program cannot be differentiated or
  /// placed.
  static FailureOr<UnitKindPricing> create(ModuleOp module,
                                           mlir::func::FuncOp entry,
                                           const EntryUnits& units,
                                           const Mesh& group, MachineOp machine,
                                           int64_t microBatches,
                                           ReduceIn reduceIn);

  /// Returns the prices of all kinds, by kind, under the plans that serve
  /// `goal` best. The searches share the limits of `run`. Fails with a
  /// diagnostic if there is no plan for a kind, or if the differentiated
  /// program does not run a unit of the kind.
  FailureOr<std::vector<UnitKindPrice>> priceKinds(
      const Device& device, SearchGoal goal, const search::SearchRun& run);

  /// Returns, by kind, the prices under at most `most` plans: from the fastest
  /// one to the one that keeps the least memory, if `inFlight` micro-batches
  /// are in flight (SearchTradeOffs.h). Fails as
  /// priceKinds() does.
  FailureOr<std::vector<std::vector<UnitKindPrice>>> priceTradeOffs(
      const Device& device, int64_t inFlight, size_t most,
      const search::SearchRun& run);

 private:
  explicit UnitKindPricing(const EntryUnits& units) : units_(&units) {}

  /// Builds the program as create() does, without the units of `repeated`.
  static FailureOr<UnitKindPricing> build(
      ModuleOp module, mlir::func::FuncOp entry, const EntryUnits& units,
      ArrayRef<RepeatedUnits> repeated, const Mesh& group, MachineOp machine,
      int64_t microBatches, ReduceIn reduceIn);

  void addStages(const std::vector<Operation*>& ops, mlir::func::FuncOp entry,
                 const Mesh& group, MachineOp machine);
  FailureOr<UnitKindPrice> price(int64_t kind, const Device& device,
                                 SearchGoal goal, const search::SearchRun& run);
  FailureOr<std::vector<UnitKindPrice>> tradeOffs(int64_t kind,
                                                  const Device& device,
                                                  int64_t inFlight, size_t most,
                                                  const search::SearchRun& run);
  /// Returns the price of a unit of kind `kind` if `program`, its program, is
  /// placed by `plan`, whose peak memory is `peakBytes`. Brings `program` to
  /// the boxed form.
  FailureOr<UnitKindPrice> priceOf(ModuleOp program, const Plan& plan,
                                   double peakBytes, int64_t kind,
                                   const Device& device) const;
  const EntryUnit& firstOf(int64_t kind) const {
    return units_->units()[units_->firstOfKinds()[kind]];
  }

  const EntryUnits* units_;
  mlir::OwningOpRef<ModuleOp> program_;
  std::vector<ProgramMeshes::Name> groups_;  // by kind
  std::unique_ptr<ProgramMeshes> meshes_;
  int64_t microBatches_ = 1;
};

}  // namespace sbp

#endif  // PASSES_CUT_UNITKINDPRICING_H_
