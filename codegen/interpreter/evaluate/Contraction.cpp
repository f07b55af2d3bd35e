// Contractions: einsum, and attention, which is two products around a softmax.

#include <cmath>
#include <limits>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Walk.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

Tensor evaluateEinsum(nn::EinsumOp op, ArrayRef<Tensor> operands) {
  nn::EinsumLetters letters = op.getLetters();
  RankedTensorType type = resultType(op);

  // The index space has one index per letter, those of the result first.
  std::string order = letters.result.str();
  for (char letter : letters.lhs)
    if (!StringRef(order).contains(letter)) order.push_back(letter);

  auto stridesOf = [&](StringRef part, ArrayRef<int64_t> shape) {
    Strides own = rowMajorStrides(shape);
    Strides strides;
    for (char letter : order) {
      size_t dim = part.find(letter);
      strides.push_back(dim == StringRef::npos ? 0 : own[dim]);
    }
    return strides;
  };
  SmallVector<int64_t> extents;
  for (char letter : order) {
    size_t dim = letters.lhs.find(letter);
    extents.push_back(dim != StringRef::npos
                          ? operands[0].shape()[dim]
                          : operands[1].shape()[letters.rhs.find(letter)]);
  }

  ArrayRef<double> lhs = operands[0].floats();
  ArrayRef<double> rhs = operands[1].floats();
  std::vector<double> result(type.getNumElements(), 0);
  std::array strides = {stridesOf(letters.lhs, operands[0].shape()),
                        stridesOf(letters.rhs, operands[1].shape()),
                        stridesOf(letters.result, type.getShape())};
  walk(extents, strides,
       [&](auto at) { result[at[2]] += lhs[at[0]] * rhs[at[1]]; });
  return Tensor(type, std::move(result));
}

// ---- Attention --------------------------------------------------------------

/// Extents of query [..., T, D], key [..., S, D] and value [..., S, E]. The
/// leading dimensions count as one: numHeads.
struct AttentionShape {
  int64_t numHeads, numRows, numColumns, numFeatures, numValues;

  AttentionShape(const Tensor& query, const Tensor& value) {
    numRows = query.shape().drop_back().back();
    numColumns = value.shape().drop_back().back();
    numFeatures = query.shape().back();
    numValues = value.shape().back();
    numHeads = 1;
    for (int64_t extent : query.shape().drop_back(2)) numHeads *= extent;
  }
};

/// Returns softmax(scale * q k^T) of row `row` of head `head`, over the columns
/// that the row may attend to; the other columns have weight 0.
template <typename AttentionLikeOp>
std::vector<double> attentionWeights(AttentionLikeOp op,
                                     const AttentionShape& shape,
                                     ArrayRef<double> query,
                                     ArrayRef<double> key, int64_t head,
                                     int64_t row) {
  double scale = op.getScale().convertToDouble();
  int64_t numSeen = shape.numColumns;
  if (op.getCausal())
    numSeen = std::clamp<int64_t>(row + 1 + shape.numColumns - shape.numRows, 0,
                                  shape.numColumns);
  std::vector<double> weights(shape.numColumns, 0);
  double highest = -std::numeric_limits<double>::infinity();
  for (int64_t column = 0; column < numSeen; ++column) {
    double dot = 0;
    for (int64_t feature = 0; feature < shape.numFeatures; ++feature)
      dot +=
          query[(head * shape.numRows + row) * shape.numFeatures + feature] *
          key[(head * shape.numColumns + column) * shape.numFeatures + feature];
    weights[column] = scale * dot;
    highest = std::max(highest, weights[column]);
  }
  double sum = 0;
  for (int64_t column = 0; column < numSeen; ++column) {
    weights[column] = std::exp(weights[column] - highest);
    sum += weights[column];
  }
  for (double& weight : weights) weight = numSeen > 0 ? weight / sum : 0;
  return weights;
}

Tensor evaluateAttention(nn::AttentionOp op, ArrayRef<Tensor> operands) {
  AttentionShape shape(operands[0], operands[2]);
  ArrayRef<double> value = operands[2].floats();
  std::vector<double> result(resultType(op).getNumElements(), 0);
  for (int64_t head = 0; head < shape.numHeads; ++head)
    for (int64_t row = 0; row < shape.numRows; ++row) {
      std::vector<double> weights = attentionWeights(
          op, shape, operands[0].floats(), operands[1].floats(), head, row);
      for (int64_t column = 0; column < shape.numColumns; ++column)
        for (int64_t feature = 0; feature < shape.numValues; ++feature)
          result[(head * shape.numRows + row) * shape.numValues + feature] +=
              weights[column] *
              value[(head * shape.numColumns + column) * shape.numValues +
                    feature];
    }
  return Tensor(resultType(op), std::move(result));
}

// With weights p = softmax(s) and g the gradient of the result, per row:
//
//   dv_c += p_c * g
//   dp_c  = g . v_c
//   ds_c  = p_c * (dp_c - sum p . dp)
//   dq   += scale * ds_c * k_c
//   dk_c += scale * ds_c * q
FailureOr<Results> evaluateAttentionGrad(nn::AttentionGradOp op,
                                         ArrayRef<Tensor> operands) {
  AttentionShape shape(operands[0], operands[2]);
  double scale = op.getScale().convertToDouble();
  ArrayRef<double> query = operands[0].floats();
  ArrayRef<double> key = operands[1].floats();
  ArrayRef<double> value = operands[2].floats();
  ArrayRef<double> gradient = operands[3].floats();
  std::vector<double> queryGradient(query.size(), 0);
  std::vector<double> keyGradient(key.size(), 0);
  std::vector<double> valueGradient(value.size(), 0);

  for (int64_t head = 0; head < shape.numHeads; ++head)
    for (int64_t row = 0; row < shape.numRows; ++row) {
      std::vector<double> weights =
          attentionWeights(op, shape, query, key, head, row);
      int64_t queryRow = (head * shape.numRows + row) * shape.numFeatures;
      int64_t gradientRow = (head * shape.numRows + row) * shape.numValues;
      int64_t keyHead = head * shape.numColumns * shape.numFeatures;
      int64_t valueHead = head * shape.numColumns * shape.numValues;

      std::vector<double> weightGradient(shape.numColumns, 0);
      double mean = 0;
      for (int64_t column = 0; column < shape.numColumns; ++column) {
        int64_t valueRow = valueHead + column * shape.numValues;
        for (int64_t feature = 0; feature < shape.numValues; ++feature) {
          double g = gradient[gradientRow + feature];
          weightGradient[column] += g * value[valueRow + feature];
          valueGradient[valueRow + feature] += weights[column] * g;
        }
        mean += weights[column] * weightGradient[column];
      }
      for (int64_t column = 0; column < shape.numColumns; ++column) {
        double score =
            scale * weights[column] * (weightGradient[column] - mean);
        int64_t keyRow = keyHead + column * shape.numFeatures;
        for (int64_t feature = 0; feature < shape.numFeatures; ++feature) {
          queryGradient[queryRow + feature] += score * key[keyRow + feature];
          keyGradient[keyRow + feature] += score * query[queryRow + feature];
        }
      }
    }
  return Results{Tensor(resultType(op, 0), std::move(queryGradient)),
                 Tensor(resultType(op, 1), std::move(keyGradient)),
                 Tensor(resultType(op, 2), std::move(valueGradient))};
}

}  // namespace

void addContractionEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::EinsumOp>(evaluateEinsum);
  evaluators.add<nn::AttentionOp>(evaluateAttention);
  evaluators.add<nn::AttentionGradOp>(evaluateAttentionGrad);
}

}  // namespace sbp::interpreter
