#include "passes/localize/OpLying.h"

#include <algorithm>

#include "dialects/nn/IndexOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace sbp {
namespace {

// ---- Signatures -------------------------------------------------------------

/// Whether `op` cuts or joins its operands by rules of their own, which a local
/// shape does not tell: a reshape does not tell which dimensions of the whole
/// it merges.
bool regroups(Operation* op) {
  return llvm::isa<nn::ReshapeOp, nn::SliceOp, nn::PadOp, nn::ConcatOp,
                   nn::PartOp>(op);
}

/// Returns how a tensor of shape `result` may lie that is one of shape
/// `operand` reshaped, whose dimension `dim` is split: of the dimensions that
/// become of it the first one is split, which may be one that has a single
/// element here.
Choice splitAfterReshape(ArrayRef<int64_t> operand, int64_t dim,
                         ArrayRef<int64_t> result) {
  int64_t before = 1;
  for (int64_t extent : operand.take_front(dim)) before *= extent;
  Choice choice = Choice::none();
  int64_t elements = 1;
  for (auto [after, extent] : llvm::enumerate(result)) {
    if (elements == before)
      choice = choice.with(Component::split(static_cast<int64_t>(after)));
    elements *= extent;
  }
  return choice.isNone() ? Choice::any() : choice;
}

/// Returns how the result of `op`, which regroups, may lie if dimension `dim`
/// of its tensors is split.
Choice splitAfter(Operation* op, int64_t dim) {
  auto shapeOf = [](Value value) {
    return llvm::cast<RankedTensorType>(value.getType()).getShape();
  };
  ArrayRef<int64_t> to = shapeOf(op->getResult(0));
  if (auto part = llvm::dyn_cast<nn::PartOp>(op)) {
    const auto taken = static_cast<int64_t>(part.getDim());
    if (dim == taken) return Choice::any();
    return Choice::of(Component::split(dim < taken ? dim : dim - 1));
  }
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
  if (llvm::isa<nn::ReshapeOp>(op)) return splitAfterReshape(from, dim, to);
  // The others change the extents of dimensions that they cut or join.
  return from[dim] == to[dim] ? Choice::of(Component::split(dim))
                              : Choice::any();
}

/// Returns how the result of `op`, which regroups, lies where its operands lie
/// as `operands`: copies and terms stay so, and parts where that is told.
Choice lyingRegrouped(Operation* op, ArrayRef<Choice> operands) {
  // The index of a part is the same on all ranks.
  if (llvm::isa<nn::PartOp>(op)) operands = operands.drop_front();
  Choice result = Choice::none();
  for (Component component : operands.front().components()) {
    if (!llvm::all_of(operands, [&](const Choice& choice) {
          return choice.allows(component);
        }))
      continue;
    // What is padded is no term of a maximum.
    const bool isTold = !component.isPartial() || !llvm::isa<nn::PadOp>(op);
    Choice after = !isTold               ? Choice::any()
                   : component.isSplit() ? splitAfter(op, component.dim())
                                         : Choice::of(component);
    if (after.isAny()) return after;
    result = result.with(after);
  }
  return result.isNone() ? Choice::any() : result;
}

/// Whether it matters where windows of `op` begin and end, which a part need
/// not tell.
bool hasWindows(Operation* op) {
  return llvm::isa<nn::ConvolutionOp, nn::ConvolutionInputGradOp,
                   nn::ConvolutionFilterGradOp, nn::PoolOp, nn::PoolGradOp>(op);
}

/// Whether the operands of `op` say how long its results are.
bool determineResults(Operation* op) {
  return op->getNumOperands() > 0 && !hasWindows(op) &&
         (llvm::isa<mlir::InferTypeOpInterface, nn::CastOp>(op) ||
          op->hasTrait<mlir::OpTrait::SameOperandsAndResultType>());
}

/// Whether the loops of `op` may be others than those of the whole op: where
/// operands lie as `operands` say, a dimension of one element may be a part of
/// more, over which the whole op has a loop.
bool hasLoopsOfItsOwn(Operation* op, ArrayRef<Lying> operands) {
  if (!llvm::isa<nn::NnDialect>(op->getDialect())) return true;
  auto isShort = [](int64_t extent) { return extent <= 1; };
  for (auto [operand, lying] : llvm::zip(op->getOperands(), operands)) {
    auto type = llvm::cast<RankedTensorType>(operand.getType());
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (isShort(extent) &&
          llvm::any_of(lying.axes, [&, dim = dim](const Choice& choice) {
            return choice.allows(Component::split(static_cast<int64_t>(dim)));
          }))
        return true;
  }
  if (determineResults(op)) return false;
  return llvm::any_of(op->getResultTypes(), [&](Type type) {
    return llvm::any_of(llvm::cast<RankedTensorType>(type).getShape(), isShort);
  });
}

/// Whether `operand` says where this rank's part begins, to an op that takes it
/// so.
bool isOffset(Value operand) {
  return operand.getDefiningOp<rank::OffsetOp>() != nullptr;
}
bool takesOffset(Operation* op) {
  return llvm::isa<nn::IotaOp, nn::EmbeddingOp, nn::EmbeddingGradOp>(op);
}

bool allows(ArrayRef<Choice> choices, ArrayRef<Component> components) {
  return llvm::all_of(llvm::zip(choices, components), [](auto pair) {
    return std::get<0>(pair).allows(std::get<1>(pair));
  });
}

/// The signature that has the most of `operands`.
const Signature& nearest(ArrayRef<Signature> signatures,
                         ArrayRef<Choice> operands) {
  auto matches = [&](const Signature& signature) {
    return llvm::count_if(
        llvm::zip(operands, signature.operands),
        [](auto pair) { return std::get<0>(pair).allows(std::get<1>(pair)); });
  };
  return *llvm::max_element(signatures,
                            [&](const Signature& a, const Signature& b) {
                              return matches(a) < matches(b);
                            });
}

LogicalResult refuse(Operation* op, StringRef axis, ArrayRef<Choice> operands,
                     ArrayRef<Signature> signatures) {
  mlir::InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "takes operands that lie as (";
  llvm::interleaveComma(operands, diagnostic, [&](const Choice& choice) {
    diagnostic << choice.str();
  });
  return diagnostic << ") on mesh axis '" << axis
                    << "', which none of its signatures has; the nearest is "
                    << nearest(signatures, operands).str();
}

// ---- Counts -----------------------------------------------------------------

/// The dimensions of the counted operand that are counted.
SmallVector<int64_t> countedDims(Operation* op) {
  const int64_t rank =
      llvm::cast<RankedTensorType>(countedOperand(op)->get().getType())
          .getRank();
  if (auto reduce = llvm::dyn_cast<nn::ReduceOp>(op))
    return llvm::to_vector(reduce.getDims());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  // Of a batch all but the channels.
  if (llvm::isa<nn::BatchVarianceOp, nn::BatchNormGradOp>(op))
    llvm::erase(dims, 1);
  return dims;
}

int64_t divisorOf(Operation* op) {
  return llvm::TypeSwitch<Operation*, int64_t>(op)
      .Case<nn::ReduceOp, nn::MseOp, nn::CrossEntropyOp, nn::CrossEntropyGradOp,
            nn::BatchVarianceOp, nn::BatchNormGradOp>(
          [](auto mean) { return mean.getDivisor(); });
}

}  // namespace

