#include "passes/placement/Propagation.h"

#include <limits>
#include <utility>

#include "dialects/sbp/Sbp.h"
#include "passes/boxing/Terms.h"

namespace sbp {
namespace {

/// Whether `signature` has Partial operands on an axis on which no operand is
/// Partial yet. With such a signature every device does all the work, and all
/// but one do it on zeros.
bool inventsPartial(const OpToPlace& op, const MeshSignature& signature,
                    size_t numAxes) {
  for (size_t axis = 0; axis < numAxes; ++axis) {
    auto isPartial = [&](const Placement& placement) {
      return placement[axis].isPartial();
    };
    if (llvm::any_of(signature.operands, isPartial) &&
        llvm::none_of(op.operandPlacements, isPartial))
      return true;
  }
  return false;
}

/// Whether `signature` adds up the terms of an operand that must keep its
/// terms.
bool addsUpUnreduced(const OpToPlace& op, const MeshSignature& signature,
                     const UnreducedGradients& unreduced) {
  return llvm::any_of(llvm::zip(DistributedOpInterface(op.op)->getOperands(),
                                op.operandPlacements, signature.operands),
                      [&](auto each) {
                        auto [operand, given, wanted] = each;
                        return unreduced.contains(operand) &&
                               addsUpTerms(given, wanted);
                      });
}

/// Returns the number of axes on which `pin` is Partial and `result` differs.
/// The price of the movement does not show these axes, since making a tensor
/// Partial is free.
int64_t numMissedTerms(ArrayRef<Component> result, ArrayRef<Component> pin) {
  int64_t missed = 0;
  for (auto [actual, wanted] : llvm::zip(result, pin))
    if (wanted.isPartial() && actual != wanted) ++missed;
  return missed;
}

}  // namespace

Placement Propagation::placeParameter(nn::ParameterOp) {
  return Placement(transitions_.mesh().axes.size());
}

Placement Propagation::placeInput(mlir::BlockArgument input) {
  const Mesh& mesh = transitions_.mesh();
  Placement placement(mesh.axes.size());
  auto type = llvm::cast<RankedTensorType>(input.getType());
  if (!splitsInputs_ || type.getRank() == 0) return placement;
  int64_t devices = 1;
  for (auto [axis, component] : llvm::zip(mesh.axes, placement)) {
    devices *= axis.size;
    if (axis.size > 1 && type.getDimSize(0) >= devices)
      component = Component::split(0);
  }
  return placement;
}

Placement Propagation::placeArgument(mlir::BlockArgument,
                                     ArrayRef<Component> given) {
  return Placement(given);
}

std::optional<Placement> Propagation::placeReturned(mlir::OpOperand&) {
  return std::nullopt;
}

MeshSignature Propagation::choose(const OpToPlace& toPlace, const Mesh& mesh) {
  // `Count` is the numbers of missed terms and of moved tensors. `Price` is the
  // seconds of boxing, and the iterations per device.
  using Count = std::pair<int64_t, int64_t>;
  using Price = std::pair<double, double>;
  Count least(std::numeric_limits<int64_t>::max(), 0);
  Price best;
  MeshSignature choice;
  DistributedOpInterface op = toPlace.op;
  if (!unreducedGradients_)
    unreducedGradients_.emplace(op->getParentOfType<ModuleOp>());
  auto visit = [&](const MeshSignature& signature) {
    if (inventsPartial(toPlace, signature, mesh.axes.size()) ||
        addsUpUnreduced(toPlace, signature, *unreducedGradients_))
      return;
    struct Movement {
      RankedTensorType type;
      ArrayRef<Component> from, to;
    };
    llvm::SmallVector<Movement, 4> movements;
    auto move = [&](Value value, ArrayRef<Component> from,
                    ArrayRef<Component> to) {
      if (from != to)
        movements.push_back(
            {llvm::cast<RankedTensorType>(value.getType()), from, to});
    };
    int64_t missedTerms = 0;
    for (auto [operand, from, to] : llvm::zip(
             op->getOperands(), toPlace.operandPlacements, signature.operands))
      move(operand, from, to);
    for (auto [result, requirements, from] :
         llvm::zip(op->getResults(), toPlace.requirements, signature.results))
      for (const Requirement& to : requirements) {
        move(result, from, to.placement);
        if (to.isPin) missedTerms += numMissedTerms(from, to.placement);
      }
    Count count(missedTerms, movements.size());
    if (count > least) return;  // not cheaper, so do not price the movements

    double seconds = 0;
    for (const Movement& movement : movements)
      seconds += transitions_.cost(
          movement.from, movement.to, movement.type.getShape(),
          elementBytes(movement.type.getElementType()));
    Price price(seconds, signature.pointsPerDevice);
    if (count < least || price < best) {
      least = count;
      best = price;
      choice = signature;
    }
  };
  forEachSignature(op.getLoopNest(), mesh, visit);
  return choice;
}

}  // namespace sbp
