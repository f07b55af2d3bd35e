// A plug-in with which images may be split along spatial dimensions:
// convolution, pooling, and their gradients exchange the borders of the parts.
//
//   sbpc cnn.mlir -n 4 --load-dialect-plugin halo.so
//
// A window near the border of a part needs some rows beyond it, the halo. With
// four devices, a window of extent 3 and a padding of 1:
//
//   inputs    | 0  1  2  3 | 4  5  6  7 | 8 ...        each device has 4 rows
//                        [----*----]                   output 4 needs 3, 4, 5
//   device 1            3  4  5  6  7  8               4 rows, a halo of 1 + 1
//
// Instead of the whole image, a device receives two rows. The parts of inputs
// and outputs begin at the same fraction of their extents I and O: device d of
// p has the inputs from d/p I on, and the outputs from d/p O on. With stride s,
// I = s O, so the halo has the same size on all devices. Beyond the ends of the
// image the halo is padding.
//
// In the op for the gradient of the inputs, the gradients of the outputs have a
// halo: the outputs outside of the part whose windows overlap the part's
// inputs.

#include <algorithm>

#include "codegen/plugin/Plugin.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/Window.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/DistributedOp.h"

namespace sbp::halo {
namespace {

using nn::Window;

/// The first spatial dimension of a tensor [samples, channels, space...].
constexpr int64_t kSpace = 2;

/// The positions along the spatial dimensions of a tensor: those of the inputs,
/// those of the outputs, or none (a filter has the extents of the window).
enum class Space { None, Inputs, Outputs };

/// The spatial positions of the operands and the result of an op.
struct Tensors {
  SmallVector<Space, 2> operands;
  Space result;
};
Tensors tensorsOf(nn::ConvolutionOp) {
  return {{Space::Inputs, Space::None}, Space::Outputs};
}
Tensors tensorsOf(nn::ConvolutionInputGradOp) {
  return {{Space::None, Space::Outputs}, Space::Inputs};
}
Tensors tensorsOf(nn::ConvolutionFilterGradOp) {
  return {{Space::Inputs, Space::Outputs}, Space::None};
}
Tensors tensorsOf(nn::PoolOp) { return {{Space::Inputs}, Space::Outputs}; }
Tensors tensorsOf(nn::PoolGradOp) {
  return {{Space::Inputs, Space::Outputs}, Space::Inputs};
}

/// Returns the reduction whose neutral element is the padding of the inputs.
template <typename WindowOp>
rank::Reduction paddingOf(WindowOp) {
  return rank::Reduction::Sum;
}
template <typename PoolLikeOp>
rank::Reduction paddingOfPool(PoolLikeOp op) {
  switch (op.getKind()) {
    case nn::ReduceKind::Max:
      return rank::Reduction::Max;
    case nn::ReduceKind::Min:
      return rank::Reduction::Min;
    default:
      return rank::Reduction::Sum;
  }
}
rank::Reduction paddingOf(nn::PoolOp op) { return paddingOfPool(op); }
rank::Reduction paddingOf(nn::PoolGradOp op) { return paddingOfPool(op); }

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Number of elements that a device needs before (`low`) and after (`high`) its
/// part of a dimension.
struct Halo {
  int64_t low = 0, high = 0;
};

/// Returns the halo of the inputs that a device needs for the outputs of its
/// part and of the halo `outputs` around the part.
Halo inputHalo(const Window& window, Halo outputs) {
  return {window.low + outputs.low * window.stride,
          std::max<int64_t>(0, window.span() - window.stride - window.low +
                                   outputs.high * window.stride)};
}

/// Returns the halo of the outputs whose windows contain inputs of a part.
Halo outputHalo(const Window& window) {
  return {std::max<int64_t>(0, window.span() - 1 - window.low) / window.stride,
          ceilDiv(window.low, window.stride)};
}

/// A spatial dimension that is split, with the mesh axes that split it.
struct SplitDim {
  int64_t dim;  // index of the dimension in the tensors
  SmallVector<int64_t, 3> axes;
};

/// The shard of the local op. Loops over dimensions with a halo count as not
/// split, because the op treats its part, with the halo, as a whole tensor.
class WholeInSpace : public Shard {
 public:
  WholeInSpace(Shard& shard, ArrayRef<int64_t> loops)
      : shard_(shard), loops_(loops) {}

