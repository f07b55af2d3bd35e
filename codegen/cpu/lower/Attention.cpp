// Kernels of attention and of its gradient.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/cpu/lower/AttentionHead.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// The shape and blocking of an op, as the kernels of both ops need them.
struct AttentionSetup {
  template <typename Op>
  AttentionSetup(Op op, const Target& target)
      : shape(op.getQuery(), op.getValue(), op.getCausal(),
              op.getScale().convertToDouble()),
        element(getElementTypeOrSelf(op.getQuery())),
        elementBytes(element.getIntOrFloatBitWidth() / 8),
        blocking(shape, target, elementBytes) {}

  AttentionShape shape;
  Type element;
  int64_t elementBytes;
  AttentionBlocking blocking;
};

/// Finds the matrices of one head in tensors of all heads.
class HeadMatrices {
 public:
  HeadMatrices(KernelBuilder& builder, const AttentionShape& shape, Value head)
      : builder_(builder), shape_(shape), head_(head) {}

  /// Returns a matrix [queries, features], as in the query and its gradient.
  ElementRef likeQuery(ElementRef tensor) {
    return at(tensor, shape_.queries * shape_.features);
  }
  /// Returns a matrix [keys, features], as in the key and its gradient.
  ElementRef likeKey(ElementRef tensor) {
    return at(tensor, shape_.keys * shape_.features);
  }
  /// Returns a matrix [keys, valueFeatures], as in the value and its gradient.
  ElementRef likeValue(ElementRef tensor) {
    return at(tensor, shape_.keys * shape_.valueFeatures);
  }
  /// Returns a matrix [queries, valueFeatures], as in the result and its
  /// gradient.
  ElementRef likeResult(ElementRef tensor) {
    return at(tensor, shape_.queries * shape_.valueFeatures);
  }

 private:
  ElementRef at(ElementRef tensor, int64_t elements) {
    return builder_.at(tensor, builder_.mul(head_, elements));
  }

  KernelBuilder& builder_;
  const AttentionShape& shape_;
  Value head_;
};

/// Allocates parts of a scratch buffer.
class Scratch {
 public:
  Scratch(KernelBuilder& builder, ElementRef bytes, Type element)
      : builder_(builder), bytes_(bytes), element_(element) {}

  ElementRef take(int64_t numElements) {
    ElementRef part = builder_.view(bytes_, offset_, element_, numElements);
    offset_ += numElements * element_.getIntOrFloatBitWidth() / 8;
    return part;
  }

 private:
  KernelBuilder& builder_;
  ElementRef bytes_;
  Type element_;
  int64_t offset_ = 0;
};

class AttentionKernel
    : public CpuKernelOpInterface::ExternalModel<AttentionKernel,
                                                 nn::AttentionOp> {
 public:
  int64_t getCpuScratchBytes(Operation* op, const Target& target) const {
    AttentionSetup setup(cast<nn::AttentionOp>(op), target);
    const AttentionBlocking& blocking = setup.blocking;
    return setup.elementBytes * (blocking.packedElements(setup.shape.features) +
                                 blocking.stripElements() + blocking.blockRows);
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    AttentionSetup setup(cast<nn::AttentionOp>(op), arguments.target);
    const AttentionShape& shape = setup.shape;
    const AttentionBlocking& blocking = setup.blocking;
    Type element = setup.element;
    if (shape.heads * shape.queries * shape.valueFeatures == 0) return;
    if (shape.keys == 0)
      return fill(builder, arguments.results[0],
                  shape.heads * shape.queries * shape.valueFeatures,
                  builder.number(element, 0));
    Scratch scratch(builder, arguments.scratch, element);
    ElementRef keys = scratch.take(blocking.packedElements(shape.features));
    ElementRef strip = scratch.take(blocking.stripElements());
    ElementRef factors = scratch.take(blocking.blockRows);

    Arithmetic x(builder);
    AttentionHead parts(builder, arguments.target, shape, blocking, element);
    parts.clearPadding(keys, shape.features);
    builder.loop(0, shape.heads, 1, [&](Value head) {
      HeadMatrices ofHead(builder, shape, head);
      ElementRef query = ofHead.likeQuery(arguments.operands[0]);
      ElementRef key = ofHead.likeKey(arguments.operands[1]);
      ElementRef value = ofHead.likeValue(arguments.operands[2]);
      ElementRef result = ofHead.likeResult(arguments.results[0]);
      parts.packKeys(key, shape.features, keys);
      parts.forBlocks([&](const QueryBlock& block) {
        ElementRef rows =
            builder.at(query, builder.mul(block.begin, shape.features));
        ElementRef output =
            builder.at(result, builder.mul(block.begin, shape.valueFeatures));
        parts.multiplyByKeys(block, rows, shape.features, keys, strip);
        // The rows of the output are scaled, since they are shorter than the
        // rows of weights.
        parts.exponentiate(block, strip,
                           [&](Value row, ElementRef, Value factor) {
                             builder.store(factor, builder.at(factors, row));
                           });
        parts.multiplyStrip(block, strip, value, shape.valueFeatures, output);
        builder.loop(0, block.rows, 1, [&](Value row) {
          Value factor = builder.load(builder.at(factors, row));
          builder.loop(0, shape.valueFeatures, 1, [&](Value column) {
            ElementRef at = builder.at(
                builder.at(output, builder.mul(row, shape.valueFeatures)),
                column);
            builder.store(x.mul(builder.load(at), factor), at);
          });
        });
      });
    });
  }
};

