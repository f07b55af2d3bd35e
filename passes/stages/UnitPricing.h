// What the units of an entry cost on a group of ranks.
//
// Each unit is made a stage of its own, and the program differentiated. Of the
// first unit of each kind, what its stage does is taken out as a program by
// itself (GroupProgram.h) and searched:
//
//   %h = sbp.arrive
//   %y, %saved = call @loss.stage4.forward(%h, %w)
//   sbp.depart %y
//   %g = sbp.arrive
//   %dh, %dw = call @loss.stage4.backward(%h, %w, %saved, %g)
//   sbp.depart %dh
//   %new = nn.sgd %w, %dw, ...
//
// So a unit has the price that it has as a stage of its own: what arrives may
// lie as it likes. Within a stage neighbours may have to agree, which costs
// more; the search of the whole stage sees to that afterwards.

#ifndef PASSES_STAGES_UNITPRICING_H_
#define PASSES_STAGES_UNITPRICING_H_

#include <memory>
#include <vector>

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/placement/ProgramMeshes.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/SearchGoal.h"
#include "passes/stages/EntryUnits.h"

namespace sbp {

/// What a unit of one kind costs, per step, on a device of the group.
struct KindPrice {
  double seconds = 0;
  /// Of its parameters, the optimiser's state of them, sums of gradients.
  double heldBytes = 0;
  double weightBytes = 0;  // of the parameters among these
  /// Of what it saves from its forward to its backward, but for the below.
  double savedBytes = 0;
  /// Besides, when it takes most.
  double transientBytes = 0;

  /// One of the tensors that it takes or gives.
  struct Tensor {
    RankedTensorType type;    // of a micro-batch, placed on the group
    double stashedBytes = 0;  // if it is kept for the backward
    double heldBytes = 0;     // of a parameter that lies with another unit
  };
  std::vector<Tensor> taken, given;  // as EntryUnit has them
};

class UnitPricing {
 public:
  /// Makes the program of `module` in which each of `units`, those of `entry`,
  /// is a stage on a group like `group`. Fails with a diagnostic where it
  /// cannot be differentiated or placed.
  static FailureOr<UnitPricing> of(ModuleOp module, mlir::func::FuncOp entry,
                                   const EntryUnits& units, const Mesh& group,
                                   MachineOp machine, int64_t microBatches,
                                   ReduceIn reduceIn);

  /// The prices of all kinds, by the plans that serve `goal` best.
  FailureOr<std::vector<KindPrice>> priceKinds(const Device& device,
                                               SearchGoal goal,
                                               const search::SearchRun& run);

 private:
  explicit UnitPricing(const EntryUnits& units) : units_(&units) {}

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

#endif  // PASSES_STAGES_UNITPRICING_H_
