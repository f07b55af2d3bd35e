#include "passes/differentiate/MicroBatches.h"

#include <string>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Verifier.h"
#include "passes/BodyType.h"
#include "passes/SampleDims.h"
#include "passes/differentiate/OverSamples.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

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

  /// The functions of which there are parts.
  SmallVector<FuncOp> wholes() const {
    return llvm::map_to_vector(parts_, [](auto each) { return each.first; });
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
    setTypeToBody(part);
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

/// [samples, ...] in parts, as [samples of a part, parts, ...].
RankedTensorType inParts(RankedTensorType whole, int64_t count) {
  SmallVector<int64_t> shape(whole.getShape());
  shape.front() /= count;
  shape.insert(shape.begin() + 1, count);
  return RankedTensorType::get(shape, whole.getElementType());
}

/// A parameter that a part reads, and the stage that does, if it is of one.
using ReadParameter = std::pair<mlir::StringAttr, std::optional<int64_t>>;

/// Makes the parameters that `part` reads its last arguments. Of one that is
/// read several times, each stage has an argument.
SmallVector<ReadParameter> takeParameters(FuncOp part) {
  mlir::Block& body = part.getBody().front();
  SmallVector<ReadParameter> read;
  llvm::DenseMap<std::pair<Attribute, Attribute>, Value> arguments;
  for (auto get : llvm::make_early_inc_range(body.getOps<nn::GetOp>())) {
    Value& argument =
        arguments[{get.getNameAttr(), get->getAttr(kStageAttrName)}];
    if (!argument) {
      argument = body.addArgument(get.getType(), get.getLoc());
      std::optional<int64_t> stage;
      if (auto number = get->getAttrOfType<mlir::IntegerAttr>(kStageAttrName))
        stage = number.getInt();
      read.emplace_back(get.getNameAttr().getAttr(), stage);
    }
    get.replaceAllUsesWith(argument);
    get.erase();
  }
  return read;
}

/// Gives `part` all samples; it takes its own from them.
void takeSamples(FuncOp part, int64_t numInputs, int64_t count) {
  mlir::Block& body = part.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value number =
      nn::RepetitionOp::create(builder, named("part", part.getLoc()),
                               RankedTensorType::get({}, builder.getI64Type()));
  for (mlir::BlockArgument input : body.getArguments().take_front(numInputs)) {
    auto type = llvm::cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0) continue;
    SmallVector<int64_t> whole(type.getShape());
    whole.front() *= count;
    input.setType(inParts(type.clone(whole), count));
    std::string name = nameOf(input);
    if (!name.empty()) name = "part of " + name;
    auto own = nn::PartOp::create(builder, named(name, input.getLoc()), number,
                                  input, /*dim=*/1);
    input.replaceAllUsesExcept(own, own);
  }
}

}  // namespace

FailureOr<MicroBatches> MicroBatches::divide(FuncOp loss, int64_t count,
                                             mlir::SymbolTable& symbols) {
  if (failed(checkInputs(loss, count))) return failure();
  MicroBatches parts;
  parts.count_ = count;
  switch (overSamples(loss, 0, symbols)) {
    case OverSamples::Sum:
      break;
    case OverSamples::None:
    case OverSamples::Mean:
      parts.weight_ = 1.0 / static_cast<double>(count);
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
  parts.part_ = *part;
  parts.numInputs_ = part->getNumArguments();
  for (auto [name, stage] : takeParameters(*part)) {
    parts.parameters_.push_back(name);
    parts.stages_.push_back(stage);
  }
  takeSamples(*part, parts.numInputs_, count);
  setTypeToBody(*part);
  parts.wholes_ = writer.wholes();
  return parts;
}

SmallVector<MicroBatches::Parameter> MicroBatches::parametersOf(
    FuncOp part) const {
  SmallVector<Parameter> parameters;
  for (auto [index, name] : llvm::enumerate(parameters_))
    parameters.push_back({name, part.getArgument(numInputs_ + index)});
  return parameters;
}

void MicroBatches::eraseWholes(mlir::SymbolTable& symbols) const {
  mlir::SymbolTableCollection tables;
  mlir::SymbolUserMap users(tables, symbols.getOp());
  llvm::SmallSetVector<FuncOp, 16> unused;
  for (FuncOp whole : wholes_)
    if (whole.isPrivate() &&
        llvm::all_of(users.getUsers(whole), [&](Operation* user) {
          return unused.contains(user->getParentOfType<FuncOp>());
        }))
      unused.insert(whole);
  for (FuncOp whole : unused) symbols.erase(whole);
}

void MicroBatches::addUp(FuncOp part, ArrayRef<Value> terms) {
  mlir::Block& body = part.getBody().front();
  Operation* end = body.getTerminator();
  OpBuilder builder(end);
  SmallVector<Value> carried;
  for (Value term : terms) {
    // As soon as there is something to add, so that it is not kept.
    if (Operation* maker = term.getDefiningOp())
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(&body);
    Value sum = body.addArgument(term.getType(), locationOf(term));
    carried.push_back(nn::AddOp::create(builder, locationOf(term), sum, term));
  }
  end->setOperands(carried);
  setTypeToBody(part);
}

int64_t MicroBatches::delayOf(mlir::StringAttr parameter,
                              ArrayRef<int64_t> delays) const {
  int64_t most = 0;
  for (auto [name, stage] : llvm::zip_equal(parameters_, stages_))
    if (name == parameter && stage &&
        *stage < static_cast<int64_t>(delays.size()))
      most = std::max(most, delays[*stage]);
  return most;
}

SmallVector<Value> MicroBatches::rewrite(FuncOp function, FuncOp part,
                                         ArrayRef<int64_t> delays) const {
  mlir::Block& body = function.getBody().front();
  Operation* end = body.getTerminator();
  Location place = locationOf(end->getOperand(0));
  end->setOperands({});
  while (Operation* last = end->getPrevNode()) last->erase();

  OpBuilder builder(end);
  SmallVector<Value> operands;
  for (mlir::BlockArgument input : body.getArguments().take_front(numInputs_)) {
    Term whole(builder, input.getLoc(), input);
    auto type = llvm::cast<RankedTensorType>(input.getType());
    operands.push_back(type.getRank() == 0
                           ? whole
                           : whole.reshaped(inParts(type, count_).getShape()));
  }
  for (auto [name, argument] : parametersOf(part))
    operands.push_back(nn::GetOp::create(builder, argument.getLoc(),
                                         argument.getType(), name.getValue(),
                                         delayOf(name, delays)));
  mlir::OperandRange returned =
      part.getBody().front().getTerminator()->getOperands();
  auto repeat =
      nn::RepeatOp::create(builder, part.getLoc(), returned.getTypes(), count_,
                           part.getName(), operands);
  nameResults(repeat, llvm::map_to_vector(returned, nameOf));
  Value first = repeat.getResult(0);
  if (weight_ != 1) first = weight_ * Term(builder, place, first);
  end->setOperands(first);
  return SmallVector<Value>(llvm::drop_begin(repeat.getResults()));
}

}  // namespace sbp
