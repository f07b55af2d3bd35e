#include "passes/placement/Propagation.h"

#include <limits>
#include <tuple>

#include "dialects/sbp/Sbp.h"

namespace sbp {

MeshSignature Propagation::choose(const OpToPlace& toPlace, const Mesh& mesh) {
  using Price = std::tuple<int64_t, double, double>;
  Price best(std::numeric_limits<int64_t>::max(), 0, 0);
  MeshSignature choice;
  DistributedOpInterface op = toPlace.op;
  auto visit = [&](const MeshSignature& signature) {
    int64_t moved = 0;
    double seconds = 0;
    auto account = [&](Value value, ArrayRef<Component> from,
                       ArrayRef<Component> to) {
      if (from == to) return;
      auto type = llvm::cast<RankedTensorType>(value.getType());
      ++moved;
      seconds += transitions_.cost(from, to, type.getShape(),
                                   elementBytes(type.getElementType()));
    };
    for (auto [operand, from, to] :
         llvm::zip(op->getOperands(), toPlace.given, signature.operands))
      account(operand, from, to);
    for (auto [result, requirements, from] :
         llvm::zip(op->getResults(), toPlace.wanted, signature.results))
      for (const Placement& to : requirements) account(result, from, to);
    Price price(moved, seconds, signature.pointsPerDevice);
    if (price < best) {
      best = price;
      choice = signature;
    }
  };
  forEachSignature(op.getLoopNest(), mesh, visit);
  return choice;
}

}  // namespace sbp
