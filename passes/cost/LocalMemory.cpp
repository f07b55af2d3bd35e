#include "passes/cost/LocalMemory.h"

#include <algorithm>
#include <vector>

#include "dialects/nn/Calls.h"
#include "dialects/sbp/KernelMemory.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Walks an entry and all functions that it calls, op by op, and records the
/// live range of each tensor.
class LiveRangeReader {
 public:
  explicit LiveRangeReader(rank::ProgramOp program)
      : symbols_(program), kernels_(kernelMemoryOf(program->getContext())) {}

  double run(FuncOp entry) {
    SmallVector<size_t> inputs;
    for (Type type : entry.getArgumentTypes())
      inputs.push_back(addTensor(localBytes(type)));
    for (size_t tensor : walk(entry, inputs))
      liveRanges_[tensor].last = kAlways;
    for (size_t tensor : inputs) liveRanges_[tensor].last = kAlways;

    std::vector<double> changes(numOps_ + 1, 0);
    for (const LiveRange& range : liveRanges_) {
      changes[std::min(range.first, numOps_)] += range.bytes;
      if (range.last < numOps_) changes[range.last + 1] -= range.bytes;
    }
    double bytes = 0, most = 0;
    for (double change : changes) most = std::max(most, bytes += change);
    return most;
  }

 private:
  static constexpr size_t kAlways = ~size_t{0};
  struct LiveRange {
    double bytes;
    size_t first, last;  // numbers of ops
  };
  /// Index into liveRanges_ of the tensor of each value in one call of a
  /// function.
  using Tensors = llvm::DenseMap<Value, size_t>;

  size_t addTensor(double bytes) {
    liveRanges_.push_back({bytes, numOps_, numOps_});
    return liveRanges_.size() - 1;
  }

  SmallVector<size_t> walk(FuncOp function, ArrayRef<size_t> arguments) {
    Tensors tensors;
    for (auto [value, tensor] : llvm::zip(function.getArguments(), arguments))
      tensors[value] = tensor;
    SmallVector<size_t> returned;
    for (Operation& op : function.getBody().front()) {
      SmallVector<size_t> operands;
      for (Value operand : op.getOperands()) {
        operands.push_back(tensors.lookup(operand));
        liveRanges_[operands.back()].last =
            std::max(liveRanges_[operands.back()].last, numOps_);
      }
      if (llvm::isa<ReturnOp>(op)) return operands;
      addResults(op, operands, tensors);
    }
    return returned;
  }

  void addResults(Operation& op, ArrayRef<size_t> operands, Tensors& tensors) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
      auto given = llvm::to_vector(operands);
      for (Value carried : op.getResults().take_front(nn::numCarried(call)))
        given.push_back(addTensor(localBytes(carried.getType())));
      auto results = walk(nn::calleeOf(call, symbols_), given);
      // The callee of a repeat runs again on the same carried tensors, which
      // are also the results of the repeat.
      if (llvm::isa<nn::RepeatOp>(op)) {
        for (size_t tensor : given) liveRanges_[tensor].last = numOps_;
        results.assign(given.begin() + operands.size(), given.end());
      }
      for (auto [value, tensor] : llvm::zip(op.getResults(), results))
        tensors[value] = tensor;
    } else if (llvm::isa<nn::ReshapeOp>(op)) {
      tensors[op.getResult(0)] = operands.front();
    } else if (llvm::isa<nn::GetOp>(op)) {
      tensors[op.getResult(0)] = addTensor(0);
    } else if (llvm::isa<nn::SetOp>(op)) {
      liveRanges_[operands.front()].bytes = 0;
    } else {
      for (Value result : op.getResults())
        tensors[result] = addTensor(localBytes(result.getType()));
      if (kernels_) addTensor(static_cast<double>(kernels_->workingBytes(&op)));
      ++numOps_;
    }
  }

  mlir::SymbolTable symbols_;
  const KernelMemory* kernels_;
  std::vector<LiveRange> liveRanges_;
  size_t numOps_ = 0;
};

}  // namespace

double localBytes(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return static_cast<double>(tensor.getNumElements() *
                             elementBytes(tensor.getElementType()));
}

double busiestBytes(rank::ProgramOp program, StringRef entry) {
  double parameters = 0;
  for (auto parameter : program.getBody().getOps<nn::ParameterOp>())
    parameters += localBytes(parameter.getType());
  return parameters + LiveRangeReader(program).run(
                          mlir::SymbolTable(program).lookup<FuncOp>(entry));
}

}  // namespace sbp