FailureOr<SmallVector<Choice>> lyingOfResults(Operation* op, size_t axis,
                                              StringRef axisName,
                                              ArrayRef<Lying> operandLyings) {
  auto operands = llvm::map_to_vector(
      operandLyings, [&](const Lying& operand) { return operand.on(axis); });
  SmallVector<Choice> unknown(op->getNumResults(), Choice::any());
  // All ranks repeat a function as often.
  if (llvm::isa<nn::RepetitionOp>(op))
    return SmallVector<Choice>{Choice::of(Component::broadcast())};
  auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
  if (!distributed || llvm::any_of(operands, [](const Choice& choice) {
        return choice.isAny();
      }))
    return unknown;
  const bool hasOffset = llvm::any_of(op->getOperands(), isOffset);
  if (hasOffset && !takesOffset(op)) return unknown;
  if (regroups(op))
    return SmallVector<Choice>(op->getNumResults(),
                               lyingRegrouped(op, operands));
  if (hasLoopsOfItsOwn(op, operandLyings)) return unknown;

  auto signatures = signaturesOf(distributed.getLoopNest());
  SmallVector<Choice> results(op->getNumResults(), Choice::none());
  for (const Signature& signature : signatures)
    if (allows(operands, signature.operands))
      for (auto [result, component] : llvm::zip(results, signature.results))
        result = result.with(component);
  if (results.empty() || !results.front().isNone()) return results;
  if (hasWindows(op)) return unknown;
  return refuse(op, axisName, operands, signatures);
}

