#include "passes/microbatches/MicroBatchFunctionWriter.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/microbatches/SampleShard.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

bool isFloat(Value value) {
  return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value));
}

/// Returns the dimension of a tensor with `loops` over which `loop` runs, if
/// any.
std::optional<int64_t> dimOf(const TensorLoops& loops, int64_t loop) {
  const auto* found = llvm::find(loops, loop);
  if (found == loops.end()) return std::nullopt;
  return found - loops.begin();
}

/// Whether `operand` is the mean or the variance by which samples are
/// normalised.
bool isStatistic(mlir::OpOperand& operand) {
  return operand.getOperandNumber() > 0 &&
         ((llvm::isa<nn::BatchNormOp>(operand.getOwner()) &&
           operand.getOperandNumber() <= 2) ||
          llvm::isa<nn::BatchVarianceOp>(operand.getOwner()));
}

/// "%hidden", or "operand 1" if nobody has named it.
std::string nameOfOperand(Operation* op, unsigned number) {
  std::string name = nameOf(op->getOperand(number));
  return name.empty() ? "operand " + std::to_string(number) : name;
}

}  // namespace

MicroBatchFunctionWriter::MicroBatchFunctionWriter(
    FuncOp whole, FuncOp part, ArrayRef<Component> arguments,
    FunctionParts& parts, const mlir::SymbolTable& symbols)
    : whole_(whole),
      part_(part),
      arguments_(arguments.begin(), arguments.end()),
      parts_(parts),
      batch_(parts.batch()),
      symbols_(symbols),
      builder_(OpBuilder::atBlockEnd(&part.getBody().front())) {}

FailureOr<FunctionPart> MicroBatchFunctionWriter::write() {
  for (auto [argument, own, component] :
       llvm::zip(whole_.getArguments(), part_.getArguments(), arguments_)) {
    if (component.isSplit())
      hold(argument, Held::Kind::Samples, own, component.dim());
    else
      hold(argument,
           component.isPartial() ? Held::Kind::Term : Held::Kind::Whole, own);
  }
  mlir::Block& body = whole_.getBody().front();
  for (Operation& op : body.without_terminator())
    if (failed(writeOp(&op))) return failure();
  FunctionPart written;
  written.whole = whole_;
  written.part = part_;
  written.arguments = arguments_;
  if (failed(writeReturn(body.getTerminator(), written))) return failure();
  eraseUnused();
  return written;
}

LogicalResult MicroBatchFunctionWriter::writeOp(Operation* op) {
  auto call = llvm::dyn_cast<CallOp>(op);
  bool areWhole = llvm::all_of(op->getOperands(), [&](Value operand) {
    return held_.at(operand).kind == Held::Kind::Whole;
  });
  if (areWhole)
    writeWhole(op);
  else if (llvm::isa<PinOp>(op))
    writePin(op);
  else if (anyOperandIs(op, Held::Kind::Deferred))
    return writeDeferred(op);
  else if (call)
    return writeCall(call);
  else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
           distributed && anyOperandIs(op, Held::Kind::Samples))
    return writeOverSamples(distributed);
  else if (distributed) {
    for (const PartialPass& pass : distributed.getLoopNest().partialPasses)
      if (isLinear(op, pass)) {
        writeLinear(op, pass);
        return success();
      }
    return writeDeferred(op);
  } else
    return emitRefusal(op) << "it does not declare its loops";
  return success();
}

void MicroBatchFunctionWriter::writeWhole(Operation* op) {
  mlir::IRMapping mapping = mappingOf(op);
  Operation* same = builder_.clone(*op, mapping);
  for (auto [whole, own] : llvm::zip(op->getResults(), same->getResults()))
    hold(whole, Held::Kind::Whole, own);
}

void MicroBatchFunctionWriter::writePin(Operation* pin) {
  Held input = held_.at(pin->getOperand(0));
  if (input.value) {
    mlir::IRMapping mapping = mappingOf(pin);
    Operation* own = builder_.clone(*pin, mapping);
    own->getResult(0).setType(input.value.getType());
    input.value = own->getResult(0);
  }
  held_[pin->getResult(0)] = input;
}

