#include "codegen/cpu/KernelLibrary.h"

#include <cassert>

#include "codegen/cpu/KernelOp.h"
#include "codegen/kernels/KernelBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

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

LogicalResult checkTypes(Operation* op) {
  SmallVector<Type> types(op->getOperandTypes());
  types.append(op->result_type_begin(), op->result_type_end());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
      return op->emitOpError("has a kernel on local tensors only, not on ")
             << type;
  }
  return success();
}

BufferType bufferOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return {memoryType(tensor.getElementType()), tensor.getNumElements()};
}

}  // namespace

KernelLibrary::KernelLibrary(MLIRContext* context, const Target& target)
    : module_(ModuleOp::create(UnknownLoc::get(context))), target_(target) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>();
}

FailureOr<KernelNeeds> KernelLibrary::needsOf(Operation* op) {
  auto interface = dyn_cast<CpuKernelOpInterface>(op);
  if (!interface) return op->emitOpError("has no CPU kernel");
  if (failed(checkTypes(op))) return failure();
  KernelNeeds needs;
  needs.scratchBytes = interface.getScratchBytes(target_);
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      if (interface.canWriteInPlace(result, operand))
        needs.inPlace.push_back({operand, result});
  return needs;
}

FailureOr<int64_t> KernelLibrary::kernelFor(Operation* op,
                                            ArrayRef<int64_t> inPlace) {
  assert((inPlace.empty() || inPlace.size() == op->getNumResults()) &&
         "one operand number for each result");
  Attribute key = keyOf(op, inPlace);
  if (auto known = kernels_.find(key); known != kernels_.end())
    return known->second;
  FailureOr<KernelNeeds> needs = needsOf(op);
  if (failed(needs)) return failure();

  auto interface = cast<CpuKernelOpInterface>(op);
  int64_t number = names_.size();
  names_.push_back(nameOf(op, number));

  SmallVector<BufferType> buffers;
  for (Type type : op->getOperandTypes()) buffers.push_back(bufferOf(type));
  for (Type type : op->getResultTypes()) buffers.push_back(bufferOf(type));
  if (needs->scratchBytes)
    buffers.push_back(
        {IntegerType::get(op->getContext(), 8), needs->scratchBytes});

  addKernel(
      *module_, op->getLoc(), names_.back(), buffers,
      [&](KernelBuilder& builder, ArrayRef<Place> places) {
        size_t numOperands = op->getNumOperands();
        KernelArguments arguments{
            llvm::to_vector(places.take_front(numOperands)),
            llvm::to_vector(places.slice(numOperands, op->getNumResults())),
            needs->scratchBytes ? places.back() : Place(), target_};
        // One argument for a buffer that is read and written: LLVM is told that
        // different arguments do not overlap.
        for (auto [result, operand] : llvm::enumerate(inPlace)) {
          if (operand == kOwnBuffer) continue;
          assert(interface.canWriteInPlace(result, operand) &&
                 "the op's kernel cannot work in place");
          arguments.results[result] = arguments.operands[operand];
        }
        interface.buildKernel(builder, arguments);
      });
  kernels_[key] = number;
  return number;
}

}  // namespace sbp::cpu
