#include "passes/localize/ResultComponents.h"

#include <algorithm>

#include "dialects/nn/IndexOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace sbp {
namespace {

// ---- Signatures -------------------------------------------------------------

/// Whether `op` cuts or joins dimensions in a way that local shapes do not
/// show. For example, the local shapes of a reshape do not show which
/// dimensions of the whole tensor are merged.
bool regroups(Operation* op) {
  return llvm::isa<nn::ReshapeOp, nn::SliceOp, nn::PadOp, nn::ConcatOp,
                   nn::PartOp>(op);
}

/// Returns the splits that a tensor may have after a reshape from shape
/// `operand` to shape `result`, if dimension `dim` of `operand` is split.
/// Dimension `dim` becomes several dimensions, the first of which is split.
/// That dimension may have one local element, so several dimensions may be the
/// first.
ComponentSet splitAfterReshape(ArrayRef<int64_t> operand, int64_t dim,
                               ArrayRef<int64_t> result) {
  int64_t before = 1;
  for (int64_t extent : operand.take_front(dim)) before *= extent;
  ComponentSet choice = ComponentSet::none();
  int64_t elements = 1;
  for (auto [after, extent] : llvm::enumerate(result)) {
    if (elements == before)
      choice = choice.with(Component::split(static_cast<int64_t>(after)));
    elements *= extent;
  }
  return choice.isNone() ? ComponentSet::any() : choice;
}

/// Returns the components that the result of `op` may have if dimension `dim`
/// of its operands is split. `op` must be one that regroups().
ComponentSet splitAfter(Operation* op, int64_t dim) {
  auto shapeOf = [](Value value) {
    return llvm::cast<RankedTensorType>(value.getType()).getShape();
  };
  ArrayRef<int64_t> to = shapeOf(op->getResult(0));
  if (auto part = llvm::dyn_cast<nn::PartOp>(op)) {
    const auto taken = static_cast<int64_t>(part.getDim());
    if (dim == taken) return ComponentSet::any();
    return ComponentSet::of(Component::split(dim < taken ? dim : dim - 1));
  }
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
  if (llvm::isa<nn::ReshapeOp>(op)) return splitAfterReshape(from, dim, to);
  // Slices, pads and concatenations change the extents of the dimensions that
  // they cut or join.
  return from[dim] == to[dim] ? ComponentSet::of(Component::split(dim))
                              : ComponentSet::any();
}

/// Returns the components that the result of `op` may have if its operands have
/// `operands`. `op` must be one that regroups(). Broadcast and Partial
/// components stay. A Split component follows its dimension, if the shapes show
/// where the dimension goes.
ComponentSet componentsAfterRegrouping(Operation* op,
                                       ArrayRef<ComponentSet> operands) {
  // The first operand, the index of the part, is the same on all ranks.
  if (llvm::isa<nn::PartOp>(op)) operands = operands.drop_front();
  ComponentSet result = ComponentSet::none();
  for (Component component : operands.front().components()) {
    if (!llvm::all_of(operands, [&](const ComponentSet& choice) {
          return choice.allows(component);
        }))
      continue;
    // The zeros of a padding are not neutral in every reduction.
    const bool isKnown = !component.isPartial() || !llvm::isa<nn::PadOp>(op);
    ComponentSet after = !isKnown              ? ComponentSet::any()
                         : component.isSplit() ? splitAfter(op, component.dim())
                                               : ComponentSet::of(component);
    if (after.isAny()) return after;
    result = result.with(after);
  }
  return result.isNone() ? ComponentSet::any() : result;
}

/// Whether `op` has windows. A local part does not show the borders of windows.
bool hasWindows(Operation* op) {
  return llvm::isa<nn::ConvolutionOp, nn::ConvolutionInputGradOp,
                   nn::ConvolutionFilterGradOp, nn::PoolOp, nn::PoolGradOp>(op);
}

/// Whether the shapes of the operands of `op` determine those of its results.
bool determineResults(Operation* op) {
  return op->getNumOperands() > 0 && !hasWindows(op) &&
         (llvm::isa<mlir::InferTypeOpInterface, nn::CastOp>(op) ||
          op->hasTrait<mlir::OpTrait::SameOperandsAndResultType>());
}

/// Whether the loops of the local `op` may differ from those of the whole op.
/// They may if a dimension of one local element may be split according to
/// `operands`: the whole op has a loop over that dimension.
bool hasLoopsOfItsOwn(Operation* op, ArrayRef<InferredPlacement> operands) {
  if (!llvm::isa<nn::NnDialect>(op->getDialect())) return true;
  auto isShort = [](int64_t extent) { return extent <= 1; };
  auto hasShort = [&](Type type) {
    return llvm::any_of(llvm::cast<RankedTensorType>(type).getShape(), isShort);
  };
  // Whether a window of one element has a loop depends on the whole tensor.
  if (hasWindows(op) && (llvm::any_of(op->getOperandTypes(), hasShort) ||
                         llvm::any_of(op->getResultTypes(), hasShort)))
    return true;
  for (auto [operand, placement] : llvm::zip(op->getOperands(), operands)) {
    auto type = llvm::cast<RankedTensorType>(operand.getType());
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (isShort(extent) &&
          llvm::any_of(placement.axes, [&,
                                        dim = dim](const ComponentSet& choice) {
            return choice.allows(Component::split(static_cast<int64_t>(dim)));
          }))
        return true;
  }
  if (determineResults(op)) return false;
  return llvm::any_of(op->getResultTypes(), hasShort);
}

/// Whether `operand` is the offset of this rank's part.
bool isOffset(Value operand) {
  return operand.getDefiningOp<rank::OffsetOp>() != nullptr;
}
bool takesOffset(Operation* op) {
  return llvm::isa<nn::IotaOp, nn::EmbeddingOp, nn::EmbeddingGradOp>(op);
}

bool allows(ArrayRef<ComponentSet> choices, ArrayRef<Component> components) {
  return llvm::all_of(llvm::zip(choices, components), [](auto pair) {
    return std::get<0>(pair).allows(std::get<1>(pair));
  });
}

/// Returns the signature that agrees with the largest number of `operands`.
const Signature& nearest(ArrayRef<Signature> signatures,
                         ArrayRef<ComponentSet> operands) {
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

LogicalResult refuse(Operation* op, StringRef axis,
                     ArrayRef<ComponentSet> operands,
                     ArrayRef<Signature> signatures) {
  mlir::InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic << "takes operands that are (";
  llvm::interleaveComma(operands, diagnostic, [&](const ComponentSet& choice) {
    diagnostic << choice.str();
  });
  return diagnostic << ") on mesh axis '" << axis
                    << "', which none of its signatures has; the nearest is "
                    << nearest(signatures, operands).str();
}

// ---- Counts -----------------------------------------------------------------

/// Returns the dimensions of the counted operand over which the mean is taken.
SmallVector<int64_t> countedDims(Operation* op) {
  const int64_t rank =
      llvm::cast<RankedTensorType>(countedOperand(op)->get().getType())
          .getRank();
  if (auto reduce = llvm::dyn_cast<nn::ReduceOp>(op))
    return llvm::to_vector(reduce.getDims());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  // Batch statistics are taken over all dimensions but the channels.
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

FailureOr<SmallVector<ComponentSet>> componentsOfResults(
    Operation* op, size_t axis, StringRef axisName,
    ArrayRef<InferredPlacement> operandPlacements) {
  auto operands = llvm::map_to_vector(
      operandPlacements,
      [&](const InferredPlacement& operand) { return operand.on(axis); });
  SmallVector<ComponentSet> unknown(op->getNumResults(), ComponentSet::any());
  // All ranks repeat a function equally often, so the number of the repetition
  // is the same on all ranks.
  if (llvm::isa<nn::RepetitionOp>(op))
    return SmallVector<ComponentSet>{ComponentSet::of(Component::broadcast())};
  auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
  if (!distributed || llvm::any_of(operands, [](const ComponentSet& choice) {
        return choice.isAny();
      }))
    return unknown;
  const bool hasOffset = llvm::any_of(op->getOperands(), isOffset);
  if (hasOffset && !takesOffset(op)) return unknown;
  if (regroups(op))
    return SmallVector<ComponentSet>(op->getNumResults(),
                                     componentsAfterRegrouping(op, operands));
  if (hasLoopsOfItsOwn(op, operandPlacements)) return unknown;

  auto signatures = signaturesOf(distributed.getLoopNest());
  SmallVector<ComponentSet> results(op->getNumResults(), ComponentSet::none());
  for (const Signature& signature : signatures)
    if (allows(operands, signature.operands))
      for (auto [result, component] : llvm::zip(results, signature.results))
        result = result.with(component);
  if (results.empty() || !results.front().isNone()) return results;
  if (hasWindows(op)) return unknown;
  return refuse(op, axisName, operands, signatures);
}

FailureOr<ComponentSet> componentsAfter(Operation* op, StringRef axis,
                                        const ComponentSet& operand) {
  const Component copies = Component::broadcast();
  auto terms = [](rank::Reduction reduction) {
    return Component::partial(static_cast<Reduction>(reduction));
  };
  auto part = [](uint64_t dim) {
    return Component::split(static_cast<int64_t>(dim));
  };
  // Both fail if the operand cannot have the component `from`. If nothing is
  // known about the operand, communicate() assumes that it has this component,
  // and move() knows nothing about the result.
  auto communicate = [&](Component from,
                         Component to) -> FailureOr<ComponentSet> {
    if (operand.allows(from)) return ComponentSet::of(to);
    return op->emitOpError()
           << "takes a tensor that is " << operand.str() << " on mesh axis '"
           << axis << "', not " << from.str();
  };
  auto move = [&](Component from, Component to) -> FailureOr<ComponentSet> {
    if (operand.isAny()) return ComponentSet::any();
    return communicate(from, to);
  };
  return llvm::TypeSwitch<Operation*, FailureOr<ComponentSet>>(op)
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
      .Case([&](rank::OffsetOp) -> FailureOr<ComponentSet> {
        return ComponentSet::of(copies);
      })
      .Default([](Operation*) -> FailureOr<ComponentSet> {
        return ComponentSet::any();
      });
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

LogicalResult verifyCount(Operation* op, const InferredPlacement& operand,
                          const Mesh& mesh, bool isEven, int64_t times) {
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
    // Parts on other ranks may have one element more or less, if they are
    // uneven.
    const int64_t extent = type.getDimSize(dim);
    const int64_t spread = isEven ? 0 : numParts - 1;
    fewest *=
        static_cast<double>(std::max<int64_t>(extent * numParts - spread, 0));
    most *= static_cast<double>(extent * numParts + spread);
  }
  const auto divisor = static_cast<double>(divisorOf(op));
  // In a function for a micro-batch, a mean may be over this micro-batch alone,
  // or be a term of the mean over all micro-batches.
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
