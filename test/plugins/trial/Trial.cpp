// A plug-in with ops whose rules are right or wrong, as a test wants them.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/plugin/Plugin.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/OpBase.h"
#include "test/plugins/trial/Trial.h.inc"

#define GET_OP_CLASSES
#include "test/plugins/trial/TrialOps.h.inc"

// Must follow the declarations.
#include "test/plugins/trial/Trial.cpp.inc"

#define GET_OP_CLASSES
#include "test/plugins/trial/TrialOps.cpp.inc"

namespace sbp::trial {

namespace {

/// The interface of trial.attached: a loop over its only dimension.
class AttachedLoops
    : public DistributedOpInterface::ExternalModel<AttachedLoops, AttachedOp> {
 public:
  LoopNest getLoopNest(Operation* op) const {
    LoopNest nest;
    const TensorLoops loops = {nest.addLoop(Loop::parallel(
        static_cast<int64_t>(llvm::cast<AttachedOp>(op).getExtent())))};
    nest.operands = {loops};
    nest.results = {loops};
    return nest;
  }
};

}  // namespace

void TrialDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "test/plugins/trial/TrialOps.cpp.inc"
      >();
  AttachedOp::attachInterface<AttachedLoops>(*getContext());
}

namespace {

ArrayRef<int64_t> numbersOf(Attribute attribute) {
  return llvm::cast<mlir::DenseI64ArrayAttr>(attribute).asArrayRef();
}

/// Returns one parallel loop per dimension of the result of `op`, whose
/// operands all have that shape.
LoopNest elementwiseNest(Operation* op) {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent :
       llvm::cast<RankedTensorType>(op->getResult(0).getType()).getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands.assign(op->getNumOperands(), loops);
  nest.results = {loops};
  return nest;
}

LoopNest gateNest(Operation* op) {
  LoopNest nest = elementwiseNest(op);
  nest.partialPasses = {{Reduction::Sum, {1}}};
  return nest;
}

}  // namespace

// ---- Declared ---------------------------------------------------------------

LoopNest DeclaredOp::getLoopNest() {
  LoopNest nest;
  for (auto [index, extent] : llvm::enumerate(getExtents())) {
    const auto loop = static_cast<int64_t>(index);
    Loop declared = Loop::parallel(extent);
    if (llvm::is_contained(getReductions(), loop))
      declared = Loop::reduce(extent, Reduction::Sum);
    if (llvm::is_contained(getWholes(), loop)) declared = Loop::whole(extent);
    declared.evenOnly = llvm::is_contained(getEven(), loop);
    nest.addLoop(declared);
  }
  for (Attribute loops : getOperandLoops())
    nest.operands.emplace_back(numbersOf(loops));
  for (Attribute loops : getResultLoops())
    nest.results.emplace_back(numbersOf(loops));
  for (Attribute operands : getPasses())
    nest.partialPasses.push_back(
        {Reduction::Sum, llvm::SmallVector<int64_t, 2>(numbersOf(operands))});
  nest.flopsPerPoint = getFlops().convertToDouble();
  return nest;
}

SmallVector<Signature> DeclaredOp::getCommunicatingSignatures(
    const LoopNest& nest) {
  SmallVector<Signature> signatures;
  for (Attribute fetching : getFetching()) {
    Signature& signature = signatures.emplace_back();
    ArrayRef<int64_t> numbers = numbersOf(fetching);
    signature.loop = numbers.front();
    for (auto [index, dim] : llvm::enumerate(numbers.drop_front())) {
      Component component =
          dim < 0 ? Component::broadcast() : Component::split(dim);
      if (index < nest.operands.size())
        signature.operands.push_back(component);
      else
        signature.results.push_back(component);
    }
  }
  return signatures;
}

bool DeclaredOp::canCombine(const LoopNest&, const Mesh&,
                            ArrayRef<const Signature*>) {
  return false;
}

SmallVector<Value> DeclaredOp::buildCommunicating(const LoopNest&, const Mesh&,
                                                  ArrayRef<const Signature*>,
                                                  OpBuilder&, ValueRange,
                                                  TypeRange, Shard&) {
  return {};
}

// ---- Signatures that a verifier refuses -------------------------------------

LoopNest GateOp::getLoopNest() { return gateNest(*this); }
LoopNest StrictGateOp::getLoopNest() { return gateNest(*this); }
LoopNest InferringGateOp::getLoopNest() { return gateNest(*this); }

// The wrong inference: a scalar if the operands are placed.
LogicalResult InferringGateOp::inferReturnTypes(
    MLIRContext*, std::optional<Location>, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  auto type = llvm::cast<RankedTensorType>(adaptor.getGate().getType());
  inferred.push_back(type.getEncoding()
                         ? RankedTensorType::get({}, type.getElementType())
                         : type);
  return success();
}

LogicalResult SwapOp::verify() {
  if (getInput().getType().getNumElements() % 2 == 0) return success();
  return emitOpError() << "swaps the elements of pairs, of which "
                       << getInput().getType() << " does not consist";
}

