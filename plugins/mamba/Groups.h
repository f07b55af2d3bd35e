// Constraints, loops and local form of gated_norm and of its gradient.

#ifndef PLUGINS_MAMBA_GROUPS_H_
#define PLUGINS_MAMBA_GROUPS_H_

#include <cmath>
#include <optional>

#include "Mamba.h"

namespace sbp::mamba {

/// Returns the type of `value`, which is a tensor.
inline RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Returns the type of `value` without its placement. The compiler writes
/// placements into the types of whole tensors; the rules of an op do not depend
/// on them.
inline RankedTensorType plainTypeOf(Value value) {
  RankedTensorType type = typeOf(value);
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Fails with a diagnostic unless the operands and attributes meet the
/// constraints of gated_norm. `Adaptor` is the adaptor of gated_norm or of its
/// gradient.
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

/// Adds the loops that both ops have to `nest`, and returns them: one loop per
/// dimension of `input`. All are of kind `outer` except for the last one, which
/// runs over groups. An iteration of the last loop has all elements of a group,
/// so this loop is `evenOnly`: a part with half a group would be wrong.
inline TensorLoops addLoops(LoopNest& nest, RankedTensorType input,
                            int64_t groups, Loop::Kind outer) {
  TensorLoops loops;
  for (int64_t extent : input.getShape().drop_back())
    loops.push_back(nest.addLoop({outer, extent}));
  Loop overGroups = Loop::parallel(groups);
  overGroups.evenOnly = true;
  loops.push_back(nest.addLoop(overGroups));
  return loops;
}

/// Returns a copy of `op` that works on the part of a rank. The copy has the
/// number of groups of the part, so that the size of a group does not change.
template <typename Op>
Operation* buildPart(Op op, OpBuilder& builder, ValueRange operands,
                     TypeRange results) {
  const int64_t groupSize =
      typeOf(op.getInput()).getShape().back() / op.getGroups();
  auto part = llvm::cast<Op>(cloneWithTypes(builder, op, operands, results));
  part.setGroups(typeOf(part.getInput()).getShape().back() / groupSize);
  return part;
}

}  // namespace sbp::mamba

#endif  // PLUGINS_MAMBA_GROUPS_H_
