#include "passes/microbatches/PartWriter.h"

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

PartWriter::PartWriter(FuncOp whole, FuncOp part, ArrayRef<Component> arguments,
                       FunctionParts& parts, const mlir::SymbolTable& symbols)
    : whole_(whole),
      part_(part),
      arguments_(arguments.begin(), arguments.end()),
      parts_(parts),
      batch_(parts.batch()),
      symbols_(symbols),
      builder_(OpBuilder::atBlockEnd(&part.getBody().front())) {}

FailureOr<FunctionPart> PartWriter::write() {
  for (auto [argument, own, component] :
       llvm::zip(whole_.getArguments(), part_.getArguments(), arguments_)) {
    if (component.isSplit())
      hold(argument, Held::Kind::Own, own, component.dim());
    else
      hold(argument,
           component.isPartial() ? Held::Kind::Term : Held::Kind::Same, own);
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

LogicalResult PartWriter::writeOp(Operation* op) {
  auto call = llvm::dyn_cast<CallOp>(op);
  bool isSame = llvm::all_of(op->getOperands(), [&](Value operand) {
    return held_.at(operand).kind == Held::Kind::Same;
  });
  if (isSame)
    writeSame(op);
  else if (llvm::isa<PinOp>(op))
    writePin(op);
  else if (isAny(op, Held::Kind::Later))
    return writeLater(op);
  else if (call)
    return writeCall(call);
  else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
           distributed && isAny(op, Held::Kind::Own))
    return writeOverSamples(distributed);
  else if (distributed) {
    for (const PartialPass& pass : distributed.getLoopNest().partialPasses)
      if (isLinear(op, pass)) {
        writeLinear(op, pass);
        return success();
      }
    return writeLater(op);
  } else
    return refuse(op) << "it does not declare its loops";
  return success();
}

void PartWriter::writeSame(Operation* op) {
  mlir::IRMapping mapping = mappingOf(op);
  Operation* same = builder_.clone(*op, mapping);
  for (auto [whole, own] : llvm::zip(op->getResults(), same->getResults()))
    hold(whole, Held::Kind::Same, own);
}

void PartWriter::writePin(Operation* pin) {
  Held input = held_.at(pin->getOperand(0));
  if (input.value) {
    mlir::IRMapping mapping = mappingOf(pin);
    Operation* own = builder_.clone(*pin, mapping);
    own->getResult(0).setType(input.value.getType());
    input.value = own->getResult(0);
  }
  held_[pin->getResult(0)] = input;
}

LogicalResult PartWriter::writeCall(CallOp call) {
  auto callee = symbols_.lookup<FuncOp>(call.getCallee());
  std::vector<Component> arguments;
  for (Value operand : call.getOperands()) {
    const Held& given = held_.at(operand);
    arguments.push_back(
        given.kind == Held::Kind::Own    ? Component::split(given.dim)
        : given.kind == Held::Kind::Term ? Component::partial(Reduction::Sum)
                                         : Component::broadcast());
  }
  FailureOr<const FunctionPart*> known = parts_.of(callee, arguments);
  if (failed(known)) return failure();
  const FunctionPart& part = **known;
  SmallVector<Value> operands;
  for (auto [operand, component] :
       llvm::zip(call.getOperands(), part.arguments)) {
    const Held& given = held_.at(operand);
    bool isSplitHere = component.isSplit() && given.kind == Held::Kind::Same;
    operands.push_back(isSplitHere ? ownOf(operand, component.dim())
                                   : given.value);
    if (!operands.back()) return failure();
  }
  auto own = CallOp::create(builder_, call.getLoc(), part.part, operands);
  own->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  std::vector<std::string> names(own.getNumResults());
  SmallVector<LaterValue> terms;
  for (Value term : own.getResults().drop_front(part.firstTerm))
    terms.push_back(laterTerm(term));
  auto leaf = [&](const LaterValue& value) {
    return value.from == LaterValue::From::Term
               ? terms[value.index]
               : laterSame(call.getOperand(value.index));
  };
  for (auto [result, made] : llvm::zip(call.getResults(), part.results)) {
    if (made.later) {
      held_[result] = {
          Held::Kind::Later, 0, {}, seenByCaller(*made.later, leaf)};
      continue;
    }
    names[made.index] = nameOf(result);
    Value value = own.getResult(made.index);
    if (made.component.isSplit())
      hold(result, Held::Kind::Own, value, made.component.dim());
    else
      hold(result,
           made.component.isPartial() ? Held::Kind::Term : Held::Kind::Same,
           value);
  }
  nameResults(own, names);
  return success();
}

LogicalResult PartWriter::writeReturn(Operation* end, FunctionPart& written) {
  SmallVector<Value> returned;
  for (Value value : end->getOperands()) {
    Held given = held_.at(value);
    bool isEntry = parts_.isEntry(whole_);
    if (isEntry && given.kind == Held::Kind::Same)
      given = {Held::Kind::Term, 0, termOf(value)};
    if (isEntry && given.kind == Held::Kind::Own)
      return refuse(end) << "it returns " << value.getType()
                         << ", which is neither a sum nor a mean over samples";
    FunctionPart::Result& result = written.results.emplace_back();
    if (given.kind == Held::Kind::Later) {
      result.later = given.later;
      continue;
    }
    if (given.kind == Held::Kind::Own)
      result.component = Component::split(given.dim);
    else if (given.kind == Held::Kind::Term)
      result.component = Component::partial(Reduction::Sum);
    result.index = returned.size();
    returned.push_back(given.value);
  }
  written.firstTerm = returned.size();
  llvm::append_range(returned, laterTerms_);
  mlir::func::ReturnOp::create(builder_, end->getLoc(), returned);
  return success();
}

// ---- Over samples -----------------------------------------------------------

FailureOr<int64_t> PartWriter::sampleLoopOf(Operation* op,
                                            const LoopNest& nest) const {
  int64_t loop = kNoLoop, first = 0;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    const Held& given = held_.at(operand);
    if (given.kind != Held::Kind::Own) continue;
    int64_t here = nest.operands[number][given.dim];
    if (here == kNoLoop)
      return refuse(op) << "it does not keep apart the samples of dimension "
                        << given.dim << " of " << nameOfOperand(op, number);
    if (loop != kNoLoop && here != loop)
      return refuse(op) << "it combines each sample of "
                        << nameOfOperand(op, first) << " with all samples of "
                        << nameOfOperand(op, number);
    if (loop == kNoLoop) first = number;
    loop = here;
    if (nest.loops[loop].kind == Loop::Kind::Whole)
      return refuse(op) << "it needs all " << batch_.samples
                        << " samples at once, along dimension " << given.dim
                        << " of " << nameOfOperand(op, number);
    if (nest.loops[loop].kind == Loop::Kind::Reduction &&
        nest.loops[loop].reduction != Reduction::Sum)
      return refuse(op) << "it takes the "
                        << stringOf(nest.loops[loop].reduction)
                        << " over samples, along dimension " << given.dim
                        << " of " << nameOfOperand(op, number);
  }
  return loop;
}

