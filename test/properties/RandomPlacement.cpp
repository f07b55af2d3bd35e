#include "test/properties/RandomPlacement.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/placement/PlaceStages.h"
#include "passes/placement/Propagation.h"
#include "passes/placement/StageMeshes.h"

namespace sbp::properties {
namespace {

using mlir::func::FuncOp;

constexpr int64_t kMaxRanks = 8;

// ---- The mesh ---------------------------------------------------------------

LevelAttr randomLevel(MLIRContext* context, StringRef name, int64_t count,
                      Choices& choices) {
  constexpr double kLatencies[] = {1e-6, 2e-5, 0};
  constexpr double kSecondsPerByte[] = {1e-10, 1e-7, 0};
  return LevelAttr::get(context, name, count,
                        llvm::APFloat(choices.pick(kLatencies)),
                        llvm::APFloat(choices.pick(kSecondsPerByte)));
}

// ---- Pins -------------------------------------------------------------------

/// Pins tensors at random.
class RandomPins {
 public:
  RandomPins(mlir::FlatSymbolRefAttr meshName, const Mesh& mesh,
             Choices& choices)
      : meshName_(meshName), mesh_(mesh), choices_(choices) {}

  void pin(ModuleOp module) {
    for (auto parameter : module.getOps<nn::ParameterOp>())
      if (choices_.chance(70))
        parameter->setAttr(kPinAttrName,
                           random(parameter.getType(), /*mayBePartial=*/false));
    for (auto function : module.getOps<FuncOp>()) pin(function);
  }

 private:
  void pin(FuncOp function) {
    bool isEntry = function.isPublic();
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (choices_.chance(isEntry ? 70 : 30))
        function.setArgAttr(i, kPinAttrName,
                            random(function.getArgumentTypes()[i],
                                   /*mayBePartial=*/!isEntry));

    SmallVector<mlir::OpOperand*> edges;
    function.walk([&](Operation* op) {
      for (mlir::OpOperand& edge : op->getOpOperands()) edges.push_back(&edge);
    });
    for (mlir::OpOperand* edge : edges) {
      if (!choices_.chance(10)) continue;
      OpBuilder builder(edge->getOwner());
      Value value = edge->get();
      edge->set(PinOp::create(builder, function.getLoc(), value.getType(),
                              value,
                              random(value.getType(), /*mayBePartial=*/true)));
    }
  }

  NdSbpAttr random(Type type, bool mayBePartial) {
    int64_t rank = llvm::cast<RankedTensorType>(type).getRank();
    auto reduction = static_cast<Reduction>(
        mayBePartial ? choices_.weighted({70, 15, 15}) : 0);
    Placement placement;
    for (size_t axis = 0; axis < mesh_.axes.size(); ++axis)
      switch (
          choices_.weighted({30, rank > 0 ? 50 : 0, mayBePartial ? 20 : 0})) {
        case 0:
          placement.push_back(Component::broadcast());
          break;
        case 1:
          placement.push_back(Component::split(choices_.below(rank)));
          break;
        default:
          placement.push_back(Component::partial(reduction));
      }
    return NdSbpAttr::get(type.getContext(), meshName_, placement);
  }

  mlir::FlatSymbolRefAttr meshName_;
  const Mesh& mesh_;
  Choices& choices_;
};

// ---- Signatures -------------------------------------------------------------

/// Propagation that gives each op a random legal signature.
class RandomSignatures : public Propagation {
 public:
  RandomSignatures(const Mesh& mesh, Choices& choices)
      : Propagation(mesh, /*splitsInputs=*/false), choices_(choices) {}

  MeshSignature choose(const OpToPlace& toPlace, const Mesh& mesh) override {
    DistributedOpInterface op = toPlace.op;
    std::vector<MeshSignature> legal, communicating;
    forEachSignature(loopNestOf(op), mesh, [&](const MeshSignature& signature) {
      legal.push_back(signature);
      if (signature.communicates()) communicating.push_back(signature);
    });
    // Few ops can communicate themselves, so these ops often do.
    if (!communicating.empty() && choices_.chance(50))
      return communicating[choices_.below(communicating.size())];
    return legal[choices_.below(legal.size())];
  }

 private:
  Choices& choices_;
};

}  // namespace

// The mesh is a machine, or an sbp.mesh of a machine of one level.
mlir::FlatSymbolRefAttr addRandomMesh(ModuleOp module, Choices& choices) {
  MLIRContext* context = module.getContext();
  SmallVector<int64_t> sizes;
  int64_t ranks = 1;
  for (int64_t axes = choices.between(1, 3); axes > 0; --axes) {
    int64_t most = kMaxRanks / ranks;
    int64_t size =
        most == 1 || choices.chance(5) ? 1 : choices.between(2, most);
    sizes.push_back(size);
    ranks *= size;
  }

  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Location location = module.getLoc();
  constexpr StringRef kNames[] = {"x", "y", "z"};
  if (!choices.chance(30)) {
    SmallVector<Attribute> levels;
    for (auto [name, size] : llvm::zip(kNames, sizes))
      levels.push_back(randomLevel(context, name, size, choices));
    MachineOp::create(builder, location, "machine",
                      builder.getArrayAttr(levels), /*device=*/nullptr);
    return mlir::FlatSymbolRefAttr::get(context, "machine");
  }
  SmallVector<Attribute> axes;
  for (auto [name, size] : llvm::zip(kNames, sizes))
    axes.push_back(AxisAttr::get(context, name, size, "gpu"));
  Attribute level = randomLevel(context, "gpu", ranks, choices);
  MachineOp::create(builder, location, "machine", builder.getArrayAttr({level}),
                    /*device=*/nullptr);
  MeshOp::create(builder, location, "mesh", "machine", /*ranks=*/nullptr,
                 builder.getArrayAttr(axes));
  return mlir::FlatSymbolRefAttr::get(context, "mesh");
}

void pinAtRandom(ModuleOp module, mlir::FlatSymbolRefAttr meshName,
                 const Mesh& mesh, Choices& choices) {
  RandomPins(meshName, mesh, choices).pin(module);
}

LogicalResult placeAtRandom(ModuleOp module, Choices& choices) {
  mlir::FlatSymbolRefAttr meshName = addRandomMesh(module, choices);
  FailureOr<Mesh> mesh = lookupMesh(module, meshName);
  if (failed(mesh)) return failure();
  pinAtRandom(module, meshName, *mesh, choices);
  RandomSignatures strategy(*mesh, choices);
  return placeModule(module, {meshName, *mesh}, strategy);
}

LogicalResult placeStagesAtRandom(ModuleOp module, Choices& choices) {
  StagesOp stages = stagesOf(module);
  FailureOr<ProgramMeshes> meshes = meshesOfStages(module, stages);
  if (failed(meshes)) return failure();
  PlaceStages strategy(*meshes, stages, [&](ProgramMeshes::Name group) {
    return std::make_unique<RandomSignatures>(meshes->mesh(group), choices);
  });
  return placeModule(module, *meshes, strategy);
}

}  // namespace sbp::properties
