#include "passes/differentiate/MicroBatches.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/IR/Verifier.h"
#include "passes/SampleDims.h"
#include "passes/differentiate/OverSamples.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Writes the functions of a part beside those of the batch.
class PartWriter {
 public:
  PartWriter(FuncOp loss, int64_t count, mlir::SymbolTable& symbols)
      : loss_(loss), count_(count), symbols_(symbols), dims_(loss, symbols) {}

  /// The function that computes the loss of a part.
  FailureOr<FuncOp> write() {
    FailureOr<FuncOp> part = partOf(loss_);
    if (failed(part)) return failure();
    for (auto [function, each] : parts_)
      if (failed(mlir::verify(each)))
        return loss_.emitOpError()
               << "cannot be divided into " << count_ << " micro-batches: @"
               << function.getName() << " does not go with fewer samples";
    return part;
  }

  /// Erases what nobody calls any more.
  void eraseUnused() {
    for (auto [function, part] : parts_)
      if (function != loss_ && mlir::SymbolTable::symbolKnownUseEmpty(
                                   function, loss_->getParentOp()))
        symbols_.erase(function);
  }

 private:
  /// The type of `value` in a part.
  FailureOr<Type> typeOf(Value value) const {
    std::optional<int64_t> dim = dims_.of(value);
    auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
    if (!dim || !type) return value.getType();
    SmallVector<int64_t> shape(type.getShape());
    if (shape[*dim] % count_ != 0)
      return mlir::emitError(value.getLoc())
             << count_ << " micro-batches do not divide the " << shape[*dim]
             << " samples of " << type;
    shape[*dim] /= count_;
    return Type(type.clone(shape));
  }

  FailureOr<FuncOp> partOf(FuncOp function) {
    auto known = parts_.find(function);
    if (known != parts_.end()) return known->second;
    FuncOp part = function.clone();
    parts_[function] = part;
    part.setName((function.getName() + ".part").str());
    part.setPrivate();
    part->removeAttr(nn::kOptimizerAttrName);
    for (unsigned index = 0; index < part.getNumArguments(); ++index) {
      for (StringRef name : {nn::kInputAttrName, nn::kBelowAttrName})
        part.removeArgAttr(index, name);
      // A pin says how the input lies; its parts are cut from it, and may be
      // laid otherwise.
      if (function == loss_) part.removeArgAttr(index, kPinAttrName);
    }
    for (unsigned index = 0; index < part.getNumResults(); ++index)
      part.removeResultAttr(
          index, mlir::StringAttr::get(part.getContext(), nn::kOutputAttrName));
    symbols_.insert(part, std::next(function->getIterator()));

    mlir::Block& whole = function.getBody().front();
    mlir::Block& body = part.getBody().front();
    for (auto [from, to] : llvm::zip(whole.getArguments(), body.getArguments()))
      if (failed(retype(from, to))) return failure();
    for (auto [from, to] : llvm::zip(whole, body)) {
      for (auto [before, after] : llvm::zip(from.getResults(), to.getResults()))
        if (failed(retype(before, after))) return failure();
      if (auto call = llvm::dyn_cast<CallOp>(to)) {
        FailureOr<FuncOp> callee =
            partOf(symbols_.lookup<FuncOp>(call.getCallee()));
        if (failed(callee)) return failure();
        call.setCallee(callee->getName());
      }
    }
    part.setType(
        mlir::FunctionType::get(part.getContext(), body.getArgumentTypes(),
                                body.getTerminator()->getOperandTypes()));
    return part;
  }

  LogicalResult retype(Value whole, Value part) const {
    FailureOr<Type> type = typeOf(whole);
    if (failed(type)) return failure();
    part.setType(*type);
    return success();
  }

  FuncOp loss_;
  int64_t count_;
  mlir::SymbolTable& symbols_;
  SampleDims dims_;
  llvm::MapVector<FuncOp, FuncOp> parts_;  // callers first
};

/// Makes the parameters that `part` reads its last arguments, and returns them.
SmallVector<nn::GetOp> takeParameters(FuncOp part) {
  mlir::Block& body = part.getBody().front();
  auto gets = llvm::to_vector(body.getOps<nn::GetOp>());
  SmallVector<nn::GetOp> taken;
  for (nn::GetOp get : gets) {
    unsigned number = part.getNumArguments();
    (void)part.insertArgument(number, get.getType(), {}, get.getLoc());
    get.replaceAllUsesWith(part.getArgument(number));
    get->remove();
    taken.push_back(get);
  }
  return taken;
}

