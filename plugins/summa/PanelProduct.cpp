#include "plugins/summa/PanelProduct.h"

#include <numeric>

#include "dialects/rank/Rank.h"

namespace sbp::summa {
namespace {

/// Greatest number of panels. More panels need less memory, but more messages
/// and more code.
constexpr int64_t kMaxPanels = 8;

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

/// Returns `value` reshaped: `extents` replace its `numDims` dimensions from
/// `dim` on.
Value reshaped(OpBuilder& builder, Location location, Value value, int64_t dim,
               int64_t numDims, ArrayRef<int64_t> extents) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  SmallVector<int64_t> result(shape.take_front(dim));
  result.append(extents.begin(), extents.end());
  llvm::append_range(result, shape.drop_front(dim + numDims));
  return nn::ReshapeOp::create(
      builder, location,
      RankedTensorType::get(result, typeOf(value).getElementType()), value);
}

/// Returns elements `begin` to `begin + size` of `value` along `dim`.
Value sliced(OpBuilder& builder, Location location, Value value, int64_t dim,
             int64_t begin, int64_t size) {
  SmallVector<int64_t> sizes(typeOf(value).getShape());
  SmallVector<int64_t> offsets(sizes.size(), 0);
  offsets[dim] = begin;
  sizes[dim] = size;
  return nn::SliceOp::create(builder, location, value, offsets, sizes);
}

RankedTensorType withExtent(RankedTensorType type, int64_t dim,
                            int64_t extent) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns the largest divisor of `number` that is at most `most`.
int64_t largestDivisor(int64_t number, int64_t most) {
  while (number % most != 0) --most;
  return most;
}

/// Returns the tensor with loops `loops`, before any axis splits it.
PanelTensor panelTensorOf(const TensorLoops& loops, int64_t panelLoop) {
  PanelTensor tensor;
  const auto* dim = llvm::find(loops, panelLoop);
  if (dim != loops.end()) tensor.dim = dim - loops.begin();
  return tensor;
}

}  // namespace

int64_t panelLoopOf(const LoopNest& nest, const Signature& signature) {
  int64_t panelLoop = kNoLoop;
  auto look = [&](ArrayRef<Component> components, const auto& tensors) {
    for (auto [component, loops] : llvm::zip(components, tensors))
      if (component.isSplit() && loops[component.dim()] != signature.loop)
        panelLoop = loops[component.dim()];
  };
  look(signature.operands, nest.operands);
  look(signature.results, nest.results);
  return panelLoop;
}

std::optional<PanelProduct> PanelProduct::of(
    const LoopNest& nest, const Mesh& mesh,
    ArrayRef<const Signature*> perAxis) {
  int64_t panelLoop = kNoLoop;
  for (const Signature* signature : perAxis) {
    if (!signature->communicates) continue;
    int64_t loop = panelLoopOf(nest, *signature);
    if (panelLoop != kNoLoop && loop != panelLoop) return std::nullopt;
    panelLoop = loop;
  }
  // Every device runs all panels, so no axis may split the panel loop itself.
  for (const Signature* signature : perAxis)
    if (signature->loop == panelLoop) return std::nullopt;

  PanelProduct product;
  product.mesh_ = &mesh;
  product.extent_ = nest.loops[panelLoop].extent;
  for (const TensorLoops& loops : nest.operands)
    product.operands_.push_back(panelTensorOf(loops, panelLoop));
  product.result_ = panelTensorOf(nest.results.front(), panelLoop);
  int64_t largestGroup = 1;
  auto addAxis = [&](PanelTensor& tensor, Component component, size_t axis) {
    if (tensor.dim == kNoLoop || !component.isSplitAlong(tensor.dim)) return;
    tensor.axes.push_back(axis);
    tensor.parts *= mesh.axes[axis].size;
  };
  for (auto [axis, signature] : llvm::enumerate(perAxis)) {
    for (auto [tensor, component] :
         llvm::zip(product.operands_, signature->operands))
      addAxis(tensor, component, axis);
    addAxis(product.result_, signature->results.front(), axis);
  }
  auto addGroup = [&](const PanelTensor& tensor) {
    product.numChunks_ = std::lcm(product.numChunks_, tensor.parts);
    largestGroup = std::max(largestGroup, tensor.parts);
  };
  for (const PanelTensor& tensor : product.operands_) addGroup(tensor);
  addGroup(product.result_);
  if (product.extent_ == 0 || product.extent_ % product.numChunks_ != 0)
    return std::nullopt;
  product.numPanels_ = largestDivisor(product.extent_ / product.numChunks_,
                                      std::min(largestGroup, kMaxPanels));
  return product;
}

Value PanelProduct::build(OpBuilder& builder, nn::EinsumOp op,
                          ValueRange operands) const {
  Location location = op.getLoc();
  SmallVector<Value> panels;
  Value sum;
  for (int64_t panel = 0; panel < numPanels_; ++panel) {
    SmallVector<Value, 2> factors;
    for (auto [operand, tensor] : llvm::zip(operands, operands_))
      factors.push_back(panelOf(builder, location, operand, tensor, panel));
    Value product = nn::EinsumOp::create(builder, location, op.getEquation(),
                                         factors[0], factors[1]);
    if (result_.dim == kNoLoop) {
      sum = sum ? nn::AddOp::create(builder, location, sum, product).getResult()
                : product;
      continue;
    }
    if (!result_.axes.empty())
      product = rank::ReduceScatterOp::create(
          builder, location,
          withExtent(typeOf(product), result_.dim,
                     numChunks_ / result_.parts * width()),
          rank::Reduction::Sum, product, result_.dim,
          rank::namesOf(result_.axes, *mesh_, builder));
    panels.push_back(product);
  }
  return sum ? sum : joined(builder, location, panels, result_);
}

/// Builds panel `panel` of `value`, gathered from all devices that have a share
/// of it.
Value PanelProduct::panelOf(OpBuilder& builder, Location location, Value value,
                            const PanelTensor& tensor, int64_t panel) const {
  if (tensor.dim == kNoLoop) return value;
  int64_t dim = tensor.dim;
  int64_t chunks = numChunks_ / tensor.parts;
  if (chunks == 1) {
    value = sliced(builder, location, value, dim, panel * width(), width());
  } else if (numPanels_ > 1) {
    value = reshaped(builder, location, value, dim, 1,
                     {chunks, numPanels_, width()});
    value = sliced(builder, location, value, dim + 1, panel, 1);
    value = reshaped(builder, location, value, dim, 3, {chunks * width()});
  }
  if (tensor.axes.empty()) return value;
  return rank::AllGatherOp::create(
      builder, location, withExtent(typeOf(value), dim, numChunks_ * width()),
      value, dim, rank::namesOf(tensor.axes, *mesh_, builder));
}

/// Builds the concatenation of the panels of `tensor`, in the order of its
/// elements.
Value PanelProduct::joined(OpBuilder& builder, Location location,
                           ArrayRef<Value> panels,
                           const PanelTensor& tensor) const {
  if (panels.size() == 1) return panels.front();
  int64_t dim = tensor.dim;
  int64_t chunks = numChunks_ / tensor.parts;
  if (chunks == 1) return nn::ConcatOp::create(builder, location, panels, dim);
  SmallVector<Value> slices;
  for (Value panel : panels)
    slices.push_back(
        reshaped(builder, location, panel, dim, 1, {chunks, 1, width()}));
  Value whole = nn::ConcatOp::create(builder, location, slices, dim + 1);
  return reshaped(builder, location, whole, dim, 3,
                  {chunks * numPanels_ * width()});
}

}  // namespace sbp::summa
