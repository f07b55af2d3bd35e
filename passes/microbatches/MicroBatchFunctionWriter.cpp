#include "passes/microbatches/MicroBatchFunctionWriter.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/microbatches/SampleShard.h"
#include "passes/module/BuildPart.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Returns the dimension over which `loop` runs, of a tensor with `loops`;
/// nullopt if there is none.
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

/// Returns the name of an operand, "%hidden", or "operand 1" if it has no name.
std::string nameOfOperand(Operation* op, unsigned number) {
  std::string name = nameOf(op->getOperand(number));
  return name.empty() ? "operand " + std::to_string(number) : name;
}

}  // namespace

MicroBatchFunctionWriter::MicroBatchFunctionWriter(
    FuncOp batchFunction, FuncOp microBatchFunction,
    ArrayRef<Component> arguments, MicroBatchFunctions& functions,
    const mlir::SymbolTable& symbols)
    : batchFunction_(batchFunction),
      microBatchFunction_(microBatchFunction),
      arguments_(arguments.begin(), arguments.end()),
      functions_(functions),
      batch_(functions.batch()),
      symbols_(symbols),
      builder_(OpBuilder::atBlockEnd(&microBatchFunction.getBody().front())) {}

FailureOr<MicroBatchFunction> MicroBatchFunctionWriter::write() {
  for (auto [argument, own, component] :
       llvm::zip(batchFunction_.getArguments(),
                 microBatchFunction_.getArguments(), arguments_))
    versions_.record(argument, Version::of(component, own));
  mlir::Block& body = batchFunction_.getBody().front();
  for (Operation& op : body.without_terminator())
    if (failed(writeOp(&op))) return failure();
  MicroBatchFunction written;
  written.batchFunction = batchFunction_;
  written.microBatchFunction = microBatchFunction_;
  written.argumentComponents = arguments_;
  if (failed(writeReturn(body.getTerminator(), written))) return failure();
  eraseUnused();
  return written;
}

LogicalResult MicroBatchFunctionWriter::writeOp(Operation* op) {
  auto call = llvm::dyn_cast<CallOp>(op);
  if (versions_.allOperandsAre(op, Version::Kind::Whole))
    writeWhole(op);
  else if (llvm::isa<PinOp>(op))
    writePin(op);
  else if (versions_.anyOperandIs(op, Version::Kind::Deferred))
    return writeDeferred(op);
  else if (call)
    return writeCall(call);
  else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
           distributed && versions_.anyOperandIs(op, Version::Kind::Samples))
    return writeOverSamples(distributed);
  else if (distributed) {
    for (const PartialPass& pass : distributed.getLoopNest().partialPasses)
      if (versions_.areLinearIn(op, pass)) {
        writeLinear(op, pass);
        return success();
      }
    return writeDeferred(op);
  } else
    return emitRefusal(op) << "it does not declare its loops";
  return success();
}

void MicroBatchFunctionWriter::writeWhole(Operation* op) {
  mlir::IRMapping mapping = versions_.mappingOf(op);
  Operation* same = builder_.clone(*op, mapping);
  for (auto [result, own] : llvm::zip(op->getResults(), same->getResults()))
    versions_.record(result, Version::whole(own));
}

void MicroBatchFunctionWriter::writePin(Operation* pin) {
  Version input = versions_.of(pin->getOperand(0));
  if (input.value) {
    mlir::IRMapping mapping = versions_.mappingOf(pin);
    Operation* own = builder_.clone(*pin, mapping);
    own->getResult(0).setType(input.value.getType());
    input.value = own->getResult(0);
  }
  versions_.record(pin->getResult(0), input);
}

