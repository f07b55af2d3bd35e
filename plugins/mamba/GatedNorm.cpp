// The rules of gated_norm and its gradient: their types, loops, local forms and
// adjoint. The kernels are in GatedNormKernels.cpp.

#include <cmath>

#include "Mamba.h"

namespace sbp::mamba {
namespace {

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Returns the type of `value` without its placement. Whole ops have placements
/// in their types, which the compiler decides, and no rule of an op reads.
RankedTensorType plainTypeOf(Value value) {
  RankedTensorType type = typeOf(value);
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Fails with a diagnostic unless the operands and attributes meet the
/// constraints of gated_norm. `Adaptor` is that of either op.
template <typename Adaptor>
LogicalResult check(std::optional<Location> location, Adaptor op) {
  const RankedTensorType input = plainTypeOf(op.getInput()),
                         gate = plainTypeOf(op.getGate()),
                         scale = plainTypeOf(op.getScale());
  if (input.getRank() == 0)  // (C1)
    return mlir::emitOptionalError(location, "normalises a tensor of rank 0");
  if (gate != input)  // (C1)
    return mlir::emitOptionalError(location, "input is ", input,
                                   ", but gate is ", gate);
  const int64_t extent = input.getShape().back();
  const auto wanted = RankedTensorType::get({extent}, input.getElementType());
  if (scale != wanted)  // (C2)
    return mlir::emitOptionalError(location, "scale is ", scale,
                                   ", but the last dimension needs ", wanted);
  const int64_t groups = op.getGroups();
  if (groups < 1 || extent < 1 || extent % groups != 0)  // (C3)
    return mlir::emitOptionalError(location, "last dimension has extent ",
                                   extent, ", which is no multiple of ", groups,
                                   " groups");
  const double epsilon = op.getEpsilon().convertToDouble();
  if (!std::isfinite(epsilon) || epsilon < 0)  // (C4)
    return mlir::emitOptionalError(location, "epsilon is ", epsilon,
                                   ", but must be finite and at least 0");
  return mlir::success();
}

/// Adds the loops of both ops: one per dimension, of kind `outer` except for
/// the last one, which runs over groups. An iteration of that loop has all
/// elements of a group, so the loop is `evenOnly`: a part with half a group
/// would be wrong.
TensorLoops addLoops(LoopNest& nest, RankedTensorType input, int64_t groups,
                     Loop::Kind outer) {
  TensorLoops loops;
  for (int64_t extent : input.getShape().drop_back())
    loops.push_back(nest.addLoop({outer, extent}));
  Loop overGroups = Loop::parallel(groups);
  overGroups.evenOnly = true;
  loops.push_back(nest.addLoop(overGroups));
  return loops;
}

/// Returns a copy of `op` on the part of a rank, which has the groups of the
/// part. Without this the copy would have the number of groups of the whole
/// tensor, and so smaller groups.
template <typename Op>
Operation* buildPart(Op op, OpBuilder& builder, ValueRange operands,
                     TypeRange results) {
  const int64_t groupSize =
      typeOf(op.getInput()).getShape().back() / op.getGroups();
  auto part = llvm::cast<Op>(cloneWithTypes(builder, op, operands, results));
  part.setGroups(typeOf(part.getInput()).getShape().back() / groupSize);
  return part;
}

}  // namespace

// ---- gated_norm -------------------------------------------------------------

LogicalResult GatedNormOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(check(location, adaptor))) return mlir::failure();
  inferred.push_back(plainTypeOf(adaptor.getInput()));  // (C5)
  return mlir::success();
}

// All loops are parallel. Each runs over a dimension of input, gate and result;
// scale has the last one only. The op is linear in scale, operand 2: terms of a
// scale give terms of the result.
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

// ---- gated_norm_grad --------------------------------------------------------

LogicalResult GatedNormGradOp::inferReturnTypes(
    MLIRContext*, std::optional<Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<Type>& inferred) {
  if (failed(check(location, adaptor))) return mlir::failure();
  const RankedTensorType input = plainTypeOf(adaptor.getInput()),
                         gradient = plainTypeOf(adaptor.getGradient());
  if (gradient != input)
    return mlir::emitOptionalError(location, "input is ", input,
                                   ", but gradient is ", gradient);
  inferred.append({input, input, plainTypeOf(adaptor.getScale())});
  return mlir::success();
}

// The gradient of scale lacks all loops but the last one, which are therefore
// reductions: where one is split, that result is Partial. The op is linear in
// the gradient of the result, operand 3.
LoopNest GatedNormGradOp::getLoopNest() {
  LoopNest nest;
  const TensorLoops loops =
      addLoops(nest, typeOf(getInput()), getGroups(), Loop::Kind::Reduction);
  nest.operands = {loops, loops, {loops.back()}, loops};
  nest.results = {loops, loops, {loops.back()}};
  nest.partialPasses = {{Reduction::Sum, {3}}};
  nest.flopsPerPoint = 24.0 * typeOf(getScale()).getNumElements() / getGroups();
  return nest;
}

Operation* GatedNormGradOp::buildLocal(OpBuilder& builder, ValueRange operands,
                                       TypeRange results, Shard&) {
  return buildPart(*this, builder, operands, results);
}

}  // namespace sbp::mamba
