#include "codegen/driver/CutModel.h"

#include "passes/stages/ChooseStages.h"

namespace sbp {

LogicalResult cutModel(ModuleOp module, const StageNumbers& numbers,
                       const PipelineOptions& options) {
  if (numbers.stages == 0) return success();
  StageQuestion question;
  question.numStages = numbers.stages;
  question.numGroups = numbers.groups > 0 ? numbers.groups : numbers.stages;
  question.microBatches = options.microBatches;
  question.reduceIn = options.reduceIn;
  question.schedule = options.schedule;
  question.memoryBytes = options.memoryBytes;
  question.searchSeconds = options.searchSeconds;
  question.searchMemoryBytes = options.searchMemoryBytes;
  return chooseStages(module, question);
}

}  // namespace sbp
