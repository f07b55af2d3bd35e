// Ops with a false promise, which checks find when they draw these ops at
// random.

#include <cstdlib>

#include "codegen/kernels/Arithmetic.h"
#include "test/plugins/planted/Planted.h"

namespace sbp::planted {
namespace {

LoopNest elementwiseNest(Operation* op) {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent : typeOf(op->getOperand(0)).getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands = {loops};
  nest.results.assign(op->getNumResults(), loops);
  return nest;
}

void emitElements(
    Operation* op, KernelBuilder& builder, const KernelArguments& arguments,
    llvm::function_ref<SmallVector<Value>(Arithmetic&, Value)> element) {
  Arithmetic x(builder);
  SmallVector<StridedTensor> results;
  for (auto [result, first] : llvm::zip(op->getResults(), arguments.results))
    results.push_back(dense(result, first));
  arguments.loops.forEachElement(
      builder, typeOf(op->getOperand(0)).getShape(),
      dense(op->getOperand(0), arguments.operands[0]), results,
      [&](ValueRange in) { return element(x, in[0]); });
}

SmallVector<Value> same(Arithmetic&, Value in) { return {in}; }

}  // namespace

LoopNest UnfitOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  for (Loop& loop : nest.loops) loop.extent = 3;
  return nest;
}

void UnfitOp::buildKernel(KernelBuilder& builder,
                          const KernelArguments& arguments) {
  emitElements(*this, builder, arguments, same);
}

LoopNest CrashingOp::getLoopNest() {
  if (typeOf(getInput()).getRank() == 0) std::abort();
  return elementwiseNest(*this);
}

void CrashingOp::buildKernel(KernelBuilder& builder,
                             const KernelArguments& arguments) {
  emitElements(*this, builder, arguments, same);
}

LoopNest PowersOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  nest.partialPasses = {{Reduction::Sum, {0}}};
  return nest;
}

void PowersOp::buildKernel(KernelBuilder& builder,
                           const KernelArguments& arguments) {
  emitElements(*this, builder, arguments,
               [](Arithmetic& x, Value in) -> SmallVector<Value> {
                 return {in, x.mul(in, in)};
               });
}

LoopNest MixedOp::getLoopNest() { return elementwiseNest(*this); }

void MixedOp::buildKernel(KernelBuilder& builder,
                          const KernelArguments& arguments) {
  emitElements(*this, builder, arguments,
               [&](Arithmetic& x, Value in) -> SmallVector<Value> {
                 return {x.add(in, builder.index(1))};
               });
}

LoopNest StrictOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  nest.operands.push_back(nest.operands[0]);
  nest.partialPasses = {{Reduction::Sum, {1}}};
  return nest;
}

void StrictOp::buildKernel(KernelBuilder& builder,
                           const KernelArguments& arguments) {
  Arithmetic x(builder);
  arguments.loops.forEachElement(builder, getResult().getType().getShape(),
                                 {dense(getGate(), arguments.operands[0]),
                                  dense(getValue(), arguments.operands[1])},
                                 dense(getResult(), arguments.results[0]),
                                 [&](ValueRange in) -> SmallVector<Value> {
                                   return {x.mul(in[0], in[1])};
                                 });
}

LogicalResult GroupedOp::verify() {
  const ArrayRef<int64_t> shape = getInput().getType().getShape();
  if (shape.size() == 1 && getGroups() > 0 && shape[0] % getGroups() == 0)
    return success();
  return emitOpError() << "takes groups of a vector";
}

LoopNest GroupedOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  nest.loops[0].extent = getGroups();
  nest.loops[0].evenOnly = true;
  return nest;
}

void GroupedOp::buildKernel(KernelBuilder& builder,
                            const KernelArguments& arguments) {
  const int64_t groups = getGroups();
  const int64_t size = getInput().getType().getNumElements() / groups;
  const Type type = builder.getF32Type();
  arguments.loops.copy(
      builder, {groups, size},
      {builder.at(arguments.operands[0], size - 1), type, {size, -1}},
      {arguments.results[0], type, {size, 1}});
}

LogicalResult ShiftedOp::verify() {
  if (getInput().getType().getShape() == getResult().getType().getShape())
    return success();
  return emitOpError() << "has another result";
}

LoopNest ShiftedOp::getLoopNest() {
  LoopNest nest = elementwiseNest(*this);
  if (getBy()) nest.operands.emplace_back();
  return nest;
}

Operation* ShiftedOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                 TypeRange results, Shard&) {
  return ShiftedOp::create(builder, getLoc(), results, operands[0], Value());
}

void ShiftedOp::buildKernel(KernelBuilder& builder,
                            const KernelArguments& arguments) {
  Arithmetic x(builder);
  const ArrayRef<int64_t> shape = getInput().getType().getShape();
  SmallVector<StridedTensor> inputs = {
      dense(getInput(), arguments.operands[0])};
  if (getBy())
    inputs.push_back(broadcastTo(shape, getBy(), arguments.operands[1]));
  arguments.loops.forEachElement(
      builder, shape, inputs, dense(getResult(), arguments.results[0]),
      [&](ValueRange in) -> SmallVector<Value> {
        if (in.size() == 1) return {in[0]};
        return {x.add(in[0], x.cast(in[1], builder.getF32Type()))};
      });
}

LogicalResult ScaledOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  const RankedTensorType type = typeOf(adaptor.getInput());
  if (type.getRank() == 0 ||
      type.getRank() != static_cast<int64_t>(adaptor.getDims()))
    return mlir::emitOptionalError(location, "has another number of dims");
  inferred.push_back(
      RankedTensorType::get(type.getShape(), type.getElementType()));
  return success();
}

LoopNest ScaledOp::getLoopNest() {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent : typeOf(getInput()).getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands = {loops};
  nest.results = {loops};
  return nest;
}

void ScaledOp::buildKernel(KernelBuilder& builder,
                           const KernelArguments& arguments) {
  Arithmetic x(builder);
  const ArrayRef<int64_t> shape = typeOf(getInput()).getShape();
  const double factor = getFactor() ? getFactor()->convertToFloat()
                                    : static_cast<double>(shape.back());
  arguments.loops.forEachElement(builder, shape,
                                 dense(getInput(), arguments.operands[0]),
                                 dense(getResult(), arguments.results[0]),
                                 [&](ValueRange in) -> SmallVector<Value> {
                                   return {x.mul(in[0], x.like(in[0], factor))};
                                 });
}

}  // namespace sbp::planted
