#include "codegen/cuda/VectorAccess.h"

#include <algorithm>
#include <numeric>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Returns the alignment, in bytes, of an access of `lanes` elements.
llvm::MaybeAlign alignmentOf(ElementRef ref, int64_t lanes) {
  return llvm::Align(std::min(
      lanes * ref.elementType().getIntOrFloatBitWidth() / 8, kBytesOfAccess));
}

}  // namespace

int64_t lanesOfAccess(Type elementType) {
  return kBytesOfAccess / (elementType.getIntOrFloatBitWidth() / 8);
}

Type computeType(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  return type && type.getWidth() < 32
             ? Type(Float32Type::get(elementType.getContext()))
             : elementType;
}

Value loadStored(KernelBuilder& builder, ElementRef ref, int64_t lanes) {
  return vector::LoadOp::create(builder,
                                VectorType::get(lanes, ref.elementType()),
                                ref.buffer, ValueRange{ref.offset},
                                /*nontemporal=*/false, alignmentOf(ref, lanes));
}

Value toComputeType(KernelBuilder& builder, Value stored, Type elementType) {
  auto type = cast<VectorType>(stored.getType());
  if (elementType.isInteger(1)) {
    Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, stored,
                                 zero);
  }
  Type compute = computeType(elementType);
  if (compute == elementType) return stored;
  return arith::ExtFOp::create(builder, type.clone(compute), stored);
}

Value loadLanes(KernelBuilder& builder, ElementRef ref, Type elementType,
                int64_t lanes) {
  return toComputeType(builder, loadStored(builder, ref, lanes), elementType);
}

void storeLanes(KernelBuilder& builder, Value vector, ElementRef ref) {
  const int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  auto type = VectorType::get(lanes, ref.elementType());
  if (vector.getType() != type) {
    if (isa<FloatType>(ref.elementType()))
      vector = arith::TruncFOp::create(builder, type, vector);
    else
      vector = arith::ExtUIOp::create(builder, type, vector);
  }
  vector::StoreOp::create(builder, vector, ref.buffer, ValueRange{ref.offset},
                          /*nontemporal=*/false, alignmentOf(ref, lanes));
}

Value loadOne(KernelBuilder& builder, ElementRef ref) {
  return vector::ExtractOp::create(
      builder, loadLanes(builder, ref, ref.elementType(), 1), 0);
}

void storeOne(KernelBuilder& builder, Value value, ElementRef ref) {
  storeLanes(builder, builder.broadcast(value, 1), ref);
}

Value takeLanes(KernelBuilder& builder, Value vector, int64_t first,
                int64_t count) {
  SmallVector<int64_t> lanes(count);
  std::iota(lanes.begin(), lanes.end(), first);
  return builder.createOrFold<vector::ShuffleOp>(vector, vector, lanes);
}

}  // namespace sbp::cuda
