// Contractions, reductions, normalisations, table lookups and losses.

#include <algorithm>
#include <cmath>
#include <string>

#include "dialects/nn/Nn.h"
#include "test/properties/steps/Steps.h"

namespace sbp::properties {
namespace {

// ---- Contractions -----------------------------------------------------------

/// Adds an einsum. Each letter of the left operand is of one of three kinds: it
/// is summed over; it is in both operands and in the result; or it is in the
/// left operand and in the result only. The right operand has further letters.
void addEinsum(FunctionWriter& f) {
  Choices& choices = f.choices();
  Value x = f.floats();
  std::string lhs, rhs, result;
  Shape rhsShape;
  double terms = 1;
  auto add = [&](char letter, int64_t extent, bool inRhs, bool inResult) {
    if (inRhs) {
      rhs.push_back(letter);
      rhsShape.push_back(extent);
    }
    if (inResult) result.push_back(letter);
  };
  int64_t points = numElements(shapeOf(x));
  for (auto [dim, extent] : llvm::enumerate(shapeOf(x))) {
    char letter = static_cast<char>('a' + dim);
    lhs.push_back(letter);
    switch (choices.weighted({40, 25, 35})) {
      case 0:
        add(letter, extent, /*inRhs=*/true, /*inResult=*/false);
        terms *= static_cast<double>(extent);
        break;
      case 1:
        add(letter, extent, /*inRhs=*/true, /*inResult=*/true);
        break;
      default:
        add(letter, extent, /*inRhs=*/false, /*inResult=*/true);
    }
  }
  for (char letter = 'm'; choices.chance(60); ++letter) {
    int64_t extent = f.extent();
    if (rhs.size() == 4 || result.size() == 4 ||
        points * extent > 2 * FunctionWriter::kMaxElements)
      break;
    points *= extent;
    add(letter, extent, /*inRhs=*/true, /*inResult=*/true);
  }
  if (rhs.size() > 1 && choices.chance(50)) {
    std::reverse(rhs.begin(), rhs.end());
    std::reverse(rhsShape.begin(), rhsShape.end());
  }
  choices.shuffle(result);

  Value y = f.floatLeaf(rhsShape);
  if (choices.chance(50)) {
    std::swap(x, y);
    std::swap(lhs, rhs);
  }
  Value product = f.make<nn::EinsumOp>(lhs + "," + rhs + "->" + result, x, y);
  f.keep(product, terms * f.boundOf(x) * f.boundOf(y));
}

void addAttention(FunctionWriter& f) {
  Value query = f.floats(/*minRank=*/2);
  Shape shape(shapeOf(query));
  int64_t rows = shape[shape.size() - 2];
  int64_t features = shape.back();
  bool isCausal = f.choices().chance(60);
  // Every row of causal attention has a column.
  int64_t columns = isCausal ? rows + f.choices().below(3) : f.extent();
  shape[shape.size() - 2] = columns;
  if (numElements(shape) > FunctionWriter::kMaxElements) return;
  Value key = f.floatLeaf(shape);
  shape.back() = f.choices().chance(50) ? features : f.extent();
  if (numElements(shape) > FunctionWriter::kMaxElements) return;
  Value value = f.floatLeaf(shape);
  double scale = 1 / (1 + f.boundOf(query));
  f.keep(f.make<nn::AttentionOp>(isCausal, query, key, value,
                                 llvm::APFloat(scale)),
         f.boundOf(value));
}

// ---- Along dimensions -------------------------------------------------------

void addReduce(FunctionWriter& f) {
  Value x = f.choices().chance(15) ? f.integers() : f.floats();
  SmallVector<int64_t> dims;
  double terms = 1;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(x)))
    if (f.choices().chance(50)) {
      dims.push_back(static_cast<int64_t>(dim));
      terms *= static_cast<double>(extent);
    }
  using nn::ReduceKind;
  constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Max,
                                   ReduceKind::Min, ReduceKind::Mean};
  ReduceKind kind =
      f.choices().pick(ArrayRef(kKinds).drop_back(isFloat(x) ? 0 : 1));
  Value result =
      f.make<nn::ReduceOp>(kind, x, dims, /*keep=*/f.choices().chance(50),
                           /*count=*/mlir::IntegerAttr());
  f.keep(result, (kind == ReduceKind::Sum ? terms : 1) * f.boundOf(x));
}

void addSoftmax(FunctionWriter& f) {
  Value x = f.floats(/*minRank=*/1);
  f.keep(f.make<nn::SoftmaxOp>(x, f.choices().below(rankOf(x))), 1);
}

void addLogSoftmax(FunctionWriter& f) {
  Value x = f.floats(/*minRank=*/1);
  f.keep(f.make<nn::LogSoftmaxOp>(x, f.choices().below(rankOf(x))),
         2 * f.boundOf(x) + 3);
}

llvm::APFloat epsilon(FunctionWriter& f) {
  return llvm::APFloat(f.choices().chance(50) ? 1e-5 : 0.01);
}

void addLayerNorm(FunctionWriter& f) {
  Value x = f.floats(/*minRank=*/1);
  int64_t extent = shapeOf(x).back();
  Value gamma = f.floatLeaf({extent});
  Value beta = f.floatLeaf({extent});
  f.keep(f.make<nn::LayerNormOp>(x, gamma, beta, epsilon(f)),
         std::sqrt(extent) * f.boundOf(gamma) + f.boundOf(beta));
}

void addRmsNorm(FunctionWriter& f) {
  Value x = f.floats(/*minRank=*/1);
  int64_t extent = shapeOf(x).back();
  Value gamma = f.floatLeaf({extent});
  f.keep(f.make<nn::RmsNormOp>(x, gamma, epsilon(f)),
         std::sqrt(extent) * f.boundOf(gamma));
}

// ---- Lookups and losses -----------------------------------------------------

void addEmbedding(FunctionWriter& f) {
  Value table = f.floats(/*minRank=*/2, /*maxRank=*/2);
  int64_t rows = shapeOf(table).front();
  int64_t features = shapeOf(table).back();
  // Some indices are outside of the table.
  Value indices = f.choices().chance(60)
                      ? f.indices(f.shape(0, 3), rows + f.choices().below(2))
                      : f.integers(0, 3);
  if (numElements(shapeOf(indices)) * features > FunctionWriter::kMaxElements)
    return;
  f.keep(f.make<nn::EmbeddingOp>(table, indices, /*first_row=*/Value()),
         f.boundOf(table));
}

void addCrossEntropy(FunctionWriter& f) {
  Value x = f.floats(/*minRank=*/1);
  Value labels = f.indices(shapeOf(x).drop_back(), shapeOf(x).back());
  f.keep(f.make<nn::CrossEntropyOp>(x, labels, /*count=*/mlir::IntegerAttr()),
         2 * f.boundOf(x) + 3);
}

void addMse(FunctionWriter& f) {
  Value x = f.floats();
  Value y = f.floatLeaf(shapeOf(x));
  f.keep(f.make<nn::MseOp>(x, y, /*count=*/mlir::IntegerAttr()),
         std::pow(f.boundOf(x) + f.boundOf(y), 2));
}

}  // namespace

std::vector<FunctionStep> tensorSteps() {
  // Contractions are the most frequent, as they are the most complex.
  return {addEinsum,  addEinsum,    addEinsum,    addAttention,    addAttention,
          addReduce,  addReduce,    addSoftmax,   addLogSoftmax,   addLayerNorm,
          addRmsNorm, addEmbedding, addEmbedding, addCrossEntropy, addMse};
}

}  // namespace sbp::properties
