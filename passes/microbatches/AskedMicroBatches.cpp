#include "passes/microbatches/AskedMicroBatches.h"

#include "dialects/sbp/MicroBatchesMark.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/module/TrainedEntry.h"

namespace sbp {

FailureOr<int64_t> askedMicroBatches(ModuleOp module, int64_t option) {
  mlir::func::FuncOp entry = trainedEntryOf(module);
  const int64_t marked = entry ? markedMicroBatches(entry) : 0;
  if (marked == 0) return option;
  if (option == 0 || option == marked) return marked;
  return entry.emitOpError()
         << "has '" << kMicroBatchesAttrName << "' = " << marked << ", but "
         << option
         << " micro-batches are asked for; leave out the option micro-batches, "
            "or the attribute";
}

}  // namespace sbp
