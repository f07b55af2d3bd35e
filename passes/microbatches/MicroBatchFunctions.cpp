#include "passes/microbatches/MicroBatchFunctions.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/microbatches/MicroBatchFunctionWriter.h"
#include "passes/module/BodyType.h"
#include "runtime/text/Counted.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Sets the type of the written function to that of its body. Drops the
/// attributes of results if the number of results has changed.
void giveType(const MicroBatchFunction& written) {
  FuncOp function = written.microBatchFunction;
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    function.removeResultAttr(
        index,
        mlir::StringAttr::get(function.getContext(), nn::kOutputAttrName));
  Operation* end = function.getBody().front().getTerminator();
  if (function.getNumResults() != end->getNumOperands())
    function.removeResAttrsAttr();
  setTypeToBody(function);
}

}  // namespace

FuncOp MicroBatchFunctions::create(FuncOp function,
                                   ArrayRef<Component> arguments) {
  auto microBatchFunction = llvm::cast<FuncOp>(function->cloneWithoutRegions());
  std::string name = (function.getName() + ".part").str();
  for (int64_t number = 2; symbols_.lookup(name); ++number)
    name = llvm::formatv("{0}.part.{1}", function.getName(), number);
  microBatchFunction.setName(name);
  microBatchFunction.setPrivate();
  microBatchFunction->removeAttr(nn::kOptimizerAttrName);
  for (unsigned index = 0; index < microBatchFunction.getNumArguments();
       ++index) {
    for (StringRef name : {nn::kInputAttrName, nn::kBelowAttrName})
      microBatchFunction.removeArgAttr(index, name);
    // A pin places the whole input. The parts that are cut from the input may
    // have other placements.
    if (isEntry(function))
      microBatchFunction.removeArgAttr(index, kPinAttrName);
  }
  auto* block = new mlir::Block;
  microBatchFunction.getBody().push_back(block);
  for (auto [argument, component] :
       llvm::zip(function.getArguments(), arguments)) {
    Type type = argument.getType();
    if (component.isSplit())
      type =
          batch_.sliceType(llvm::cast<RankedTensorType>(type), component.dim());
    block->addArgument(type, argument.getLoc());
  }
  symbols_.insert(microBatchFunction, std::next(function->getIterator()));
  return microBatchFunction;
}

FailureOr<const MicroBatchFunction*> MicroBatchFunctions::of(
    FuncOp function, std::vector<Component> arguments) {
  Key asked = {function, arguments};
  if (auto known = known_.find(asked); known != known_.end())
    return known->second;
  while (true) {
    if (auto known = known_.find({function, arguments}); known != known_.end())
      return known_[asked] = known->second;
    const size_t index = written_.size();
    written_.emplace_back();
    FuncOp microBatchFunction = create(function, arguments);
    MicroBatchFunctionWriter writer(function, microBatchFunction, arguments,
                                    *this, symbols_);
    FailureOr<MicroBatchFunction> written = writer.write();
    if (succeeded(written)) {
      giveType(*written);
      written_[index] =
          std::make_unique<MicroBatchFunction>(std::move(*written));
      const MicroBatchFunction* result = written_[index].get();
      known_[{function, arguments}] = result;
      return known_[asked] = result;
    }
    symbols_.erase(microBatchFunction);
    std::optional<WantedSplit> wanted = writer.wanted();
    if (!wanted) return failure();
    arguments[wanted->argument] = Component::split(wanted->dim);
  }
}

void MicroBatchFunctions::remarkOnStatistics(Operation* batchNorm) {
  if (std::exchange(hasRemarked_, true)) return;
  batchNorm->emitRemark() << "takes the mean and variance of the "
                          << text::counted(
                                 batch_.samples / batch_.numMicroBatches,
                                 "sample")
                          << " of a micro-batch, not of all " << batch_.samples;
}

void MicroBatchFunctions::erase() {
  for (const auto& each : written_)
    if (each) symbols_.erase(each->microBatchFunction);
  written_.clear();
  known_.clear();
}

}  // namespace sbp
