#include "passes/Forms.h"

#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/localize/VerifyLocalPlacements.h"
#include "passes/localize/VerifyTransfers.h"
#include "passes/module/PlacedTypes.h"
#include "passes/module/VerifyTensors.h"

namespace sbp {

#define GEN_PASS_DEF_VERIFYLOGICAL
#define GEN_PASS_DEF_VERIFYDIFFERENTIATED
#define GEN_PASS_DEF_VERIFYPLACED
#define GEN_PASS_DEF_VERIFYBOXED
#define GEN_PASS_DEF_VERIFYLOCAL
#define GEN_PASS_DEF_VERIFYTENSORS
#include "passes/Forms.h.inc"

namespace {

using mlir::func::FuncOp;

/// Whether any op inside `root` is one of `Ops`.
template <typename... Ops>
bool hasAny(Operation* root) {
  return root
      ->walk([](Operation* op) {
        return llvm::isa<Ops...>(op) ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Fails at the first op inside `root` that is one of `Ops`.
template <typename... Ops>
LogicalResult hasNone(Operation* root, StringRef form) {
  mlir::WalkResult result = root->walk([&](Operation* op) {
    if (!llvm::isa<Ops...>(op)) return mlir::WalkResult::advance();
    op->emitOpError() << "does not belong in the " << form << " form";
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult hasNoPlacement(Operation* root, StringRef form) {
  return forEachTensorType(root, [&](Operation* op, RankedTensorType type) {
    if (!NdSbpAttr::of(type)) return LogicalResult(success());
    return LogicalResult(op->emitOpError() << "has the placed type " << type
                                           << ", which does not belong in the "
                                           << form << " form");
  });
}

/// Fails at an op with a pinned signature. In `form`, the types of an op decide
/// how it runs, so the pin has no effect.
LogicalResult hasNoPinnedSignature(Operation* root, StringRef form) {
  mlir::WalkResult result = root->walk([&](Operation* op) {
    Attribute pin = op->getAttr(kSignatureAttrName);
    if (!pin) return mlir::WalkResult::advance();
    op->emitOpError() << "is pinned to " << pin
                      << ", but is placed already in the " << form << " form";
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Fails at a call through which a function of `program` calls itself, directly
/// or indirectly. `program` is a module or a rank.program.
LogicalResult hasNoRecursion(Operation* program) {
  enum class State { Open, Done };
  llvm::DenseMap<Operation*, State> states;
  mlir::SymbolTable symbols(program);
  std::function<LogicalResult(FuncOp)> visit = [&](FuncOp function) {
    states[function] = State::Open;
    mlir::WalkResult result = function.walk([&](mlir::CallOpInterface call) {
      auto callee = nn::calleeOf(call, symbols);
      if (!callee) return mlir::WalkResult::advance();
      auto state = states.find(callee);
      if (state == states.end())
        return failed(visit(callee)) ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
      if (state->second == State::Done) return mlir::WalkResult::advance();
      call->emitOpError() << "makes " << nn::calleeOf(call)
                          << " call itself; a layer must not be recursive";
      return mlir::WalkResult::interrupt();
    });
    states[function] = State::Done;
    return LogicalResult(failure(result.wasInterrupted()));
  };
  for (auto function : program->getRegion(0).getOps<FuncOp>())
    if (!states.contains(function) && failed(visit(function))) return failure();
  return success();
}

LogicalResult verifyLogical(ModuleOp module, StringRef form) {
  if (failed(hasNone<CastOp, BoxOp, rank::ProgramOp>(module, form)) ||
      failed(hasNoPlacement(module, form)))
    return failure();
  return hasNoRecursion(module);
}

LogicalResult verifyPlaced(ModuleOp module, StringRef form) {
  if (failed(hasNone<PinOp, rank::ProgramOp>(module, form)) ||
      failed(hasNoPinnedSignature(module, form)))
    return failure();
  if (failed(verifyAllPlaced(module))) return failure();
  FailureOr<PlacedMeshes> placed = placedMeshesOf(module);
  if (failed(placed)) return failure();
  mlir::WalkResult result = module.walk([&](DistributedOpInterface op) {
    auto types =
        llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes());
    NdSbpAttr placement = NdSbpAttr::of(*types.begin());
    return failed(verifyOnMesh(op, placed->of(placement.getMesh())))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyLocal(ModuleOp module) {
  if (failed(hasNoPlacement(module, "local")) ||
      failed(hasNoPinnedSignature(module, "local")))
    return failure();
  for (Operation& op : *module.getBody())
    if (llvm::isa<FuncOp, nn::ParameterOp>(op))
      return op.emitOpError()
             << "stands outside of the rank programs; in the local form only a "
                "rank.program has functions and parameters";
  llvm::DenseMap<int64_t, rank::ProgramOp> programOf;
  rank::ProgramOp first;
  for (auto program : module.getOps<rank::ProgramOp>()) {
    if (!first) first = program;
    if (program.getMesh() != first.getMesh())
      return program.emitOpError()
             << "runs on " << program.getMeshAttr() << ", other programs on "
             << first.getMeshAttr();
    for (int64_t rank : program.getRanks()) programOf[rank] = program;
    if (failed(hasNoRecursion(program))) return failure();
  }
  if (!first) return module.emitError() << "the module has no rank program";
  FailureOr<Mesh> mesh = lookupMesh(first, first.getMeshAttr());
  if (failed(mesh)) return failure();
  for (int64_t rank = 0; rank < mesh->numRanks(); ++rank)
    if (!programOf.contains(rank))
      return module.emitError()
             << "no rank program lists rank " << rank << " of "
             << first.getMeshAttr() << ", which has " << mesh->numRanks();
  if (failed(verifyLocalPlacements(module))) return failure();
  return verifyTransfers(module);
}

bool hasPlacedType(ModuleOp module) {
  return failed(
      forEachTensorType(module, [](Operation*, RankedTensorType type) {
        return LogicalResult(failure(NdSbpAttr::of(type) != nullptr));
      }));
}

struct VerifyTensors : impl::VerifyTensorsBase<VerifyTensors> {
  void runOnOperation() override {
    if (failed(verifyTensors(getOperation()))) signalPassFailure();
  }
};

struct VerifyLogical : impl::VerifyLogicalBase<VerifyLogical> {
  void runOnOperation() override {
    if (failed(verifyLogical(getOperation(), "logical"))) signalPassFailure();
  }
};

struct VerifyDifferentiated
    : impl::VerifyDifferentiatedBase<VerifyDifferentiated> {
  void runOnOperation() override {
    if (failed(verifyLogical(getOperation(), "differentiated")))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FuncOp>())
      if (function->hasAttr(nn::kOptimizerAttrName)) {
        function.emitOpError() << "is still to be differentiated";
        return signalPassFailure();
      }
  }
};

struct VerifyPlaced : impl::VerifyPlacedBase<VerifyPlaced> {
  void runOnOperation() override {
    if (failed(verifyPlaced(getOperation(), "placed"))) signalPassFailure();
  }
};

struct VerifyBoxed : impl::VerifyBoxedBase<VerifyBoxed> {
  void runOnOperation() override {
    if (failed(hasNone<CastOp>(getOperation(), "boxed")) ||
        failed(verifyPlaced(getOperation(), "boxed")))
      signalPassFailure();
  }
};

struct VerifyLocal : impl::VerifyLocalBase<VerifyLocal> {
  void runOnOperation() override {
    if (failed(verifyLocal(getOperation()))) signalPassFailure();
  }
};

}  // namespace

llvm::StringRef stringOf(Form form) {
  switch (form) {
    case Form::Logical:
      return "logical";
    case Form::Differentiated:
      return "differentiated";
    case Form::Placed:
      return "placed";
    case Form::Boxed:
      return "boxed";
    case Form::Local:
      return "local";
  }
  llvm_unreachable("a form is one of five");
}

Form formOf(ModuleOp module) {
  if (hasAny<rank::ProgramOp>(module)) return Form::Local;
  if (!hasPlacedType(module)) return Form::Logical;
  return hasAny<BoxOp>(module) && !hasAny<CastOp>(module) ? Form::Boxed
                                                          : Form::Placed;
}

}  // namespace sbp
