// Embedding, which looks up rows of a table, and its gradient, which adds to
// them.

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

/// Returns for each index its row in a part of the table, which has `numRows`
/// rows, from row `firstRow` of the whole table on. Returns -1 for a row of
/// another part.
std::vector<int64_t> rowsOf(const Tensor& indices, int64_t firstRow,
                            int64_t numRows) {
  std::vector<int64_t> rows;
  for (int64_t index : indices.integers()) {
    // Compared before subtracting, which could wrap around.
    bool isHere = index >= firstRow && index - firstRow < numRows;
    rows.push_back(isHere ? index - firstRow : -1);
  }
  return rows;
}

template <typename LookupOp>
int64_t firstRowOf(LookupOp op, ArrayRef<Tensor> operands) {
  return op.getFirstRow() ? operands[2].integers()[0] : 0;
}

Tensor evaluateEmbedding(nn::EmbeddingOp op, ArrayRef<Tensor> operands) {
  const Tensor& table = operands[0];
  int64_t width = table.shape()[1];
  std::vector<int64_t> sources;
  for (int64_t row :
       rowsOf(operands[1], firstRowOf(op, operands), table.shape()[0]))
    for (int64_t column = 0; column < width; ++column)
      sources.push_back(row < 0 ? Tensor::kNoSource : row * width + column);
  return table.gathered(resultType(op).getShape(), sources);
}

Tensor evaluateEmbeddingGrad(nn::EmbeddingGradOp op,
                             ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  int64_t width = type.getDimSize(1);
  ArrayRef<double> gradient = operands[1].floats();
  std::vector<double> table(type.getNumElements(), 0);
  std::vector<int64_t> rows =
      rowsOf(operands[0], firstRowOf(op, operands), type.getDimSize(0));
  for (auto [position, row] : llvm::enumerate(rows))
    for (int64_t column = 0; row >= 0 && column < width; ++column)
      table[row * width + column] += gradient[position * width + column];
  return Tensor(type, std::move(table));
}

}  // namespace

void addLookupEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::EmbeddingOp>(evaluateEmbedding);
  evaluators.add<nn::EmbeddingGradOp>(evaluateEmbeddingGrad);
}

}  // namespace sbp::interpreter
