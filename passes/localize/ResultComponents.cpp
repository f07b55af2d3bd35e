#include "passes/localize/ResultComponents.h"

#include <algorithm>

#include "dialects/nn/IndexOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sbp {
namespace {

// ---- Signatures -------------------------------------------------------------

/// Whether `op` cuts or joins its operands in ways that local types do not
/// show: a reshape does not show which dimensions of the whole tensor it
/// merges, and an op that communicates slices parts into panels.
bool regroups(Operation* op) {
  return llvm::isa<nn::ReshapeOp, nn::SliceOp, nn::PadOp, nn::ConcatOp,
                   nn::PartOp>(op);
}

/// Whether the loops of the local `op` may differ from those of the whole op.
/// An extent of one may stand for a dimension of one element, or for one
/// element of a larger dimension.
bool hasLoopsOfItsOwn(Operation* op) {
  if (!llvm::isa<nn::NnDialect>(op->getDialect())) return true;
  auto types =
      llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes());
  return llvm::any_of(types, [](Type type) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    return !tensor || llvm::any_of(tensor.getShape(),
                                   [](int64_t extent) { return extent <= 1; });
  });
}

/// Whether the windows of `op` matter, whose borders a local part does not
/// show.
bool hasWindows(Operation* op) {
  return llvm::isa<nn::ConvolutionOp, nn::ConvolutionInputGradOp,
                   nn::ConvolutionFilterGradOp, nn::PoolOp, nn::PoolGradOp>(op);
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

/// Returns the signature that agrees with the most of `operands`.
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
    Operation* op, StringRef axis, ArrayRef<ComponentSet> operands) {
  SmallVector<ComponentSet> unknown(op->getNumResults(), ComponentSet::any());
  auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
  if (!distributed || llvm::any_of(operands, [](const ComponentSet& choice) {
        return choice.isAny();
      }))
    return unknown;
  const bool hasOffset = llvm::any_of(op->getOperands(), isOffset);
  if (hasOffset && !takesOffset(op)) return unknown;
  if (regroups(op)) {
    const bool areCopies =
        llvm::all_of(operands, [](const ComponentSet& choice) {
          return choice.only() == Component::broadcast();
        });
    if (!areCopies) return unknown;
    return SmallVector<ComponentSet>(op->getNumResults(),
                                     ComponentSet::of(Component::broadcast()));
  }
  if (hasLoopsOfItsOwn(op)) return unknown;

  auto signatures = signaturesOf(distributed.getLoopNest());
  SmallVector<ComponentSet> results(op->getNumResults(), ComponentSet::none());
  for (const Signature& signature : signatures)
    if (allows(operands, signature.operands))
      for (auto [result, component] : llvm::zip(results, signature.results))
        result = result.with(component);
  if (results.empty() || !results.front().isNone()) return results;
  if (hasWindows(op)) return unknown;
  return refuse(op, axis, operands, signatures);
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
  // A collective fails if its operand cannot have the component that it
  // expects; a local step then gives an unknown result.
  auto communicate = [&](Component from,
                         Component to) -> FailureOr<ComponentSet> {
    if (operand.allows(from)) return ComponentSet::of(to);
    return op->emitOpError()
           << "takes a tensor that is " << operand.str() << " on mesh axis '"
           << axis << "', not " << from.str();
  };
  auto move = [&](Component from, Component to) -> FailureOr<ComponentSet> {
    return operand.only() == from ? ComponentSet::of(to) : ComponentSet::any();
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
    // Parts on other ranks may have one element more or less.
    const int64_t extent = type.getDimSize(dim);
    const int64_t spread = isEven ? 0 : numParts - 1;
    fewest *=
        static_cast<double>(std::max<int64_t>(extent * numParts - spread, 0));
    most *= static_cast<double>(extent * numParts + spread);
  }
  const auto divisor = static_cast<double>(divisorOf(op));
  // Within a micro-batch the divisor may be the count of all micro-batches, if
  // the mean is a term of theirs, or of this micro-batch alone.
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
