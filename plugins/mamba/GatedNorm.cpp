// gated_norm: its types, loops, local form, adjoint and kernel.
//
// With h = input * silu(gate) and r = 1 / sqrt(mean(h^2) + epsilon), the mean
// over a group, the result is h * r * scale.

#include "GroupRows.h"
#include "Groups.h"

namespace sbp::mamba {

LogicalResult GatedNormOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(check(location, adaptor))) return mlir::failure();
  inferred.push_back(plainTypeOf(adaptor.getInput()));  // (C5)
  return mlir::success();
}

// All loops are parallel. Each runs over a dimension of input, gate and result;
// scale has the last one only. The op is linear in scale, operand 2: a term of
// scale gives a term of the result.
LoopNest GatedNormOp::getLoopNest() {
  LoopNest nest;
  const TensorLoops loops =
      addLoops(nest, typeOf(getInput()), getGroups(), Loop::Kind::Parallel);
  nest.operands = {loops, loops, {loops.back()}};
  nest.results = {loops};
  nest.partialPasses = {{Reduction::Sum, {2}}};
  // An iteration of all loops is a group.
  nest.flopsPerPoint = 9.0 * typeOf(getScale()).getNumElements() / getGroups();
  return nest;
}

Operation* GatedNormOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                   TypeRange results, Shard&) {
  return buildPart(*this, builder, operands, results);
}

// One op computes all gradients. Written with ops of nn, the adjoint would keep
// several tensors of the input's size, and read and write them all.
LogicalResult GatedNormOp::buildAdjoint(
    OpBuilder& builder, ValueRange resultGradients,
    llvm::MutableArrayRef<Value> operandGradients) {
  auto gradients = GatedNormGradOp::create(
      builder, getLoc(), getInput(), getGate(), getScale(), resultGradients[0],
      getGroups(), getEpsilon());
  llvm::copy(gradients->getResults(), operandGradients.begin());
  return mlir::success();
}

// The result may replace input or gate: an element of the result is stored
// after the elements of input and gate at its position have been loaded.
bool GatedNormOp::canWriteInPlace(unsigned, unsigned operand) {
  return operand != 2;
}

void GatedNormOp::buildKernel(KernelBuilder& builder,
                              const KernelArguments& arguments) {
  Arithmetic x(builder);
  GroupRows groups(*this, builder, arguments);
  groups.forEach(arguments, [&](Rows& rows) {
    Value r = groups.inverseRms(rows);
    rows.forEach([&](Rows::At at) {
      Value n = x.mul(groups.load(rows, at).h, r);
      rows.store(x.mul(n, groups.loadScale(rows, at)), arguments.results[0],
                 at);
    });
  });
}

}  // namespace sbp::mamba