LogicalResult MicroBatchFunctionWriter::writeCall(CallOp call) {
  auto callee = symbols_.lookup<FuncOp>(call.getCallee());
  std::vector<Component> arguments;
  for (Value operand : call.getOperands()) {
    const Held& given = held_.at(operand);
    arguments.push_back(
        given.kind == Held::Kind::Samples ? Component::split(given.dim)
        : given.kind == Held::Kind::Term  ? Component::partial(Reduction::Sum)
                                          : Component::broadcast());
  }
  FailureOr<const FunctionPart*> known = parts_.of(callee, arguments);
  if (failed(known)) return failure();
  const FunctionPart& part = **known;
  SmallVector<Value> operands;
  for (auto [operand, component] :
       llvm::zip(call.getOperands(), part.arguments)) {
    const Held& given = held_.at(operand);
    bool isSplitHere = component.isSplit() && given.kind == Held::Kind::Whole;
    operands.push_back(isSplitHere ? samplesOf(operand, component.dim())
                                   : given.value);
    if (!operands.back()) return failure();
  }
  auto own = CallOp::create(builder_, call.getLoc(), part.part, operands);
  own->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  std::vector<std::string> names(own.getNumResults());
  SmallVector<DeferredValue> terms;
  for (Value term : own.getResults().drop_front(part.firstTerm))
    terms.push_back(deferredTerm(term));
  auto leaf = [&](const DeferredValue& value) {
    return value.from == DeferredValue::From::Term
               ? terms[value.index]
               : deferredWhole(call.getOperand(value.index));
  };
  for (auto [result, made] : llvm::zip(call.getResults(), part.results)) {
    if (made.deferred) {
      held_[result] = {
          Held::Kind::Deferred, 0, {}, seenByCaller(*made.deferred, leaf)};
      continue;
    }
    names[made.index] = nameOf(result);
    Value value = own.getResult(made.index);
    if (made.component.isSplit())
      hold(result, Held::Kind::Samples, value, made.component.dim());
    else
      hold(result,
           made.component.isPartial() ? Held::Kind::Term : Held::Kind::Whole,
           value);
  }
  nameResults(own, names);
  return success();
}

LogicalResult MicroBatchFunctionWriter::writeReturn(Operation* end,
                                                    FunctionPart& written) {
  SmallVector<Value> returned;
  for (Value value : end->getOperands()) {
    Held given = held_.at(value);
    bool isEntry = parts_.isEntry(whole_);
    if (isEntry && given.kind == Held::Kind::Whole)
      given = {Held::Kind::Term, 0, termOf(value)};
    if (isEntry && given.kind == Held::Kind::Samples)
      return emitRefusal(end)
             << "it returns " << value.getType()
             << ", which is neither a sum nor a mean over samples";
    FunctionPart::Result& result = written.results.emplace_back();
    if (given.kind == Held::Kind::Deferred) {
      result.deferred = given.deferred;
      continue;
    }
    if (given.kind == Held::Kind::Samples)
      result.component = Component::split(given.dim);
    else if (given.kind == Held::Kind::Term)
      result.component = Component::partial(Reduction::Sum);
    result.index = returned.size();
    returned.push_back(given.value);
  }
  written.firstTerm = returned.size();
  llvm::append_range(returned, deferredTerms_);
  mlir::func::ReturnOp::create(builder_, end->getLoc(), returned);
  return success();
}

// ---- Over samples -----------------------------------------------------------

FailureOr<int64_t> MicroBatchFunctionWriter::sampleLoopOf(
    Operation* op, const LoopNest& nest) const {
  int64_t loop = kNoLoop, first = 0;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    const Held& given = held_.at(operand);
    if (given.kind != Held::Kind::Samples) continue;
    int64_t here = nest.operands[number][given.dim];
    if (here == kNoLoop)
      return emitRefusal(op)
             << "it does not keep apart the samples of dimension " << given.dim
             << " of " << nameOfOperand(op, number);
    if (loop != kNoLoop && here != loop)
      return emitRefusal(op)
             << "it combines each sample of " << nameOfOperand(op, first)
             << " with all samples of " << nameOfOperand(op, number);
    if (loop == kNoLoop) first = number;
    loop = here;
    if (nest.loops[loop].kind == Loop::Kind::Whole)
      return emitRefusal(op)
             << "it needs all " << batch_.samples
             << " samples at once, along dimension " << given.dim << " of "
             << nameOfOperand(op, number);
    if (nest.loops[loop].kind == Loop::Kind::Reduction &&
        nest.loops[loop].reduction != Reduction::Sum)
      return emitRefusal(op)
             << "it takes the " << stringOf(nest.loops[loop].reduction)
             << " over samples, along dimension " << given.dim << " of "
             << nameOfOperand(op, number);
  }
  return loop;
}