LoopNest SwapOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  if (!getInPairs()) return nest;
  nest.loops[0].extent /= 2;
  nest.loops[0].evenOnly = true;
  return nest;
}

LoopNest UncutOp::getLoopNest() { return elementwiseNest(*this); }

Operation* UncutOp::buildLocal(OpBuilder& builder, ValueRange operands,
                               TypeRange, Shard&) {
  auto whole = getResult().getType();
  return cloneWithTypes(
      builder, *this, operands,
      RankedTensorType::get(whole.getShape(), whole.getElementType()));
}

LoopNest CuttingOp::getLoopNest() { return elementwiseNest(*this); }

SmallVector<Signature> CuttingOp::getCommunicatingSignatures(const LoopNest&) {
  Signature cut;
  cut.loop = 0;
  cut.operands = {Component::broadcast()};
  cut.results = {Component::split(0)};
  return {cut};
}

bool CuttingOp::canCombine(const LoopNest&, const Mesh&,
                           ArrayRef<const Signature*>) {
  return true;
}

SmallVector<Value> CuttingOp::buildCommunicating(const LoopNest&, const Mesh&,
                                                 ArrayRef<const Signature*>,
                                                 OpBuilder&,
                                                 ValueRange operands, TypeRange,
                                                 Shard&) {
  return operands;
}

LoopNest UnbuiltOp::getLoopNest() { return elementwiseNest(*this); }

Operation* UnbuiltOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                 TypeRange results, Shard&) {
  if (getWithTwoResults())
    return cloneWithTypes(builder, *this, operands,
                          {results.front(), results.front()});
  if (!getElsewhere()) return nullptr;
  Operation* local = cloneWithTypes(builder, *this, operands, results);
  local->remove();
  return local;
}

LoopNest SlicingOp::getLoopNest() { return elementwiseNest(*this); }

SmallVector<Signature> SlicingOp::getCommunicatingSignatures(const LoopNest&) {
  Signature cut;
  cut.loop = 0;
  cut.operands = {Component::broadcast()};
  cut.results = {Component::split(0)};
  return {cut};
}

bool SlicingOp::canCombine(const LoopNest&, const Mesh&,
                           ArrayRef<const Signature*>) {
  return true;
}

SmallVector<Value> SlicingOp::buildCommunicating(
    const LoopNest&, const Mesh& mesh, ArrayRef<const Signature*>,
    OpBuilder& builder, ValueRange operands, TypeRange results, Shard&) {
  if (mesh.axes.size() > 1) return {};
  if (getReturnsNull()) return {Value()};
  mlir::ArrayAttr axes = getOverNoAxis() ? builder.getStrArrayAttr({"nowhere"})
                                         : rank::namesOf({0}, mesh, builder);
  Value part = rank::SliceOp::create(builder, getLoc(), results.front(),
                                     operands.front(), /*dim=*/0, axes);
  if (getReturnsTwice()) return {part, part};
  return {part};
}

// ---- Kernels ----------------------------------------------------------------

LoopNest CopyOp::getLoopNest() { return elementwiseNest(*this); }

bool CopyOp::canWriteInPlaceOnCpu(unsigned, unsigned) { return true; }

void CopyOp::buildKernel(KernelBuilder& builder,
                         const KernelArguments& arguments) {
  arguments.loops.copy(builder, getInput().getType().getShape(),
                       dense(getInput(), arguments.operands[0]),
                       dense(getResult(), arguments.results[0]));
}

void CopyOp::buildKernel(KernelBuilder& builder,
                         const cpu::KernelArguments& arguments) {
  const sbp::KernelArguments& portable = arguments;
  buildKernel(builder, portable);
}

void CopyOp::buildKernel(cuda::Launches& launches) {
  launches.add(
      [&](KernelBuilder& builder, const cuda::KernelArguments& arguments) {
        const sbp::KernelArguments& portable = arguments;
        buildKernel(builder, portable);
      });
}

LoopNest BadGpuCopyOp::getLoopNest() { return elementwiseNest(*this); }

void BadGpuCopyOp::buildKernel(KernelBuilder& builder,
                               const KernelArguments& arguments) {
  arguments.loops.copy(builder, getInput().getType().getShape(),
                       dense(getInput(), arguments.operands[0]),
                       dense(getResult(), arguments.results[0]));
}

void BadGpuCopyOp::buildKernel(cuda::Launches& launches) {
  if (!getMixed()) return;
  launches.add([&](KernelBuilder& builder,
                   const cuda::KernelArguments& arguments) {
    builder.store(Arithmetic(builder).add(builder.load(arguments.operands[0]),
                                          builder.index(1)),
                  arguments.results[0]);
  });
}

}  // namespace sbp::trial

SBP_DIALECT_PLUGIN("trial", "1", [](mlir::DialectRegistry* registry) {
  registry->insert<sbp::trial::TrialDialect>();
})
