#include "passes/localize/CommunicatingOps.h"

#include <algorithm>

#include "dialects/rank/Rank.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cost/LocalCost.h"
#include "passes/cost/LocalMemory.h"
#include "passes/localize/PlacedOp.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

double localBytes(TypeRange types) {
  double bytes = 0;
  for (Type type : types) bytes += sbp::localBytes(type);
  return bytes;
}

std::vector<CollectiveGroupCost> collectiveGroupCosts(rank::ProgramOp program,
                                                      const Mesh& mesh) {
  std::vector<CollectiveGroupCost> collectives;
  for (const CollectiveCost& cost :
       collectiveCosts(program, PlacedOp::kEntry, mesh)) {
    StringRef name = cost.op->getName().stripDialect();
    auto known =
        llvm::find_if(collectives, [&](const CollectiveGroupCost& other) {
          return other.name == name && other.axes == cost.axes &&
                 other.bytes == cost.bytes;
        });
    if (known == collectives.end()) {
      collectives.push_back(
          {name.str(), cost.axes, cost.bytes, 0, cost.traffic});
      known = std::prev(collectives.end());
    }
    ++known->number;
  }
  return collectives;
}

}  // namespace

double CommunicatingOpCost::communicating() const {
  double seconds = 0;
  for (const CollectiveGroupCost& collective : collectives)
    seconds += collective.seconds();
  return seconds;
}

const CommunicatingOpCost& CommunicatingOps::costOf(
    Operation* op, ArrayRef<Placement> operands, ArrayRef<Placement> results) {
  auto [entry, isNew] =
      costs_.try_emplace(opKeyOf(op, PlacedOp::typeOf(op, operands, results)));
  CommunicatingOpCost& cost = entry->second;
  if (!isNew || failed(status_)) return cost;

  PlacedOp placed(op, operands, results, mesh_);
  // If parts are uneven, the last rank has the largest parts.
  auto program = placed.local(mesh_.numRanks() - 1, transitions_);
  status_ = LogicalResult(program);
  if (failed(status_)) return cost;
  rank::ProgramOp local = **program;
  cost.computing = computingSeconds(local, PlacedOp::kEntry, device_);
  cost.collectives = collectiveGroupCosts(local, mesh_);
  auto function = *local.getBody().getOps<FuncOp>().begin();
  cost.workingBytes =
      std::max(0.0, busiestBytes(local, PlacedOp::kEntry) -
                        localBytes(function.getArgumentTypes()) -
                        localBytes(function.getResultTypes()));
  return cost;
}

}  // namespace sbp