FailureOr<SmallVector<Value>> PartWriter::operandsAlong(Operation* op,
                                                        const LoopNest& nest,
                                                        int64_t loop) {
  SmallVector<Value> operands;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const Held& given = held_.at(operand.get());
    const TensorLoops& loops = nest.operands[operand.getOperandNumber()];
    std::optional<int64_t> dim = dimOf(loops, loop);
    Value value;
    if (dim && !batch_.divides(typeOf(operand.get()).getDimSize(*dim)))
      return refuse(op) << "dimension " << *dim << " of "
                        << nameOfOperand(op, operand.getOperandNumber())
                        << " has " << typeOf(operand.get()).getDimSize(*dim)
                        << " elements for " << batch_.samples << " samples";
    if (given.kind == Held::Kind::Own ||
        (!dim && given.kind == Held::Kind::Same))
      value = given.value;
    else if (given.kind == Held::Kind::Same) {
      value = ownOf(operand.get(), *dim);
      if (!value) return failure();
    } else if (isStatistic(operand)) {
      parts_.remarkOnStatistics(op);
      value = statisticOf(operand.get());
    }
    if (!value)
      return refuse(op) << "it combines single samples with "
                        << nameOfOperand(op, operand.getOperandNumber())
                        << ", which depends on all " << batch_.samples
                        << " samples";
    operands.push_back(value);
  }
  return operands;
}

