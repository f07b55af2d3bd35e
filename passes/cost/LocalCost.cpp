#include "passes/cost/LocalCost.h"

#include <optional>

#include "dialects/rank/Bucket.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/cost/LocalMemory.h"
#include "passes/cost/OpCost.h"
#include "passes/module/CallCounts.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Returns the bytes of `elements` indices along the dimension of a halo
/// exchange.
double haloBytes(rank::HaloExchangeOp halo, int64_t elements) {
  auto type = llvm::cast<RankedTensorType>(halo.getResult().getType());
  return localBytes(halo.getResult().getType()) *
         static_cast<double>(elements) /
         static_cast<double>(type.getDimSize(halo.getDim()));
}

/// Returns the bytes of the tensor of the collective `op` on a member, before
/// or after, whichever is larger; for a halo exchange, the bytes of the halo.
double messageBytes(Operation* op) {
  if (auto halo = llvm::dyn_cast<rank::HaloExchangeOp>(op))
    return haloBytes(halo, halo.getLow() + halo.getHigh());
  return std::max(localBytes(op->getOperand(0).getType()),
                  localBytes(op->getResult(0).getType()));
}

/// Returns the traffic of a member of `op`, a collective over `axes`; none if
/// `op` moves nothing.
std::optional<SmallVector<LevelTraffic, 3>> trafficOf(Operation* op,
                                                      ArrayRef<int64_t> axes,
                                                      const Mesh& mesh) {
  if (auto halo = llvm::dyn_cast<rank::HaloExchangeOp>(op))
    return haloExchangeTraffic(axes, haloBytes(halo, halo.getLow()),
                               haloBytes(halo, halo.getHigh()), mesh);
  std::optional<Collective> collective =
      collectiveNamed(op->getName().stripDialect());
  if (!collective) return std::nullopt;
  const double bytes = messageBytes(op);
  double together = bytes;
  if (std::optional<rank::Bucket> bucket = rank::bucketOf(op))
    together = std::max(bytes, static_cast<double>(bucket->fullBytes));
  return trafficInBucket(*collective, axes, bytes, together, mesh);
}

/// Calls `visit` with every op of `entry` and of the functions that it calls,
/// and with the number of times that the op runs.
void forEachOp(rank::ProgramOp program, StringRef entry,
               llvm::function_ref<void(Operation*, double times)> visit) {
  mlir::SymbolTable symbols(program);
  for (auto [function, count] :
       callCounts(symbols.lookup<FuncOp>(entry), symbols)) {
    auto times = static_cast<double>(count);
    for (Operation& op : function.getBody().getOps()) visit(&op, times);
  }
}

}  // namespace

SmallVector<CollectiveCost> collectiveCosts(rank::ProgramOp program,
                                            StringRef entry, const Mesh& mesh) {
  SmallVector<CollectiveCost> costs;
  forEachOp(program, entry, [&](Operation* op, double times) {
    auto names = op->getAttrOfType<mlir::ArrayAttr>("axes");
    if (!names || op->getNumOperands() == 0 ||
        op->getDialect() != program->getDialect())
      return;
    SmallVector<int64_t, 3> axes;
    for (auto name : names.getAsRange<mlir::StringAttr>())
      axes.push_back(mesh.axisNamed(name.getValue()));
    if (auto traffic = trafficOf(op, axes, mesh))
      costs.push_back({op, times, axes, messageBytes(op), *traffic,
                       times * secondsOf(*traffic)});
  });
  return costs;
}

double computingSeconds(rank::ProgramOp program, StringRef entry,
                        const Device& device) {
  double seconds = 0;
  forEachOp(program, entry, [&](Operation* op, double times) {
    seconds += times * computingSeconds(op, device);
  });
  return seconds;
}

double computingSeconds(Operation* op, const Device& device) {
  double flops = 0;
  if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op)) {
    flops = distributed.getLoopNest().flops();
  } else if (auto fused = llvm::dyn_cast<rank::FusedOp>(op)) {
    for (auto inside : fused.getBody().getOps<DistributedOpInterface>())
      flops += inside.getLoopNest().flops();
  } else {
    return 0;
  }
  double bytes = 0;
  for (Value value : op->getOperands()) bytes += localBytes(value.getType());
  for (Value value : op->getResults()) bytes += localBytes(value.getType());
  return opSeconds(device, op, flops, bytes);
}

}  // namespace sbp
