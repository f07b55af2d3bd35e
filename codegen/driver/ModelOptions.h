// The part of a command line that all commands on models have in common.

#ifndef CODEGEN_DRIVER_MODELOPTIONS_H_
#define CODEGEN_DRIVER_MODELOPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "codegen/driver/Backend.h"
#include "codegen/driver/CutModel.h"
#include "codegen/driver/LoadModel.h"
#include "passes/Pipelines.h"

namespace sbp {

/// Adds the options that say which model is read (`modelHelp` says in which
/// forms), where it is to be placed, and for what kernels are made.
void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     ModelSource& source, PipelineOptions& pipeline,
                     std::vector<std::string>& dialectPlugins,
                     BackendOptions& backend);

/// Adds the options that say how the model is cut into stages, and in which
/// order these run; behind those of addModelOptions.
void addStageOptions(CLI::App& app, PipelineOptions& pipeline,
                     StageNumbers& numbers);

/// Reads the command line. If the command ends here, its exit status: 0 when
/// help or the version was asked for, 1 after an error message.
std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELOPTIONS_H_
