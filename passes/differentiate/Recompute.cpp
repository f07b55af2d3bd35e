#include "passes/differentiate/Recompute.h"

#include "llvm/ADT/BitVector.h"
#include "passes/differentiate/EraseUnused.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

void eraseResults(FuncOp function, const llvm::BitVector& results) {
  function.getBody().front().getTerminator()->eraseOperands(results);
  (void)function.eraseResults(results);
}

}  // namespace

void recompute(Layer& layer, FuncOp recomputation, int64_t numResults) {
  layer.recomputation = recomputation;
  llvm::BitVector saved(recomputation.getNumResults());
  for (const OperandSource& source : layer.backward.front().operandSources)
    if (source.kind == OperandSource::Kind::Results) saved.set(source.index);
  for (OperandSource& source : layer.backward.front().operandSources)
    if (source.kind == OperandSource::Kind::Results)
      source.index = llvm::count_if(saved.set_bits(), [&](int64_t result) {
        return result < source.index;
      });

  llvm::BitVector further(recomputation.getNumResults());
  further.set(numResults, recomputation.getNumResults());
  eraseResults(layer.forward, further);
  eraseResults(recomputation, saved.flip());
  eraseUnused(recomputation.getBody().front());
}

}  // namespace sbp
