#include "codegen/interpreter/kernels/KernelEvaluator.h"

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cpu/KernelLibrary.h"
#include "codegen/interpreter/kernels/TensorMemory.h"
#include "codegen/kernels/AlignedBuffer.h"
#include "codegen/plan/KernelProvider.h"
#include "passes/diagnostics/Refusal.h"

namespace sbp::interpreter {
namespace {

RankedTensorType tensorType(Type type) {
  return llvm::cast<RankedTensorType>(type);
}

/// Whether `result` has the buffer of an operand.
bool isInPlace(const KernelEvaluator::Memory& memory, size_t result) {
  return !memory.inPlace.empty() &&
         memory.inPlace[result] != KernelProvider::kOwnBuffer;
}

}  // namespace

const KernelEvaluator::Compiled* KernelEvaluator::compiled(
    Operation* op, ArrayRef<int64_t> inPlace) {
  mlir::Builder attributes(op->getContext());
  const Attribute key = attributes.getArrayAttr(
      {kernelKey(op), attributes.getDenseI64ArrayAttr(inPlace)});
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Compiled>& known = kernels_[key];
  if (known) return known.get();

  const FailureOr<KernelNeeds> needs = target_.needsOf(op);
  if (failed(needs)) return nullptr;
  cpu::KernelLibrary library(op->getContext(), target_.cpu());
  if (failed(library.kernelFor(op, inPlace))) return nullptr;
  auto result = std::make_unique<Compiled>();
  result->scratchBytes = needs->scratchBytes;
  const std::optional<std::string> refusal = refusalBy(op, [&] {
    result->library =
        cpu::LoadedKernels::compile(library.module(), target_.cpu());
    return llvm::LogicalResult::success(result->library != nullptr);
  });
  if (refusal) {
    op->emitOpError() << "has a CPU kernel that does not compile: " << *refusal;
    return nullptr;
  }
  result->kernel = (*result->library)[library.kernelNames().front()];
  known = std::move(result);
  return known.get();
}

FailureOr<Results> KernelEvaluator::evaluate(Operation* op,
                                             ArrayRef<Tensor> operands,
                                             const Memory& memory) {
  const Compiled* kernel = compiled(op, memory.inPlace);
  if (!kernel) return failure();

  std::vector<AlignedBuffer<char>> buffers;
  for (const Tensor& operand : operands) {
    buffers.emplace_back(bytesOf(operand.type()));
    storeTensor(operand, buffers.back().data());
  }
  const auto addBuffer = [&](int64_t bytes) {
    buffers.emplace_back(bytes);
    std::memset(buffers.back().data(), memory.fill, bytes);
  };
  for (Type type : op->getResultTypes()) addBuffer(bytesOf(tensorType(type)));
  if (kernel->scratchBytes) addBuffer(kernel->scratchBytes);

  std::vector<void*> pointers;
  for (const AlignedBuffer<char>& buffer : buffers)
    pointers.push_back(buffer.data());
  (*kernel->kernel)(pointers);

  for (const AlignedBuffer<char>& buffer : buffers)
    if (!buffer.guardsAreIntact()) {
      op->emitOpError() << "has a kernel that writes outside of its buffers";
      return failure();
    }
  Results results;
  for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    const size_t buffer = isInPlace(memory, index)
                              ? static_cast<size_t>(memory.inPlace[index])
                              : operands.size() + index;
    results.push_back(loadTensor(tensorType(type), buffers[buffer].data()));
  }
  return results;
}

}  // namespace sbp::interpreter
