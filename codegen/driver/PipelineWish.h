// When a pipeline is chosen for a model.

#ifndef CODEGEN_DRIVER_PIPELINEWISH_H_
#define CODEGEN_DRIVER_PIPELINEWISH_H_

namespace sbp {

/// When a pipeline is chosen for a model (ChoosePipeline.h).
enum class PipelineWish {
  Unsaid,  // unless the model, or an option, fixes how the model runs
  Asked,   // likewise, and a remark says what fixes it
  Never,
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PIPELINEWISH_H_