FailureOr<SmallVector<Value>> MicroBatchFunctionWriter::operandsAlong(
    Operation* op, const LoopNest& nest, int64_t loop) {
  SmallVector<Value> operands;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const Held& given = held_.at(operand.get());
    const TensorLoops& loops = nest.operands[operand.getOperandNumber()];
    std::optional<int64_t> dim = dimOf(loops, loop);
    Value value;
    if (dim && !batch_.divides(typeOf(operand.get()).getDimSize(*dim)))
      return emitRefusal(op)
             << "dimension " << *dim << " of "
             << nameOfOperand(op, operand.getOperandNumber()) << " has "
             << typeOf(operand.get()).getDimSize(*dim) << " elements for "
             << batch_.samples << " samples";
    if (given.kind == Held::Kind::Samples ||
        (!dim && given.kind == Held::Kind::Whole))
      value = given.value;
    else if (given.kind == Held::Kind::Whole) {
      value = samplesOf(operand.get(), *dim);
      if (!value) return failure();
    } else if (isStatistic(operand)) {
      parts_.remarkOnStatistics(op);
      value = statisticOf(operand.get());
    }
    if (!value)
      return emitRefusal(op)
             << "it combines single samples with "
             << nameOfOperand(op, operand.getOperandNumber())
             << ", which depends on all " << batch_.samples << " samples";
    operands.push_back(value);
  }
  return operands;
}

LogicalResult MicroBatchFunctionWriter::writeOverSamples(
    DistributedOpInterface op) {
  LoopNest nest = op.getLoopNest();
  FailureOr<int64_t> loop = sampleLoopOf(op, nest);
  if (failed(loop)) return failure();
  FailureOr<SmallVector<Value>> operands = operandsAlong(op, nest, *loop);
  if (failed(operands)) return failure();
  for (auto [result, loops] : llvm::zip(op->getResults(), nest.results))
    if (auto dim = dimOf(loops, *loop);
        dim && !batch_.divides(typeOf(result).getDimSize(*dim)))
      return emitRefusal(op)
             << "dimension " << *dim << " of its result has "
             << typeOf(result).getDimSize(*dim) << " elements for "
             << batch_.samples << " samples";

  // A variance around the mean of a micro-batch is that of the micro-batch.
  if (llvm::isa<nn::BatchVarianceOp>(*op) &&
      held_.at(op->getOperand(1)).kind != Held::Kind::Whole) {
    Value result = op->getResult(0);
    Value variance =
        cloneWithTypes(builder_, op, *operands, result.getType())->getResult(0);
    statistics_[result] = variance;
    hold(result, Held::Kind::Term,
         scaled(1.0 / static_cast<double>(batch_.parts), variance));
    return success();
  }
  Operation* own = buildAlong(op, nest, *loop, *operands);
  if (!own)
    return emitRefusal(op)
           << "it depends on the positions of its samples in the batch";
  for (auto [whole, part, loops] :
       llvm::zip(op->getResults(), own->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, *loop);
    hold(whole, dim ? Held::Kind::Samples : Held::Kind::Term, part,
         dim.value_or(0));
  }
  return success();
}

Operation* MicroBatchFunctionWriter::buildAlong(DistributedOpInterface op,
                                                const LoopNest& nest,
                                                int64_t loop,
                                                ValueRange operands) {
  SmallVector<Type> types;
  for (auto [result, loops] : llvm::zip(op->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, loop);
    types.push_back(dim ? batch_.partOf(typeOf(result), *dim) : typeOf(result));
  }
  SampleShard shard(loop, [&] { return microBatchIndex(); });
  Operation* own = op.buildLocal(builder_, operands, types, shard);
  if (shard.isAsked()) {
    own->erase();
    return nullptr;
  }
  own->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return own;
}

