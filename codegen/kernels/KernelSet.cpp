#include "codegen/kernels/KernelSet.h"

#include <cassert>

#include "codegen/kernels/StridedTensor.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

using namespace mlir;

namespace {

/// What two ops must have in common to share a kernel, as one attribute.
Attribute keyOf(Operation* op, ArrayRef<int64_t> inPlace) {
  Builder builder(op->getContext());
  SmallVector<Attribute> parts = {
      builder.getStringAttr(op->getName().getStringRef())};
  if (Attribute properties = op->getPropertiesAsAttribute())
    parts.push_back(properties);
  for (Type type : op->getOperandTypes()) parts.push_back(TypeAttr::get(type));
  for (Type type : op->getResultTypes()) parts.push_back(TypeAttr::get(type));
  parts.push_back(builder.getDenseI64ArrayAttr(inPlace));
  return builder.getArrayAttr(parts);
}

/// "gelu_3_8x64": what the op is, a number, the shape of its result. For the
/// eyes of who reads a profile; the number makes it unique.
std::string nameOf(Operation* op, size_t number) {
  std::string name = op->getName().stripDialect().str();
  for (char& c : name)
    if (!llvm::isAlnum(c)) c = '_';
  name += "_" + std::to_string(number);
  if (op->getNumResults() == 0) return name;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() != 0) name += "_";
  return name + llvm::join(llvm::map_range(type.getShape(),
                                           [](int64_t extent) {
                                             return std::to_string(extent);
                                           }),
                           "x");
}

BufferType bufferOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return {memoryType(tensor.getElementType()), tensor.getNumElements()};
}

}  // namespace

FailureOr<int64_t> KernelSet::kernelFor(Operation* op,
                                        ArrayRef<int64_t> inPlace) {
  assert((inPlace.empty() || inPlace.size() == op->getNumResults()) &&
         "one operand number for each result");
  Attribute key = keyOf(op, inPlace);
  if (auto known = kernels_.find(key); known != kernels_.end())
    return known->second;
  FailureOr<KernelNeeds> needs = target().needsOf(op);
  if (failed(needs)) return failure();
  int64_t number = names_.size();
  names_.push_back(nameOf(op, number));

  SmallVector<BufferType> buffers;
  for (Type type : op->getOperandTypes()) buffers.push_back(bufferOf(type));
  for (Type type : op->getResultTypes()) buffers.push_back(bufferOf(type));
  if (needs->scratchBytes)
    buffers.push_back(
        {IntegerType::get(op->getContext(), 8), needs->scratchBytes});
  addKernel(op, names_.back(), buffers, [&](ArrayRef<Place> places) {
    size_t numOperands = op->getNumOperands();
    Places result;
    result.operands = llvm::to_vector(places.take_front(numOperands));
    result.results =
        llvm::to_vector(places.slice(numOperands, op->getNumResults()));
    if (needs->scratchBytes) result.scratch = places.back();
    // One argument for a buffer that is read and written: LLVM is told that
    // different arguments do not overlap.
    for (auto [number, operand] : llvm::enumerate(inPlace)) {
      if (operand == kOwnBuffer) continue;
      assert(llvm::is_contained(needs->inPlace,
                                std::pair<int64_t, int64_t>(operand, number)) &&
             "the op's kernel cannot work in place");
      result.results[number] = result.operands[operand];
    }
    return result;
  });
  kernels_[key] = number;
  return number;
}

}  // namespace sbp