  bool isSplit(int64_t loop) override {
    return !llvm::is_contained(loops_, loop) && shard_.isSplit(loop);
  }
  Value beginOf(int64_t loop) override { return shard_.beginOf(loop); }

 private:
  Shard& shard_;
  SmallVector<int64_t, 3> loops_;
};

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Returns `type` with `halo` added to the extent of `dim`.
RankedTensorType widened(RankedTensorType type, int64_t dim, Halo halo) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] += halo.low + halo.high;
  return RankedTensorType::get(shape, type.getElementType());
}

/// The interface of an op with windows that exchanges halos.
template <typename WindowOp>
class HaloOp : public CommunicatingOpInterface::ExternalModel<HaloOp<WindowOp>,
                                                              WindowOp> {
 public:
  SmallVector<Signature> getCommunicatingSignatures(
      Operation* op, const LoopNest& nest) const {
    auto windowOp = llvm::cast<WindowOp>(op);
    Tensors tensors = tensorsOf(windowOp);
    SmallVector<Signature> signatures;
    // An op with `first` is in a local program, and already has its part.
    if (!windowOp.getFirst().empty()) return signatures;
    for (int64_t dim = kSpace; dim < rankOf(op); ++dim) {
      Signature& signature = signatures.emplace_back();
      signature.loop = loopOf(nest, tensors, dim);
      for (Space space : tensors.operands)
        signature.operands.push_back(space == Space::None
                                         ? Component::broadcast()
                                         : Component::split(dim));
      signature.results = {tensors.result == Space::None
                               ? Component::partial(Reduction::Sum)
                               : Component::split(dim)};
    }
    return signatures;
  }

  bool canCombine(Operation* op, const LoopNest& nest, const Mesh& mesh,
                  ArrayRef<const Signature*> perAxis) const {
    auto windowOp = llvm::cast<WindowOp>(op);
    for (const SplitDim& split : splitDims(windowOp, nest, mesh, perAxis)) {
      int64_t loop = loopOf(nest, tensorsOf(windowOp), split.dim);
      int64_t parts = 1;
      for (auto [axis, signature] : llvm::enumerate(perAxis)) {
        if (signature->loop != loop) continue;
        if (!signature->communicates) return false;
        parts *= mesh.axes[axis].size;
      }
      auto [inputs, outputs] = extentsOf(windowOp, split.dim);
      const Window window = windowOp.getWindows()[split.dim - kSpace];
      bool beginTogether = inputs == window.stride * outputs &&
                           (window.stride == 1 || outputs % parts == 0);
      if (!beginTogether || window.low >= window.span() || parts > outputs)
        return false;
    }
    return true;
  }

  SmallVector<Value> buildCommunicating(Operation* op, const LoopNest& nest,
                                        const Mesh& mesh,
                                        ArrayRef<const Signature*> perAxis,
                                        OpBuilder& builder, ValueRange operands,
                                        TypeRange results, Shard& shard) const {
    auto windowOp = llvm::cast<WindowOp>(op);
    Tensors tensors = tensorsOf(windowOp);
    SmallVector<Value> local(operands);
    auto result = llvm::cast<RankedTensorType>(results.front());
    SmallVector<int64_t> low, high;
    for (const Window& window : windowOp.getWindows()) {
      low.push_back(window.low);
      high.push_back(window.high);
    }
    SmallVector<int64_t> loops;
    SmallVector<int64_t> begins(result.getRank(), 0);
    for (const SplitDim& split : splitDims(windowOp, nest, mesh, perAxis)) {
      loops.push_back(loopOf(nest, tensors, split.dim));
      int64_t space = split.dim - kSpace;
      const Window window = windowOp.getWindows()[space];
      bool isInputGradient = tensors.result == Space::Inputs;
      Halo outputs = isInputGradient ? outputHalo(window) : Halo();
      Halo inputs = inputHalo(window, outputs);
      for (auto [value, kind] : llvm::zip(local, tensors.operands))
        value = exchanged(builder, op, value, kind, split, mesh,
                          kind == Space::Inputs ? inputs : outputs);
      low[space] = high[space] = 0;
      if (!isInputGradient) continue;
      if (llvm::is_contained(tensors.operands, Space::Inputs)) {
        // The op also computes gradients of the inputs in the halo. They are
        // incomplete, and are cut off. The neighbouring device computes the
        // complete ones.
        begins[split.dim] = inputs.low;
        result = widened(result, split.dim, inputs);
        continue;
      }
      low[space] = inputs.low;
      int64_t numOutputs = typeOf(local.back()).getDimSize(split.dim);
      high[space] = std::max<int64_t>(
          0, (numOutputs - 1) * window.stride + window.span() -
                 result.getDimSize(split.dim) - inputs.low);
    }
    WholeInSpace wholeInSpace(shard, loops);
    auto built =
        llvm::cast<WindowOp>(llvm::cast<DistributedOpInterface>(op).buildLocal(
            builder, local, TypeRange(Type(result)), wholeInSpace));
    built.setLow(low);
    built.setHigh(high);
    if (result == results.front()) return {built.getResult()};
    return {nn::SliceOp::create(
        builder, op->getLoc(), built.getResult(), begins,
        llvm::cast<RankedTensorType>(results.front()).getShape())};
  }

 private:
  static int64_t rankOf(Operation* op) {
    return typeOf(op->getOperand(0)).getRank();
  }

  /// Returns the loop over the outputs along `dim`.
  static int64_t loopOf(const LoopNest& nest, const Tensors& tensors,
                        int64_t dim) {
    if (tensors.result == Space::Outputs) return nest.results.front()[dim];
    const auto* outputs = llvm::find(tensors.operands, Space::Outputs);
    return nest.operands[outputs - tensors.operands.begin()][dim];
  }

  /// Returns the extents of the whole inputs and of the whole outputs along
  /// `dim`.
  static std::pair<int64_t, int64_t> extentsOf(WindowOp op, int64_t dim) {
    Tensors tensors = tensorsOf(op);
    std::pair<int64_t, int64_t> extents;
    auto note = [&](Value value, Space space) {
      if (space == Space::Inputs)
        extents.first = typeOf(value).getDimSize(dim);
      else if (space == Space::Outputs)
        extents.second = typeOf(value).getDimSize(dim);
    };
    for (auto [value, space] : llvm::zip(op->getOperands(), tensors.operands))
      note(value, space);
    note(op.getResult(), tensors.result);
    return extents;
  }

  /// Returns the spatial dimensions that communicating signatures split.
  static SmallVector<SplitDim, 2> splitDims(
      WindowOp op, const LoopNest& nest, const Mesh& mesh,
      ArrayRef<const Signature*> perAxis) {
    SmallVector<SplitDim, 2> dims;
    for (int64_t dim = kSpace; dim < rankOf(op); ++dim) {
      SplitDim split = {dim, {}};
      for (auto [axis, signature] : llvm::enumerate(perAxis))
        if (signature->communicates && mesh.axes[axis].size > 1 &&
            signature->loop == loopOf(nest, tensorsOf(op), dim))
          split.axes.push_back(axis);
      if (!split.axes.empty()) dims.push_back(split);
    }
    return dims;
  }

  /// Builds the exchange of the halo of `value`, an operand of `op`, and
  /// returns `value` with the halo. `space` are the positions along the spatial
  /// dimensions of `value`.
  static Value exchanged(OpBuilder& builder, Operation* op, Value value,
                         Space space, const SplitDim& split, const Mesh& mesh,
                         Halo halo) {
    if (space == Space::None || (halo.low == 0 && halo.high == 0)) return value;
    auto windowOp = llvm::cast<WindowOp>(op);
    auto [inputs, outputs] = extentsOf(windowOp, split.dim);
    return rank::HaloExchangeOp::create(
        builder, op->getLoc(), widened(typeOf(value), split.dim, halo),
        space == Space::Inputs ? paddingOf(windowOp) : rank::Reduction::Sum,
        value, split.dim, space == Space::Inputs ? inputs : outputs, halo.low,
        halo.high, rank::namesOf(split.axes, mesh, builder));
  }
};

template <typename... WindowOps>
void attachTo(MLIRContext* context) {
  (WindowOps::template attachInterface<HaloOp<WindowOps>>(*context), ...);
}

void registerHalo(mlir::DialectRegistry* registry) {
  registry->addExtension(+[](MLIRContext* context, nn::NnDialect*) {
    attachTo<nn::ConvolutionOp, nn::ConvolutionInputGradOp,
             nn::ConvolutionFilterGradOp, nn::PoolOp, nn::PoolGradOp>(context);
  });
}

}  // namespace
}  // namespace sbp::halo

SBP_DIALECT_PLUGIN("halo", "1", sbp::halo::registerHalo)