// ---- Values that are held as Whole ------------------------------------------

Value MicroBatchFunctionWriter::samplesOf(Value value, int64_t dim) {
  Value& known = samples_[{value, dim}];
  if (known) return known;
  Value own = buildSamples(value, dim);
  return samples_[{value, dim}] = own;
}

Value MicroBatchFunctionWriter::buildSamples(Value value, int64_t dim) {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    Value own = buildSamplesByOp(result, dim);
    if (own || wanted_) return own;
  } else if (!parts_.isEntry(whole_)) {
    wanted_ = {llvm::cast<mlir::BlockArgument>(value).getArgNumber(), dim};
    return {};
  }
  Location location = locationOf(value);
  auto type = typeOf(value);
  Value inParts = nn::ReshapeOp::create(
      builder_, location, type.clone(batch_.inParts(type.getShape(), dim)),
      held_.at(value).value);
  return batch_.takePart(builder_, location, microBatchIndex(), inParts, dim,
                         batch_.partOf(type, dim));
}

Value MicroBatchFunctionWriter::buildSamplesByOp(mlir::OpResult value,
                                                 int64_t dim) {
  auto op = llvm::dyn_cast<DistributedOpInterface>(value.getOwner());
  if (!op) return {};
  LoopNest nest = op.getLoopNest();
  int64_t loop = nest.results[value.getResultNumber()][dim];
  if (loop == kNoLoop || nest.loops[loop].kind != Loop::Kind::Parallel)
    return {};
  SmallVector<Value> operands;
  for (auto [operand, loops] : llvm::zip(op->getOperands(), nest.operands)) {
    std::optional<int64_t> along = dimOf(loops, loop);
    if (along && !batch_.divides(typeOf(operand).getDimSize(*along))) return {};
    operands.push_back(along ? samplesOf(operand, *along)
                             : held_.at(operand).value);
    if (!operands.back()) return {};
  }
  Operation* own = buildAlong(op, nest, loop, operands);
  return own ? own->getResult(value.getResultNumber()) : Value();
}

Value MicroBatchFunctionWriter::scaled(double factor, Value value) {
  auto scalar = RankedTensorType::get({}, typeOf(value).getElementType());
  Location location = locationOf(value);
  Value number = nn::ConstantOp::create(
      builder_, location, scalar,
      mlir::DenseElementsAttr::get(
          scalar, builder_.getFloatAttr(scalar.getElementType(), factor)));
  return nn::MulOp::create(builder_, location, number, value);
}

Value MicroBatchFunctionWriter::termOf(Value value) {
  Value& known = terms_[value];
  if (!known)
    known =
        scaled(1.0 / static_cast<double>(batch_.parts), held_.at(value).value);
  return known;
}

Value MicroBatchFunctionWriter::statisticOf(Value value) {
  const Held& given = held_.at(value);
  if (given.kind != Held::Kind::Term) return {};
  Value& known = statistics_[value];
  if (known) return known;
  // If the op that makes the value is available, build it over fewer samples.
  auto reduce = value.getDefiningOp<nn::ReduceOp>();
  bool isMean = (reduce && reduce.getKind() == nn::ReduceKind::Mean) ||
                value.getDefiningOp<nn::BatchVarianceOp>();
  Operation* op = value.getDefiningOp();
  if (!isMean || held_.at(op->getOperand(0)).kind != Held::Kind::Samples)
    return known = scaled(static_cast<double>(batch_.parts), given.value);
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return held_.at(operand).value;
  });
  return known = cloneWithTypes(builder_, op, operands, op->getResultTypes())
                     ->getResult(0);
}

// ---- Terms ------------------------------------------------------------------

bool MicroBatchFunctionWriter::isLinear(Operation* op,
                                        const PartialPass& pass) const {
  if (pass.reduction != Reduction::Sum) return false;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    Held::Kind kind = held_.at(operand.get()).kind;
    bool passes = llvm::is_contained(pass.operands, operand.getOperandNumber());
    bool fits = kind == Held::Kind::Term    ? passes
                : kind == Held::Kind::Whole ? !passes || isFloat(operand.get())
                                            : false;
    if (!fits) return false;
  }
  return true;
}

