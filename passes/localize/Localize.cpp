// --sbp-localize: from one program on whole tensors to the programs of ranks.

#include <optional>

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/localize/LocalProgram.h"
#include "passes/localize/Passes.h"
#include "passes/localize/RankClasses.h"

namespace sbp {

#define GEN_PASS_DEF_LOCALIZE
#include "passes/localize/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

/// Reads what a boxed module says about its ranks: the one mesh that all its
/// tensors lie on, and how they are cut.
class ModuleReader {
 public:
  explicit ModuleReader(ModuleOp module) : module_(module) {}

  /// Fails with a diagnostic at a tensor that is not placed, or on another
  /// mesh.
  LogicalResult run() {
    mlir::WalkResult result = module_.walk([&](Operation* op) {
      return failed(read(op)) ? mlir::WalkResult::interrupt()
                              : mlir::WalkResult::advance();
    });
    if (result.wasInterrupted()) return failure();
    if (transitions_) return success();
    return module_.emitError()
           << "the module has no placed tensor, so it names no mesh to run on";
  }

  mlir::FlatSymbolRefAttr meshSymbol() const { return meshSymbol_; }
  TransitionTable& transitions() { return *transitions_; }
  const Cuts& cuts() const { return cuts_; }

 private:
  LogicalResult read(Operation* op) {
    SmallVector<Type> types(op->getResultTypes());
    if (auto function = llvm::dyn_cast<FuncOp>(op)) {
      llvm::append_range(types, function.getArgumentTypes());
      llvm::append_range(types, function.getResultTypes());
    }
    if (auto parameter = llvm::dyn_cast<nn::ParameterOp>(op))
      types.push_back(parameter.getType());
    for (Type type : types)
      if (failed(read(op, type))) return failure();
    if (auto box = llvm::dyn_cast<BoxOp>(op)) readPath(box);
    return success();
  }

  LogicalResult read(Operation* op, Type type) {
    NdSbpAttr placement = NdSbpAttr::of(type);
    if (!placement)
      return op->emitOpError()
             << "has the type " << type
             << "; to be split over ranks it must be a placed tensor";
    if (!transitions_) {
      FailureOr<Mesh> mesh = lookupMesh(op, placement.getMesh());
      if (failed(mesh)) return failure();
      meshSymbol_ = placement.getMesh();
      transitions_.emplace(*mesh);
    }
    if (placement.getMesh() != meshSymbol_)
      return op->emitOpError() << "is placed on " << placement.getMesh()
                               << ", other ops on " << meshSymbol_;
    size_t numAxes = transitions_->mesh().axes.size();
    if (placement.getComponents().size() != numAxes)
      return op->emitOpError()
             << "has a placement of " << placement.getComponents().size()
             << " components, but " << meshSymbol_ << " has " << numAxes
             << " axes";
    cuts_.add(llvm::cast<RankedTensorType>(type).getShape(),
              placement.getComponents());
    return success();
  }

  /// A boxing may pass through placements that no type of the module has.
  void readPath(BoxOp box) {
    auto type = llvm::cast<RankedTensorType>(box.getResult().getType());
    const Transition& transition = transitions_->path(
        NdSbpAttr::of(box.getInput().getType()).getComponents(),
        NdSbpAttr::of(type).getComponents(), type.getShape(),
        elementBytes(type.getElementType()));
    for (const Step& step : transition.steps)
      cuts_.add(type.getShape(), step.result);
  }

  ModuleOp module_;
  mlir::FlatSymbolRefAttr meshSymbol_;
  std::optional<TransitionTable> transitions_;  // with the mesh
  Cuts cuts_;
};

/// Removes what the rank programs replace.
void eraseWholeProgram(ModuleOp module) {
  for (Operation& op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<FuncOp, nn::ParameterOp>(op)) op.erase();
}

struct Localize : impl::LocalizeBase<Localize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module.getOps<rank::ProgramOp>().empty()) return;
    ModuleReader reader(module);
    if (failed(reader.run())) return signalPassFailure();

    auto classes = reader.cuts().rankClasses(reader.transitions().mesh());
    std::vector<mlir::OwningOpRef<rank::ProgramOp>> programs;
    for (auto [index, ranks] : llvm::enumerate(classes)) {
      std::string name = classes.size() == 1
                             ? "all"
                             : "ranks_like_" + std::to_string(ranks[0]);
      auto program = buildLocalProgram(module, name, reader.meshSymbol(), ranks,
                                       reader.transitions());
      if (failed(program)) return signalPassFailure();
      programs.push_back(std::move(*program));
    }

    eraseWholeProgram(module);
    mlir::SymbolTable symbols(module);
    for (mlir::OwningOpRef<rank::ProgramOp>& program : programs)
      symbols.insert(program.release());
  }
};

}  // namespace
}  // namespace sbp
