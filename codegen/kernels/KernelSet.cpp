#include "codegen/kernels/KernelSet.h"

#include <cassert>

#include "codegen/kernels/StridedTensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/Refusal.h"

namespace sbp {

using namespace mlir;

namespace {

/// Greatest number of ops of a body that the name of a kernel lists.
constexpr size_t kMostNamedOps = 8;

/// Returns what a kernel computes, for its name: the name of the op, without
/// the dialect, and if the op has a body, the names of the ops there:
/// "fused_mul_add".
std::string wordsFor(Operation* op) {
  std::string words = op->getName().stripDialect().str();
  size_t number = 0;
  for (Region& region : op->getRegions())
    for (Operation& inside : region.front().without_terminator())
      if (inside.getNumOperands() > 0 && ++number <= kMostNamedOps)
        words += "_" + inside.getName().stripDialect().str();
  if (number > kMostNamedOps)
    words += "_and_" + std::to_string(number - kMostNamedOps) + "_more";
  for (char& c : words)
    if (!llvm::isAlnum(c)) c = '_';
  return words;
}

/// Returns the name of a kernel, such as "gelu_3_8x64": the op, the index of
/// the kernel, the shape of the first result; then "_for12" if the kernel runs
/// 12 ops at once. The index makes the name unique; the rest helps readers of a
/// profile.
std::string nameOf(Operation* op, size_t number, int64_t count) {
  std::string name = wordsFor(op);
  name += "_" + std::to_string(number);
  if (op->getNumResults() == 0) return name;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() != 0) name += "_";
  name += llvm::join(
      llvm::map_range(type.getShape(),
                      [](int64_t extent) { return std::to_string(extent); }),
      "x");
  return count == 1 ? name : name + "_for" + std::to_string(count);
}

BufferType bufferOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return {memoryType(tensor.getElementType()), tensor.getNumElements()};
}

/// Fails with a diagnostic at `op` unless `functions` are the valid code of a
/// kernel of `op` for a device of the kind `kind`. A plug-in may have written
/// it.
LogicalResult verifyCode(Operation* op, ArrayRef<Operation*> functions,
                         StringRef kind) {
  const auto error = [&] {
    return op->emitOpError() << "has a " << kind << " kernel that ";
  };
  if (functions.empty() && llvm::any_of(op->getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getNumElements() > 0;
      }))
    return error() << "computes nothing: it has no launch";
  for (Operation* function : functions)
    if (auto refusal = refusalBy(op, [&] { return mlir::verify(function); }))
      return error() << "is not valid: " << *refusal;
  return success();
}

}  // namespace

FailureOr<int64_t> KernelSet::kernelFor(Operation* op,
                                        ArrayRef<int64_t> inPlace,
                                        int64_t count) {
  const size_t numOperands = op->getNumOperands();
  const size_t numResults = op->getNumResults();
  assert((inPlace.empty() || inPlace.size() == count * numResults) &&
         "one operand number for each result");
  Builder attributes(op->getContext());
  Attribute key = attributes.getArrayAttr(
      {kernelKey(op), attributes.getDenseI64ArrayAttr(inPlace),
       attributes.getI64IntegerAttr(count)});
  if (auto known = kernels_.find(key); known != kernels_.end())
    return known->second;
  FailureOr<KernelNeeds> needs = target().needsOf(op);
  if (failed(needs)) return failure();
  assert(count <= needs->mostAtOnce && "the kernel cannot run so many at once");
  int64_t number = names_.size();
  names_.push_back(nameOf(op, number, count));

  SmallVector<BufferType> buffers;
  for (int64_t i = 0; i < count; ++i)
    for (Type type : op->getOperandTypes()) buffers.push_back(bufferOf(type));
  for (int64_t i = 0; i < count; ++i)
    for (Type type : op->getResultTypes()) buffers.push_back(bufferOf(type));
  if (needs->scratchBytes)
    buffers.push_back(
        {IntegerType::get(op->getContext(), 8), needs->scratchBytes});
  const llvm::PrettyStackTraceFormat task("writing the %s kernel %s",
                                          target().kind().str().c_str(),
                                          names_.back().c_str());
  const auto splitArguments = [&](ArrayRef<ElementRef> arguments) {
    ArrayRef<ElementRef> operands = arguments.take_front(count * numOperands);
    auto results =
        llvm::to_vector(arguments.slice(operands.size(), count * numResults));
    // A result that is computed in place uses the operand's argument, because
    // LLVM assumes that different arguments do not overlap.
    for (auto [result, operand] : llvm::enumerate(inPlace))
      if (operand != kOwnBuffer) results[result] = operands[operand];
    SmallVector<OpBuffers> perOp;
    for (int64_t i = 0; i < count; ++i) {
      OpBuffers& opBuffers = perOp.emplace_back();
      opBuffers.operands =
          llvm::to_vector(operands.slice(i * numOperands, numOperands));
      opBuffers.results =
          llvm::to_vector(ArrayRef(results).slice(i * numResults, numResults));
      if (needs->scratchBytes) opBuffers.scratch = arguments.back();
    }
    return perOp;
  };
  const SmallVector<Operation*> functions =
      addKernel(op, names_.back(), buffers, splitArguments);
  if (failed(verifyCode(op, functions, target().kind()))) return failure();
  kernels_[key] = number;
  return number;
}

}  // namespace sbp
