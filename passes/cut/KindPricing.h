// Prices the kinds of units of an entry on a group of ranks.
//
// Each unit is made a stage of its own, and the program is differentiated. For
// the first unit of each kind, the ops of its stage are taken out as a program
// by itself (GroupProgram.h), for which a plan is searched:
//
//   %h = sbp.arrive
//   %y, %saved = call @loss.stage4.forward(%h, %w)
//   sbp.depart %y
//   %g = sbp.arrive
//   %dh, %dw = call @loss.stage4.backward(%h, %w, %saved, %g)
//   sbp.depart %dh
//   %new = nn.sgd %w, %dw, ...
//
// So the price is that of the unit as a stage of its own, where tensors that
// arrive may have any placement. In a stage of several units, neighbours may
// have to agree on placements, which costs more; the later search of the whole
// stage takes this into account.

#ifndef PASSES_CUT_KINDPRICING_H_
#define PASSES_CUT_KINDPRICING_H_

#include <memory>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/cut/EntryUnits.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/SearchGoal.h"

namespace sbp {

/// The price of a unit of one kind, per step, on a device of the group.
struct KindPrice {
  double seconds = 0;
  /// Bytes of the unit's parameters, their optimiser state, and sums of
  /// gradients.
  double heldBytes = 0;
  double weightBytes = 0;  // bytes of the parameters alone
  /// Bytes that it saves from its forward to its backward, except for tensors
  /// that are counted below.
  double savedBytes = 0;
  /// Bytes in addition to these, when it needs most.
  double transientBytes = 0;

  /// One of the tensors that the unit takes or gives.
  struct Tensor {
    RankedTensorType type;    // of a micro-batch, placed on the group
    double stashedBytes = 0;  // 0 unless it is kept for the backward
    double heldBytes = 0;     // if it is a parameter of another unit
  };
  std::vector<Tensor> taken, given;  // in the order of EntryUnit's
};

/// The program in which each unit is a stage of its own, and searches in it.
class KindPricing {
 public:
  /// Makes the program of `module` in which each of `units`, the units of
  /// `entry`, is a stage on a group like `group`. `units` outlives the result.
  /// Fails with a diagnostic if the program cannot be differentiated or placed.
  static FailureOr<KindPricing> of(ModuleOp module, mlir::func::FuncOp entry,
                                   const EntryUnits& units, const Mesh& group,
                                   MachineOp machine, int64_t microBatches,
                                   ReduceIn reduceIn);

  /// Returns the prices of all kinds, by the plans that serve `goal` best.
  /// Fails with a diagnostic if there is no such plan.
  FailureOr<std::vector<KindPrice>> priceKinds(const Device& device,
                                               SearchGoal goal,
                                               const search::SearchRun& run);

 private:
  explicit KindPricing(const EntryUnits& units) : units_(&units) {}

  void addStages(mlir::func::FuncOp entry, const Mesh& group,
                 MachineOp machine);
  FailureOr<KindPrice> price(int64_t kind, const Device& device,
                             SearchGoal goal, const search::SearchRun& run);

  const EntryUnits* units_;
  mlir::OwningOpRef<ModuleOp> program_;
  std::vector<ProgramMeshes::Name> groups_;  // by kind
  std::unique_ptr<ProgramMeshes> meshes_;
};

}  // namespace sbp

#endif  // PASSES_CUT_KINDPRICING_H_