LogicalResult MicroBatchFunctionWriter::writeCall(CallOp call) {
  auto callee = symbols_.lookup<FuncOp>(call.getCallee());
  std::vector<Component> arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(versions_.of(operand).component());
  FailureOr<const MicroBatchFunction*> known = functions_.of(callee, arguments);
  if (failed(known)) return failure();
  const MicroBatchFunction& written = **known;
  SmallVector<Value> operands;
  for (auto [operand, component] :
       llvm::zip(call.getOperands(), written.argumentComponents)) {
    const Version& version = versions_.of(operand);
    bool isSplitHere =
        component.isSplit() && version.kind == Version::Kind::Whole;
    FailureOr<Value> own = isSplitHere ? samplesOf(operand, component.dim())
                                       : FailureOr<Value>(version.value);
    if (failed(own) || !*own) return failure();
    operands.push_back(*own);
  }
  auto own = CallOp::create(builder_, call.getLoc(), written.microBatchFunction,
                            operands);
  own->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  std::vector<std::string> names(own.getNumResults());
  SmallVector<DeferredValue> terms;
  for (Value term : own.getResults().drop_front(written.firstTerm))
    terms.push_back(leaves_.sumOf(term));
  auto leaf = [&](const DeferredValue& value) {
    return value.kind == DeferredValue::Kind::Term
               ? terms[value.index]
               : leaves_.whole(call.getOperand(value.index));
  };
  for (auto [result, made] : llvm::zip(call.getResults(), written.results)) {
    if (made.deferred) {
      versions_.record(
          result, Version::deferTo(translateToCaller(*made.deferred, leaf)));
      continue;
    }
    names[made.index] = nameOf(result);
    versions_.record(result,
                     Version::of(made.component, own.getResult(made.index)));
  }
  nameResults(own, names);
  return success();
}

LogicalResult MicroBatchFunctionWriter::writeReturn(
    Operation* end, MicroBatchFunction& written) {
  SmallVector<Value> returned;
  for (Value value : end->getOperands()) {
    Version version = versions_.of(value);
    bool isEntry = functions_.isEntry(batchFunction_);
    if (isEntry && version.kind == Version::Kind::Whole)
      version = Version::term(termOf(value));
    if (isEntry && version.kind == Version::Kind::Samples)
      return emitRefusal(end)
             << "it returns " << value.getType()
             << ", which is neither a sum nor a mean over samples";
    MicroBatchFunction::Result& result = written.results.emplace_back();
    if (version.kind == Version::Kind::Deferred) {
      result.deferred = version.deferred;
      continue;
    }
    result.component = version.component();
    result.index = returned.size();
    returned.push_back(version.value);
  }
  written.firstTerm = returned.size();
  llvm::append_range(returned, leaves_.terms());
  mlir::func::ReturnOp::create(builder_, end->getLoc(), returned);
  return success();
}

// ---- Over samples -----------------------------------------------------------

FailureOr<int64_t> MicroBatchFunctionWriter::sampleLoopOf(
    Operation* op, const LoopNest& nest) const {
  int64_t loop = kNoLoop, first = 0;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    const Version& version = versions_.of(operand);
    if (version.kind != Version::Kind::Samples) continue;
    int64_t here = nest.operands[number][version.dim];
    if (here == kNoLoop)
      return emitRefusal(op)
             << "it does not keep apart the samples of dimension "
             << version.dim << " of " << nameOfOperand(op, number);
    if (loop != kNoLoop && here != loop)
      return emitRefusal(op)
             << "it combines each sample of " << nameOfOperand(op, first)
             << " with all samples of " << nameOfOperand(op, number);
    if (loop == kNoLoop) first = number;
    loop = here;
    if (nest.loops[loop].kind == Loop::Kind::Whole)
      return emitRefusal(op)
             << "it needs all " << batch_.samples
             << " samples at once, along dimension " << version.dim << " of "
             << nameOfOperand(op, number);
    if (nest.loops[loop].kind == Loop::Kind::Reduction &&
        nest.loops[loop].reduction != Reduction::Sum)
      return emitRefusal(op)
             << "it takes the " << stringOf(nest.loops[loop].reduction)
             << " over samples, along dimension " << version.dim << " of "
             << nameOfOperand(op, number);
  }
  return loop;
}