/// The kernel of the gradient. With P the weights and dO the gradient:
///
///   dV += P^T dO      dP = dO V^T      dS = scale * P * (dP - sum(P * dP))
///   dQ  = dS K        dK += dS^T Q
class AttentionGradKernel
    : public CpuKernelOpInterface::ExternalModel<AttentionGradKernel,
                                                 nn::AttentionGradOp> {
 public:
  int64_t getCpuScratchBytes(Operation* op, const Target& target) const {
    AttentionSetup setup(cast<nn::AttentionGradOp>(op), target);
    const AttentionBlocking& blocking = setup.blocking;
    return setup.elementBytes *
           (blocking.packedElements(setup.shape.features) +
            blocking.packedElements(setup.shape.valueFeatures) +
            2 * blocking.stripElements());
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    AttentionSetup setup(cast<nn::AttentionGradOp>(op), arguments.target);
    const AttentionShape& shape = setup.shape;
    const AttentionBlocking& blocking = setup.blocking;
    Type element = setup.element;
    Value zero = builder.number(element, 0);
    // The results are sums over blocks, or stay zero in rows that no block has.
    fill(builder, arguments.results[0],
         shape.heads * shape.queries * shape.features, zero);
    fill(builder, arguments.results[1],
         shape.heads * shape.keys * shape.features, zero);
    fill(builder, arguments.results[2],
         shape.heads * shape.keys * shape.valueFeatures, zero);
    if (shape.heads * shape.queries * shape.keys == 0) return;

    Scratch scratch(builder, arguments.scratch, element);
    ElementRef keys = scratch.take(blocking.packedElements(shape.features));
    ElementRef values =
        scratch.take(blocking.packedElements(shape.valueFeatures));
    ElementRef weights = scratch.take(blocking.stripElements());
    ElementRef slopes = scratch.take(blocking.stripElements());

    Arithmetic x(builder);
    AttentionHead parts(builder, arguments.target, shape, blocking, element);
    int64_t width = parts.vectorWidth();
    parts.clearPadding(keys, shape.features);
    parts.clearPadding(values, shape.valueFeatures);
    builder.loop(0, shape.heads, 1, [&](Value head) {
      HeadMatrices ofHead(builder, shape, head);
      ElementRef query = ofHead.likeQuery(arguments.operands[0]);
      ElementRef key = ofHead.likeKey(arguments.operands[1]);
      ElementRef value = ofHead.likeValue(arguments.operands[2]);
      ElementRef gradient = ofHead.likeResult(arguments.operands[3]);
      ElementRef queryGradient = ofHead.likeQuery(arguments.results[0]);
      ElementRef keyGradient = ofHead.likeKey(arguments.results[1]);
      ElementRef valueGradient = ofHead.likeValue(arguments.results[2]);
      parts.packKeys(key, shape.features, keys);
      parts.packKeys(value, shape.valueFeatures, values);

      parts.forBlocks([&](const QueryBlock& block) {
        auto ofBlock = [&](ElementRef matrix, int64_t columns) {
          return builder.at(matrix, builder.mul(block.begin, columns));
        };
        ElementRef rows = ofBlock(query, shape.features);
        ElementRef slope = ofBlock(gradient, shape.valueFeatures);
        parts.multiplyByKeys(block, rows, shape.features, keys, weights);
        parts.multiplyByKeys(block, slope, shape.valueFeatures, values, slopes);
        parts.exponentiate(
            block, weights, [&](Value row, ElementRef first, Value factor) {
              Value normal = builder.broadcast(factor, width);
              // Both strips begin at element 0 of their buffers.
              auto slopeAt = [&](ElementRef at) -> ElementRef {
                return {slopes.buffer, at.offset};
              };
              Value sum = parts.sumVectors(block, first, [&](ElementRef at) {
                Value weight = x.mul(builder.loadVector(at, width), normal);
                builder.storeVector(weight, at);
                return x.mul(weight, builder.loadVector(slopeAt(at), width));
              });
              Value mean = builder.broadcast(sum, width);
              Value scale = builder.broadcast(
                  builder.number(element, shape.scale), width);
              parts.forVectors(block, first, [&](ElementRef at) {
                Value difference =
                    x.sub(builder.loadVector(slopeAt(at), width), mean);
                Value weight = builder.loadVector(at, width);
                builder.storeVector(x.mul(x.mul(weight, scale), difference),
                                    slopeAt(at));
              });
            });
        parts.addTransposedProduct(block, weights, slope, shape.valueFeatures,
                                   valueGradient);
        parts.multiplyStrip(block, slopes, key, shape.features,
                            ofBlock(queryGradient, shape.features));
        parts.addTransposedProduct(block, slopes, rows, shape.features,
                                   keyGradient);
      });
    });
  }
};

}  // namespace

void attachAttentionKernels(MLIRContext& context) {
  nn::AttentionOp::attachInterface<AttentionKernel>(context);
  nn::AttentionGradOp::attachInterface<AttentionGradKernel>(context);
}

}  // namespace sbp::cpu