LogicalResult PartWriter::writeOverSamples(DistributedOpInterface op) {
  LoopNest nest = op.getLoopNest();
  FailureOr<int64_t> loop = sampleLoopOf(op, nest);
  if (failed(loop)) return failure();
  FailureOr<SmallVector<Value>> operands = operandsAlong(op, nest, *loop);
  if (failed(operands)) return failure();
  for (auto [result, loops] : llvm::zip(op->getResults(), nest.results))
    if (auto dim = dimOf(loops, *loop);
        dim && !batch_.divides(typeOf(result).getDimSize(*dim)))
      return refuse(op) << "dimension " << *dim << " of its result has "
                        << typeOf(result).getDimSize(*dim) << " elements for "
                        << batch_.samples << " samples";

  // A variance around the mean of a micro-batch is that of the micro-batch.
  if (llvm::isa<nn::BatchVarianceOp>(*op) &&
      held_.at(op->getOperand(1)).kind != Held::Kind::Same) {
    Value result = op->getResult(0);
    Value variance =
        cloneAtTypes(builder_, op, *operands, result.getType())->getResult(0);
    statistics_[result] = variance;
    hold(result, Held::Kind::Term,
         times(1.0 / static_cast<double>(batch_.parts), variance));
    return success();
  }
  Operation* own = buildAlong(op, nest, *loop, *operands);
  if (!own)
    return refuse(op)
           << "it depends on the positions of its samples in the batch";
  for (auto [whole, part, loops] :
       llvm::zip(op->getResults(), own->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, *loop);
    hold(whole, dim ? Held::Kind::Own : Held::Kind::Term, part,
         dim.value_or(0));
  }
  return success();
}

Operation* PartWriter::buildAlong(DistributedOpInterface op,
                                  const LoopNest& nest, int64_t loop,
                                  ValueRange operands) {
  SmallVector<Type> types;
  for (auto [result, loops] : llvm::zip(op->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, loop);
    types.push_back(dim ? batch_.partOf(typeOf(result), *dim) : typeOf(result));
  }
  SampleShard shard(loop, [&] { return microBatchNumber(); });
  Operation* own = op.buildLocal(builder_, operands, types, shard);
  if (shard.isAsked()) {
    own->erase();
    return nullptr;
  }
  own->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return own;
}

// ---- The same in all micro-batches
// -------------------------------------------

Value PartWriter::ownOf(Value value, int64_t dim) {
  Value& known = own_[{value, dim}];
  if (known) return known;
  Value own = buildOwn(value, dim);
  return own_[{value, dim}] = own;
}

Value PartWriter::buildOwn(Value value, int64_t dim) {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    Value own = buildOwnByOp(result, dim);
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
  return batch_.takePart(builder_, location, microBatchNumber(), inParts, dim,
                         batch_.partOf(type, dim));
}

Value PartWriter::buildOwnByOp(mlir::OpResult value, int64_t dim) {
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
    operands.push_back(along ? ownOf(operand, *along)
                             : held_.at(operand).value);
    if (!operands.back()) return {};
  }
  Operation* own = buildAlong(op, nest, loop, operands);
  return own ? own->getResult(value.getResultNumber()) : Value();
}

Value PartWriter::times(double factor, Value value) {
  auto scalar = RankedTensorType::get({}, typeOf(value).getElementType());
  Location location = locationOf(value);
  Value number = nn::ConstantOp::create(
      builder_, location, scalar,
      mlir::DenseElementsAttr::get(
          scalar, builder_.getFloatAttr(scalar.getElementType(), factor)));
  return nn::MulOp::create(builder_, location, number, value);
}

Value PartWriter::termOf(Value value) {
  Value& known = terms_[value];
  if (!known)
    known =
        times(1.0 / static_cast<double>(batch_.parts), held_.at(value).value);
  return known;
}

Value PartWriter::statisticOf(Value value) {
  const Held& given = held_.at(value);
  if (given.kind != Held::Kind::Term) return {};
  Value& known = statistics_[value];
  if (known) return known;
  // If the op that makes the value is available, build it over fewer samples.
  auto reduce = value.getDefiningOp<nn::ReduceOp>();
  bool isMean = (reduce && reduce.getKind() == nn::ReduceKind::Mean) ||
                value.getDefiningOp<nn::BatchVarianceOp>();
  Operation* op = value.getDefiningOp();
  if (!isMean || held_.at(op->getOperand(0)).kind != Held::Kind::Own)
    return known = times(static_cast<double>(batch_.parts), given.value);
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return held_.at(operand).value;
  });
  return known = cloneAtTypes(builder_, op, operands, op->getResultTypes())
                     ->getResult(0);
}