FailureOr<SmallVector<Value>> MicroBatchFunctionWriter::operandsAlong(
    Operation* op, const LoopNest& nest, int64_t loop) {
  SmallVector<Value> operands;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const Version& version = versions_.of(operand.get());
    const TensorLoops& loops = nest.operands[operand.getOperandNumber()];
    std::optional<int64_t> dim = dimOf(loops, loop);
    Value value;
    if (dim && !batch_.divides(typeOf(operand.get()).getDimSize(*dim)))
      return emitRefusal(op)
             << "dimension " << *dim << " of "
             << nameOfOperand(op, operand.getOperandNumber()) << " has "
             << typeOf(operand.get()).getDimSize(*dim) << " elements for "
             << batch_.samples << " samples";
    if (version.kind == Version::Kind::Samples ||
        (!dim && version.kind == Version::Kind::Whole))
      value = version.value;
    else if (version.kind == Version::Kind::Whole) {
      FailureOr<Value> samples = samplesOf(operand.get(), *dim);
      if (failed(samples)) return failure();
      value = *samples;
    } else if (isStatistic(operand)) {
      functions_.remarkOnStatistics(op);
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
  // An iteration may have several elements, but only of one sample. Samples of
  // a micro-batch are not neighbours in the batch, so an iteration of several
  // samples would combine other samples than in the whole batch.
  if (const int64_t iterations = nest.loops[*loop].extent;
      !batch_.divides(iterations))
    return emitRefusal(op) << "it does not keep samples apart: its loop over "
                           << batch_.samples << " samples has " << iterations
                           << " iterations";

  // A variance around the mean of a micro-batch is the variance of that
  // micro-batch. If samples are channels, each has its own mean.
  if (llvm::isa<nn::BatchVarianceOp>(*op) &&
      versions_.of(op->getOperand(1)).kind != Version::Kind::Whole &&
      versions_.of(op->getOperand(1)).kind != Version::Kind::Samples) {
    Value result = op->getResult(0);
    Value variance =
        cloneWithTypes(builder_, op, *operands, result.getType())->getResult(0);
    statistics_[result] = variance;
    versions_.record(
        result,
        Version::term(scaled(1.0 / static_cast<double>(batch_.numMicroBatches),
                             variance)));
    return success();
  }
  FailureOr<Operation*> built = buildAlong(op, nest, *loop, *operands);
  if (failed(built)) return failure();
  Operation* own = *built;
  if (!own)
    return emitRefusal(op)
           << "it depends on the positions of its samples in the batch";
  for (auto [result, version, loops] :
       llvm::zip(op->getResults(), own->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, *loop);
    versions_.record(
        result, dim ? Version::samples(version, *dim) : Version::term(version));
  }
  return success();
}

FailureOr<Operation*> MicroBatchFunctionWriter::buildAlong(
    DistributedOpInterface op, const LoopNest& nest, int64_t loop,
    ValueRange operands) {
  SmallVector<Type> types;
  for (auto [result, loops] : llvm::zip(op->getResults(), nest.results)) {
    std::optional<int64_t> dim = dimOf(loops, loop);
    types.push_back(dim ? batch_.sliceType(typeOf(result), *dim)
                        : typeOf(result));
  }
  SampleShard shard(loop, [&] { return microBatchIndex(); });
  FailureOr<Operation*> built =
      buildLocalPart(op, builder_, operands, types, shard);
  if (failed(built)) return failure();
  Operation* own = *built;
  if (shard.isAsked()) {
    own->erase();
    return static_cast<Operation*>(nullptr);
  }
  own->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return own;
}

// ---- Values with the version Whole ------------------------------------------

FailureOr<Value> MicroBatchFunctionWriter::samplesOf(Value value, int64_t dim) {
  if (Value known = samples_.lookup({value, dim})) return known;
  FailureOr<Value> own = buildSamples(value, dim);
  if (succeeded(own)) samples_[{value, dim}] = *own;
  return own;
}

FailureOr<Value> MicroBatchFunctionWriter::buildSamples(Value value,
                                                        int64_t dim) {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    FailureOr<Value> own = buildSamplesByOp(result, dim);
    if (failed(own) || *own) return own;
  } else if (!functions_.isEntry(batchFunction_)) {
    wanted_ = {llvm::cast<mlir::BlockArgument>(value).getArgNumber(), dim};
    return failure();
  }
  Location location = locationOf(value);
  auto type = typeOf(value);
  Value divided = nn::ReshapeOp::create(
      builder_, location, type.clone(batch_.dividedShape(type.getShape(), dim)),
      versions_.of(value).value);
  return batch_.buildSlice(builder_, location, microBatchIndex(), divided, dim,
                           batch_.sliceType(type, dim));
}

