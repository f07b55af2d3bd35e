// The model that a command works on, and how it is compiled.

#ifndef CODEGEN_DRIVER_MODELOPTIONS_H_
#define CODEGEN_DRIVER_MODELOPTIONS_H_

#include <string>
#include <vector>

#include "codegen/driver/Backend.h"
#include "codegen/driver/LoadModel.h"
#include "codegen/driver/PipelineWish.h"
#include "passes/Pipelines.h"

namespace sbp {

/// The model, and the options that all commands on models have.
struct ModelOptions {
  ModelSource source;
  /// Options of the passes that cut, differentiate and place the model.
  PipelineOptions pipeline;
  /// When to choose a pipeline, if one is faster.
  PipelineWish wish = PipelineWish::Unsaid;
  /// Shared libraries with further dialects, or with further ways to run ops.
  std::vector<std::string> dialectPlugins;
  /// The device that kernels are made for.
  BackendOptions backend;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELOPTIONS_H_