// ---- Terms ------------------------------------------------------------------

bool PartWriter::isLinear(Operation* op, const PartialPass& pass) const {
  if (pass.reduction != Reduction::Sum) return false;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    Held::Kind kind = held_.at(operand.get()).kind;
    bool passes = llvm::is_contained(pass.operands, operand.getOperandNumber());
    bool fits = kind == Held::Kind::Term   ? passes
                : kind == Held::Kind::Same ? !passes || isFloat(operand.get())
                                           : false;
    if (!fits) return false;
  }
  return true;
}

void PartWriter::writeLinear(Operation* op, const PartialPass& pass) {
  mlir::IRMapping mapping = mappingOf(op);
  for (int64_t number : pass.operands)
    if (Value operand = op->getOperand(number);
        held_.at(operand).kind == Held::Kind::Same)
      mapping.map(operand, termOf(operand));
  Operation* own = builder_.clone(*op, mapping);
  for (auto [whole, part] : llvm::zip(op->getResults(), own->getResults()))
    hold(whole, Held::Kind::Term, part);
}

LogicalResult PartWriter::writeLater(Operation* op) {
  if (!llvm::isa<CallOp>(op) && !mlir::isPure(op))
    return refuse(op) << "it depends on sums over all samples";
  auto later = std::make_shared<LaterOp>();
  later->op = op;
  for (Value operand : op->getOperands()) {
    FailureOr<LaterValue> value = laterOf(operand, op);
    if (failed(value)) return failure();
    later->operands.push_back(*value);
  }
  for (mlir::OpResult result : op->getResults())
    held_[result] = {Held::Kind::Later,
                     0,
                     {},
                     {LaterValue::From::Op, result.getResultNumber(), later}};
  return success();
}

FailureOr<LaterValue> PartWriter::laterOf(Value value, Operation* user) {
  const Held& given = held_.at(value);
  switch (given.kind) {
    case Held::Kind::Later:
      return given.later;
    case Held::Kind::Term:
      return laterTerm(given.value);
    case Held::Kind::Same:
      return laterSame(value);
    case Held::Kind::Own:
      break;
  }
  return refuse(user) << "it combines single samples with what depends on all "
                      << batch_.samples << " samples";
}

LaterValue PartWriter::laterSame(Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result)
    return LaterValue::argument(
        llvm::cast<mlir::BlockArgument>(value).getArgNumber());
  Operation* op = result.getOwner();
  if (!later_.contains(op)) {
    auto later = std::make_shared<LaterOp>();
    later->op = op;
    for (Value operand : op->getOperands())
      later->operands.push_back(laterSame(operand));
    later_[op] = later;
  }
  return {LaterValue::From::Op, result.getResultNumber(), later_[op]};
}

LaterValue PartWriter::laterTerm(Value term) {
  auto* known = llvm::find(laterTerms_, term);
  if (known == laterTerms_.end()) {
    laterTerms_.push_back(term);
    known = std::prev(laterTerms_.end());
  }
  return LaterValue::term(known - laterTerms_.begin());
}

// ---- Helpers ----------------------------------------------------------------

bool PartWriter::isAny(Operation* op, Held::Kind kind) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return held_.at(operand).kind == kind;
  });
}

void PartWriter::hold(Value value, Held::Kind kind, Value own, int64_t dim) {
  held_[value] = {kind, dim, own};
}

mlir::IRMapping PartWriter::mappingOf(Operation* op) const {
  mlir::IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, held_.at(operand).value);
  return mapping;
}

Value PartWriter::microBatchNumber() {
  if (number_) return number_;
  OpBuilder builder = OpBuilder::atBlockBegin(&part_.getBody().front());
  number_ =
      nn::RepetitionOp::create(builder, named("part", part_.getLoc()),
                               RankedTensorType::get({}, builder.getI64Type()));
  return number_;
}

void PartWriter::eraseUnused() {
  SmallVector<Operation*> ops;
  for (Operation& op : part_.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation* op : llvm::reverse(ops))
    if (mlir::isOpTriviallyDead(op)) op->erase();
}

mlir::InFlightDiagnostic PartWriter::refuse(Operation* op) const {
  return op->emitOpError() << "cannot be computed in " << batch_.parts
                           << " micro-batches: ";
}

}  // namespace sbp