FailureOr<Value> MicroBatchFunctionWriter::buildSamplesByOp(
    mlir::OpResult value, int64_t dim) {
  auto op = llvm::dyn_cast<DistributedOpInterface>(value.getOwner());
  if (!op) return Value();
  LoopNest nest = op.getLoopNest();
  int64_t loop = nest.results[value.getResultNumber()][dim];
  if (loop == kNoLoop || nest.loops[loop].kind != Loop::Kind::Parallel ||
      !batch_.divides(nest.loops[loop].extent))
    return Value();
  SmallVector<Value> operands;
  for (auto [operand, loops] : llvm::zip(op->getOperands(), nest.operands)) {
    std::optional<int64_t> along = dimOf(loops, loop);
    if (along && !batch_.divides(typeOf(operand).getDimSize(*along)))
      return Value();
    FailureOr<Value> own = along
                               ? samplesOf(operand, *along)
                               : FailureOr<Value>(versions_.of(operand).value);
    if (failed(own)) return failure();
    if (!*own) return Value();
    operands.push_back(*own);
  }
  FailureOr<Operation*> own = buildAlong(op, nest, loop, operands);
  if (failed(own)) return failure();
  return *own ? (*own)->getResult(value.getResultNumber()) : Value();
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
    known = scaled(1.0 / static_cast<double>(batch_.numMicroBatches),
                   versions_.of(value).value);
  return known;
}

Value MicroBatchFunctionWriter::statisticOf(Value value) {
  const Version& version = versions_.of(value);
  if (version.kind != Version::Kind::Term) return {};
  Value& known = statistics_[value];
  if (known) return known;
  // If the operand of the op that makes the value is available, build the op
  // again.
  auto reduce = value.getDefiningOp<nn::ReduceOp>();
  bool isMean = (reduce && reduce.getKind() == nn::ReduceKind::Mean) ||
                value.getDefiningOp<nn::BatchVarianceOp>();
  Operation* op = value.getDefiningOp();
  if (!isMean || versions_.of(op->getOperand(0)).kind != Version::Kind::Samples)
    return known = scaled(static_cast<double>(batch_.numMicroBatches),
                          version.value);
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return versions_.of(operand).value;
  });
  return known = cloneWithTypes(builder_, op, operands, op->getResultTypes())
                     ->getResult(0);
}

// ---- Terms ------------------------------------------------------------------

void MicroBatchFunctionWriter::writeLinear(Operation* op,
                                           const PartialPass& pass) {
  mlir::IRMapping mapping = versions_.mappingOf(op);
  for (int64_t number : pass.operands)
    if (Value operand = op->getOperand(number);
        versions_.of(operand).kind == Version::Kind::Whole)
      mapping.map(operand, termOf(operand));
  Operation* own = builder_.clone(*op, mapping);
  for (auto [result, version] : llvm::zip(op->getResults(), own->getResults()))
    versions_.record(result, Version::term(version));
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
    versions_.record(result,
                     Version::deferTo({DeferredValue::Kind::Op,
                                       result.getResultNumber(), deferred}));
  return success();
}

FailureOr<DeferredValue> MicroBatchFunctionWriter::deferredOf(Value value,
                                                              Operation* user) {
  const Version& version = versions_.of(value);
  switch (version.kind) {
    case Version::Kind::Deferred:
      return version.deferred;
    case Version::Kind::Term:
      return leaves_.sumOf(version.value);
    case Version::Kind::Whole:
      return leaves_.whole(value);
    case Version::Kind::Samples:
      break;
  }
  return emitRefusal(user)
         << "it combines single samples with what depends on all "
         << batch_.samples << " samples";
}

// ---- Helpers ----------------------------------------------------------------

Value MicroBatchFunctionWriter::microBatchIndex() {
  if (microBatchIndex_) return microBatchIndex_;
  OpBuilder builder =
      OpBuilder::atBlockBegin(&microBatchFunction_.getBody().front());
  microBatchIndex_ = nn::RepetitionOp::create(
      builder, named("part", microBatchFunction_.getLoc()),
      RankedTensorType::get({}, builder.getI64Type()));
  return microBatchIndex_;
}

void MicroBatchFunctionWriter::eraseUnused() {
  SmallVector<Operation*> ops;
  for (Operation& op :
       microBatchFunction_.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation* op : llvm::reverse(ops))
    if (mlir::isOpTriviallyDead(op)) op->erase();
}

mlir::InFlightDiagnostic MicroBatchFunctionWriter::emitRefusal(
    Operation* op) const {
  return op->emitOpError() << "cannot be computed in " << batch_.numMicroBatches
                           << " micro-batches: ";
}

}  // namespace sbp
