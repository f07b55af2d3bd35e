// The model that a command works on, and how it is compiled.

#ifndef CODEGEN_DRIVER_MODELOPTIONS_H_
#define CODEGEN_DRIVER_MODELOPTIONS_H_

#include <string>
#include <vector>

#include "codegen/driver/Backend.h"
#include "codegen/driver/LoadModel.h"
#include "passes/Pipelines.h"

namespace sbp {

struct ModelOptions {
  ModelSource source;
  /// How the model is cut into stages, differentiated and placed.
  PipelineOptions pipeline;
  /// Shared libraries that bring dialects of their own.
  std::vector<std::string> dialectPlugins;
  /// What kernels are made for.
  BackendOptions backend;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELOPTIONS_H_