/// Builds the loss anew: `count` calls of `part`.
class LossBuilder {
 public:
  LossBuilder(FuncOp loss, FuncOp part, int64_t count)
      : loss_(loss),
        part_(part),
        count_(count),
        block_(loss.getBody().front()),
        builder_(loss.getContext()) {}

  void run(double weight, ArrayRef<nn::GetOp> parameters) {
    Location location = locationOf(block_.getTerminator()->getOperand(0));
    while (!block_.empty()) block_.back().erase();
    builder_.setInsertionPointToEnd(&block_);
    for (nn::GetOp get : parameters) builder_.insert(get);
    for (mlir::BlockArgument input : block_.getArguments())
      inputs_.push_back(inParts(input));
    Value sum;
    for (int64_t k = 0; k < count_; ++k) {
      SmallVector<Value> operands;
      for (auto [number, input] : llvm::enumerate(inputs_))
        operands.push_back(partOf(input, k, part_.getArgument(number)));
      for (nn::GetOp get : parameters) operands.push_back(get);
      Value loss =
          CallOp::create(builder_, locationOfPart(k, location), part_, operands)
              .getResult(0);
      sum = sum ? nn::AddOp::create(builder_, location, sum, loss) : loss;
    }
    if (weight != 1) sum = weight * Term(builder_, location, sum);
    ReturnOp::create(builder_, loss_.getLoc(), sum);
  }

 private:
  static RankedTensorType typeOf(Value value) {
    return llvm::cast<RankedTensorType>(value.getType());
  }

  /// [samples, ...] as [samples of a part, parts, ...].
  Value inParts(Value input) {
    RankedTensorType type = typeOf(input);
    if (type.getRank() == 0) return input;
    SmallVector<int64_t> shape(type.getShape());
    shape.front() /= count_;
    shape.insert(shape.begin() + 1, count_);
    return Term(builder_, input.getLoc(), input).reshaped(shape);
  }

  Value partOf(Value inParts, int64_t k, Value argument) {
    RankedTensorType type = typeOf(inParts);
    if (type.getRank() == 0) return inParts;
    SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
    offsets[1] = k;
    sizes[1] = 1;
    Location location = locationOfPart(k, inParts.getLoc());
    Value slice =
        nn::SliceOp::create(builder_, location, inParts, offsets, sizes);
    return Term(builder_, location, slice)
        .reshaped(typeOf(argument).getShape());
  }

  /// "part 2 of %tokens", of a tensor whose location is `whole`.
  static Location locationOfPart(int64_t k, Location whole) {
    auto name = llvm::dyn_cast<mlir::NameLoc>(whole);
    if (!name) return whole;
    return named("part " + llvm::Twine(k) + " of " + name.getName().getValue(),
                 whole);
  }

  FuncOp loss_, part_;
  int64_t count_;
  mlir::Block& block_;
  OpBuilder builder_;
  SmallVector<Value> inputs_;
};

/// Fails unless `count` divides the samples of every input.
LogicalResult checkInputs(FuncOp loss, int64_t count) {
  for (mlir::BlockArgument input : loss.getArguments()) {
    auto type = llvm::cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0 || type.getDimSize(0) % count == 0) continue;
    auto name = loss.getArgAttrOfType<mlir::StringAttr>(input.getArgNumber(),
                                                        nn::kInputAttrName);
    return mlir::emitError(input.getLoc())
           << count << " micro-batches do not divide the " << type.getDimSize(0)
           << " samples of the input \"" << (name ? name.getValue() : "")
           << "\"";
  }
  return success();
}

}  // namespace

FailureOr<double> divideIntoMicroBatches(FuncOp loss, int64_t count,
                                         mlir::SymbolTable& symbols) {
  if (failed(checkInputs(loss, count))) return failure();
  double weight = 1;
  switch (overSamples(loss, 0, symbols)) {
    case OverSamples::Sum:
      break;
    case OverSamples::None:
    case OverSamples::Mean:
      weight = 1.0 / static_cast<double>(count);
      break;
    case OverSamples::Each:
    case OverSamples::Other:
      return loss.emitOpError()
             << "is to be computed in " << count
             << " micro-batches, but is neither a mean nor a sum over samples";
  }
  PartWriter writer(loss, count, symbols);
  FailureOr<FuncOp> part = writer.write();
  if (failed(part)) return failure();
  // One sum adds up what the parts give, so they lie alike.
  (*part)->setAttr(kTiedAttrName, mlir::UnitAttr::get(loss.getContext()));
  SmallVector<nn::GetOp> parameters = takeParameters(*part);
  LossBuilder(loss, *part, count).run(weight, parameters);
  writer.eraseUnused();
  return weight;
}

}  // namespace sbp