FailureOr<Choice> lyingAfter(Operation* op, StringRef axis,
                             const Choice& operand) {
  const Component copies = Component::broadcast();
  auto terms = [](rank::Reduction reduction) {
    return Component::partial(static_cast<Reduction>(reduction));
  };
  auto part = [](uint64_t dim) {
    return Component::split(static_cast<int64_t>(dim));
  };
  // A collective of something else gives something else.
  auto communicate = [&](Component from, Component to) -> FailureOr<Choice> {
    if (operand.allows(from)) return Choice::of(to);
    return op->emitOpError()
           << "takes a tensor that is " << operand.str() << " on mesh axis '"
           << axis << "', not " << from.str();
  };
  auto move = [&](Component from, Component to) -> FailureOr<Choice> {
    if (operand.isAny()) return Choice::any();
    return communicate(from, to);
  };
  return llvm::TypeSwitch<Operation*, FailureOr<Choice>>(op)
      .Case([&](rank::AllReduceOp reduce) {
        return communicate(terms(reduce.getReduction()), copies);
      })
      .Case([&](rank::AllGatherOp gather) {
        return communicate(part(gather.getDim()), copies);
      })
      .Case([&](rank::ReduceScatterOp scatter) {
        return communicate(terms(scatter.getReduction()),
                           part(scatter.getDim()));
      })
      .Case([&](rank::AllToAllOp exchange) {
        return communicate(part(exchange.getGatherDim()),
                           part(exchange.getSplitDim()));
      })
      .Case([&](rank::SliceOp slice) {
        return move(copies, part(slice.getDim()));
      })
      .Case([&](rank::PadOp pad) {
        return move(part(pad.getDim()), terms(pad.getReduction()));
      })
      .Case([&](rank::ToPartialOp partial) {
        return move(copies, terms(partial.getReduction()));
      })
      .Case([&](rank::OffsetOp) -> FailureOr<Choice> {
        return Choice::of(copies);
      })
      .Default([](Operation*) -> FailureOr<Choice> { return Choice::any(); });
}

mlir::OpOperand* countedOperand(Operation* op) {
  if (llvm::isa<nn::CrossEntropyOp, nn::CrossEntropyGradOp>(op))
    return &op->getOpOperand(1);
  auto reduce = llvm::dyn_cast<nn::ReduceOp>(op);
  if ((reduce && reduce.getKind() == nn::ReduceKind::Mean) ||
      llvm::isa<nn::MseOp, nn::BatchVarianceOp, nn::BatchNormGradOp>(op))
    return &op->getOpOperand(0);
  return nullptr;
}

LogicalResult verifyCount(Operation* op, const Lying& operand, const Mesh& mesh,
                          bool isEven, int64_t times) {
  auto type = llvm::cast<RankedTensorType>(countedOperand(op)->get().getType());
  double fewest = 1, most = 1;
  for (int64_t dim : countedDims(op)) {
    int64_t numParts = 1;
    for (auto [axis, meshAxis] : llvm::enumerate(mesh.axes)) {
      if (meshAxis.size == 1) continue;
      std::optional<Component> component = operand.on(axis).only();
      if (!component) return success();
      if (component->isSplitAlong(dim)) numParts *= meshAxis.size;
    }
    // Another rank may have one element more, or less.
    const int64_t extent = type.getDimSize(dim);
    const int64_t spread = isEven ? 0 : numParts - 1;
    fewest *=
        static_cast<double>(std::max<int64_t>(extent * numParts - spread, 0));
    most *= static_cast<double>(extent * numParts + spread);
  }
  const auto divisor = static_cast<double>(divisorOf(op));
  // The mean over a micro-batch is its term of that over all, or its own.
  for (double number : {1.0, static_cast<double>(times)})
    if (divisor >= number * fewest && divisor <= number * most)
      return success();
  mlir::InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "divides by " << divisorOf(op) << ", but the mean is over "
             << static_cast<int64_t>(fewest);
  if (most > fewest) diagnostic << " to " << static_cast<int64_t>(most);
  return diagnostic << " elements on all ranks";
}

}  // namespace sbp