void MicroBatchFunctionWriter::writeLinear(Operation* op,
                                           const PartialPass& pass) {
  mlir::IRMapping mapping = mappingOf(op);
  for (int64_t number : pass.operands)
    if (Value operand = op->getOperand(number);
        held_.at(operand).kind == Held::Kind::Whole)
      mapping.map(operand, termOf(operand));
  Operation* own = builder_.clone(*op, mapping);
  for (auto [whole, part] : llvm::zip(op->getResults(), own->getResults()))
    hold(whole, Held::Kind::Term, part);
}

LogicalResult MicroBatchFunctionWriter::writeDeferred(Operation* op) {
  if (!llvm::isa<CallOp>(op) && !mlir::isPure(op))
    return emitRefusal(op) << "it depends on sums over all samples";
  auto deferred = std::make_shared<DeferredOp>();
  deferred->op = op;
  for (Value operand : op->getOperands()) {
    FailureOr<DeferredValue> value = deferredOf(operand, op);
    if (failed(value)) return failure();
    deferred->operands.push_back(*value);
  }
  for (mlir::OpResult result : op->getResults())
    held_[result] = {
        Held::Kind::Deferred,
        0,
        {},
        {DeferredValue::From::Op, result.getResultNumber(), deferred}};
  return success();
}

FailureOr<DeferredValue> MicroBatchFunctionWriter::deferredOf(Value value,
                                                              Operation* user) {
  const Held& given = held_.at(value);
  switch (given.kind) {
    case Held::Kind::Deferred:
      return given.deferred;
    case Held::Kind::Term:
      return deferredTerm(given.value);
    case Held::Kind::Whole:
      return deferredWhole(value);
    case Held::Kind::Samples:
      break;
  }
  return emitRefusal(user)
         << "it combines single samples with what depends on all "
         << batch_.samples << " samples";
}

DeferredValue MicroBatchFunctionWriter::deferredWhole(Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result)
    return DeferredValue::argument(
        llvm::cast<mlir::BlockArgument>(value).getArgNumber());
  Operation* op = result.getOwner();
  if (!deferred_.contains(op)) {
    auto deferred = std::make_shared<DeferredOp>();
    deferred->op = op;
    for (Value operand : op->getOperands())
      deferred->operands.push_back(deferredWhole(operand));
    deferred_[op] = deferred;
  }
  return {DeferredValue::From::Op, result.getResultNumber(), deferred_[op]};
}

DeferredValue MicroBatchFunctionWriter::deferredTerm(Value term) {
  auto* known = llvm::find(deferredTerms_, term);
  if (known == deferredTerms_.end()) {
    deferredTerms_.push_back(term);
    known = std::prev(deferredTerms_.end());
  }
  return DeferredValue::term(known - deferredTerms_.begin());
}

// ---- Helpers ----------------------------------------------------------------

bool MicroBatchFunctionWriter::anyOperandIs(Operation* op,
                                            Held::Kind kind) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return held_.at(operand).kind == kind;
  });
}

void MicroBatchFunctionWriter::hold(Value whole, Held::Kind kind, Value value,
                                    int64_t dim) {
  held_[whole] = {kind, dim, value};
}

mlir::IRMapping MicroBatchFunctionWriter::mappingOf(Operation* op) const {
  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, held_.at(operand).value);
  return mapping;
}

Value MicroBatchFunctionWriter::microBatchIndex() {
  if (microBatchIndex_) return microBatchIndex_;
  OpBuilder builder = OpBuilder::atBlockBegin(&part_.getBody().front());
  microBatchIndex_ =
      nn::RepetitionOp::create(builder, named("part", part_.getLoc()),
                               RankedTensorType::get({}, builder.getI64Type()));
  return microBatchIndex_;
}

void MicroBatchFunctionWriter::eraseUnused() {
  SmallVector<Operation*> ops;
  for (Operation& op : part_.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation* op : llvm::reverse(ops))
    if (mlir::isOpTriviallyDead(op)) op->erase();
}

mlir::InFlightDiagnostic MicroBatchFunctionWriter::emitRefusal(
    Operation* op) const {
  return op->emitOpError() << "cannot be computed in " << batch_.parts
                           << " micro-batches: ";
}

}  // namespace sbp
