#include "passes/localize/CommunicatingOps.h"

#include <algorithm>

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cost/LocalCost.h"
#include "passes/cost/LocalMemory.h"
#include "passes/localize/LocalProgram.h"

namespace sbp {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

constexpr llvm::StringLiteral kEntry = "op";
constexpr llvm::StringLiteral kMesh = "mesh";

SmallVector<Type> placedTypes(TypeRange types, ArrayRef<Placement> placements,
                              mlir::FlatSymbolRefAttr mesh) {
  SmallVector<Type> placed;
  for (auto [type, placement] : llvm::zip(types, placements))
    placed.push_back(
        withPlacement(llvm::cast<RankedTensorType>(type),
                      NdSbpAttr::get(type.getContext(), mesh, placement)));
  return placed;
}

/// Returns a module with one function, which consists of `op` alone.
mlir::OwningOpRef<ModuleOp> moduleOf(Operation* op, mlir::FunctionType type) {
  mlir::OwningOpRef<ModuleOp> module(ModuleOp::create(op->getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = FuncOp::create(builder, op->getLoc(), kEntry, type);
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Operation* copy =
      cloneWithTypes(builder, op, function.getArguments(), type.getResults());
  ReturnOp::create(builder, op->getLoc(), copy->getResults());
  return module;
}

double localBytes(TypeRange types) {
  double bytes = 0;
  for (Type type : types) bytes += sbp::localBytes(type);
  return bytes;
}

std::vector<CollectiveGroupCost> collectiveGroupCosts(rank::ProgramOp program,
                                                      const Mesh& mesh) {
  std::vector<CollectiveGroupCost> collectives;
  for (const CollectiveCost& cost : collectiveCosts(program, kEntry, mesh)) {
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

PlacedMeshes CommunicatingOps::onlyMesh(const Mesh& mesh) {
  PlacedMeshes meshes;
  // Ranks are numbered by their positions on the mesh.
  Mesh places = mesh;
  places.ranks.clear();
  meshes.byName.emplace(kMesh, std::move(places));
  return meshes;
}

double CommunicatingOpCost::communicating() const {
  double seconds = 0;
  for (const CollectiveGroupCost& collective : collectives)
    seconds += collective.seconds();
  return seconds;
}

const CommunicatingOpCost& CommunicatingOps::costOf(
    Operation* op, ArrayRef<Placement> operands, ArrayRef<Placement> results) {
  MLIRContext* context = op->getContext();
  auto meshName = mlir::FlatSymbolRefAttr::get(context, kMesh);
  auto type = mlir::FunctionType::get(
      context, placedTypes(op->getOperandTypes(), operands, meshName),
      placedTypes(op->getResultTypes(), results, meshName));
  auto [entry, isNew] = costs_.try_emplace(opKeyOf(op, type));
  CommunicatingOpCost& cost = entry->second;
  if (!isNew) return cost;

  // Passes have loaded the dialect; other callers may not have.
  context->getOrLoadDialect<rank::RankDialect>();
  mlir::OwningOpRef<ModuleOp> module = moduleOf(op, type);
  // If parts are uneven, the last rank has the largest.
  auto program = buildLocalProgram(*module, "program", meshName,
                                   {mesh_.numRanks() - 1}, transitions_);
  // The signatures go together, so building the program succeeds.
  rank::ProgramOp local = **program;
  cost.computing = computingSeconds(local, kEntry, device_);
  cost.collectives = collectiveGroupCosts(local, mesh_);
  auto function = *local.getBody().getOps<FuncOp>().begin();
  cost.workingBytes =
      std::max(0.0, busiestBytes(local, kEntry) -
                        localBytes(function.getArgumentTypes()) -
                        localBytes(function.getResultTypes()));
  return cost;
}

}  // namespace sbp
