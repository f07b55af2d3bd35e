#include "passes/microbatches/FunctionParts.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "passes/microbatches/MicroBatchFunctionWriter.h"
#include "passes/module/BodyType.h"
#include "runtime/text/Counted.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Sets the type of the written function to that of its body. Attributes of
/// results are kept only if the results still are those of the whole function.
void giveType(const FunctionPart& written) {
  FuncOp part = written.part;
  for (unsigned index = 0; index < part.getNumResults(); ++index)
    part.removeResultAttr(
        index, mlir::StringAttr::get(part.getContext(), nn::kOutputAttrName));
  Operation* end = part.getBody().front().getTerminator();
  if (part.getNumResults() != end->getNumOperands()) part.removeResAttrsAttr();
  setTypeToBody(part);
}

}  // namespace

FuncOp FunctionParts::create(FuncOp function, ArrayRef<Component> arguments) {
  auto part = llvm::cast<FuncOp>(function->cloneWithoutRegions());
  std::string name = (function.getName() + ".part").str();
  for (int64_t number = 2; symbols_.lookup(name); ++number)
    name = llvm::formatv("{0}.part.{1}", function.getName(), number);
  part.setName(name);
  part.setPrivate();
  part->removeAttr(nn::kOptimizerAttrName);
  for (unsigned index = 0; index < part.getNumArguments(); ++index) {
    for (StringRef name : {nn::kInputAttrName, nn::kBelowAttrName})
      part.removeArgAttr(index, name);
    // A pin places the whole input. Its parts are cut from it and may have
    // other placements.
    if (isEntry(function)) part.removeArgAttr(index, kPinAttrName);
  }
  auto* block = new mlir::Block;
  part.getBody().push_back(block);
  for (auto [argument, component] :
       llvm::zip(function.getArguments(), arguments)) {
    Type type = argument.getType();
    if (component.isSplit())
      type = batch_.partOf(llvm::cast<RankedTensorType>(type), component.dim());
    block->addArgument(type, argument.getLoc());
  }
  symbols_.insert(part, std::next(function->getIterator()));
  return part;
}

FailureOr<const FunctionPart*> FunctionParts::of(
    FuncOp function, std::vector<Component> arguments) {
  Key asked = {function, arguments};
  if (auto known = known_.find(asked); known != known_.end())
    return known->second;
  while (true) {
    if (auto known = known_.find({function, arguments}); known != known_.end())
      return known_[asked] = known->second;
    const size_t place = parts_.size();
    parts_.emplace_back();
    FuncOp part = create(function, arguments);
    MicroBatchFunctionWriter writer(function, part, arguments, *this, symbols_);
    FailureOr<FunctionPart> written = writer.write();
    if (succeeded(written)) {
      giveType(*written);
      parts_[place] = std::make_unique<FunctionPart>(std::move(*written));
      const FunctionPart* result = parts_[place].get();
      known_[{function, arguments}] = result;
      return known_[asked] = result;
    }
    symbols_.erase(part);
    std::optional<WantedSplit> wanted = writer.wanted();
    if (!wanted) return failure();
    arguments[wanted->argument] = Component::split(wanted->dim);
  }
}

SmallVector<FuncOp> FunctionParts::wholes() const {
  llvm::SmallSetVector<FuncOp, 16> functions;
  for (const auto& part : parts_)
    if (part) functions.insert(part->whole);
  return functions.takeVector();
}

void FunctionParts::remarkOnStatistics(Operation* batchNorm) {
  if (std::exchange(hasRemarked_, true)) return;
  batchNorm->emitRemark() << "takes the mean and variance of the "
                          << text::counted(batch_.samples / batch_.parts,
                                           "sample")
                          << " of a micro-batch, not of all " << batch_.samples;
}

void FunctionParts::erase() {
  for (const auto& part : parts_)
    if (part) symbols_.erase(part->part);
  parts_.clear();
  known_.clear();
}

}  // namespace sbp
