#include "codegen/cuda/OperandTile.h"

#include <algorithm>

#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Number of padding elements after the rows or columns of each K index. They
/// reduce bank conflicts when threads store vectors that they have loaded along
/// K. A multiple of kFragment, so that fragments stay aligned.
constexpr int64_t kPadding = 4;

}  // namespace

OperandTile::OperandTile(KernelBuilder& builder, Type compute, Extents tile,
                         Extents operand, ProductTensors::Layout layout)
    : builder_(builder),
      compute_(compute),
      tile_(tile),
      operand_(operand),
      isDenseAlongSum_(layout.isDenseAlongSum),
      // Each thread has something to load.
      lanes_(
          std::min(layout.lanes, tile.across * tile.summed / kThreadsOfBlock)),
      shared_(addShared(builder, compute, 2 * tile.summed * acrossInMemory())) {
}

int64_t OperandTile::acrossInMemory() const { return tile_.across + kPadding; }

int64_t OperandTile::numLoads() const {
  return tile_.across * tile_.summed / (lanes_ * kThreadsOfBlock);
}

SmallVector<Value> OperandTile::load(Value thread, Value firstAcross,
                                     Value firstSummed, ElementAt at) {
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < numLoads(); ++i) {
    const Position position = positionOf(thread, i);
    Value across = builder_.add(firstAcross, position.across);
    if (operand_.across % tile_.across != 0)
      across = builder_.min(
          across,
          builder_.index(operand_.across - (isDenseAlongSum_ ? 1 : lanes_)));
    Value summed = builder_.add(firstSummed, position.summed);
    ProductTensors::Element element = at(across, summed);
    Value isValid = element.isValid;
    if (operand_.summed % tile_.summed != 0)
      isValid = builder_.createOrFold<arith::AndIOp>(
          isValid, builder_.isLess(summed, builder_.index(operand_.summed)));
    loaded.push_back(builder_.branch(
        isValid,
        [&]() -> SmallVector<Value> {
          return {loadStored(builder_, element.ref, lanes_)};
        },
        [&]() -> SmallVector<Value> {
          return {builder_.number(
              VectorType::get(lanes_, element.ref.elementType()), 0)};
        })[0]);
  }
  return loaded;
}

void OperandTile::store(Value thread, ArrayRef<Value> loaded, Value half) {
  for (auto [i, stored] : llvm::enumerate(loaded)) {
    Value vector = toComputeType(
        builder_, stored, cast<VectorType>(stored.getType()).getElementType());
    ElementRef ref = refOf(half, positionOf(thread, static_cast<int64_t>(i)));
    if (!isDenseAlongSum_) {
      storeLanes(builder_, vector, ref);
      continue;
    }
    for (int64_t lane = 0; lane < lanes_; ++lane)
      storeOne(builder_, vector::ExtractOp::create(builder_, vector, lane),
               builder_.at(ref, lane * acrossInMemory()));
  }
}

Value OperandTile::fragment(Value half, Value summed, Value across) {
  return loadLanes(builder_, refOf(half, {across, summed}), compute_,
                   kFragment);
}

/// Returns the position in the tile at which load number `load` of `thread`
/// begins. Adjacent threads load adjacent vectors in memory.
OperandTile::Position OperandTile::positionOf(Value thread, int64_t load) {
  Value number = builder_.add(thread, load * kThreadsOfBlock);
  const int64_t inner =
      (isDenseAlongSum_ ? tile_.summed : tile_.across) / lanes_;
  Value along = builder_.mul(builder_.rem(number, inner), lanes_);
  Value other = builder_.div(number, inner);
  return isDenseAlongSum_ ? Position{other, along} : Position{along, other};
}

ElementRef OperandTile::refOf(Value half, Position position) {
  Value term = builder_.add(builder_.mul(half, tile_.summed), position.summed);
  ElementRef ref = builder_.at(shared_, builder_.mul(term, acrossInMemory()));
  return builder_.at(ref, position.across);
}

}  // namespace sbp::cuda
