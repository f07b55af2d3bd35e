// The options that all commands on models have in common.

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

/// Adds the options for the model (`modelHelp` says in which forms it is read),
/// its machine, its placement, and the device that kernels are made for.
void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     ModelSource& source, PipelineOptions& pipeline,
                     std::vector<std::string>& dialectPlugins,
                     BackendOptions& backend);

/// Adds the options that cut the model into stages and choose their schedule;
/// call it after addModelOptions.
void addStageOptions(CLI::App& app, PipelineOptions& pipeline,
                     StageNumbers& numbers);

/// Parses the command line. Returns the exit status if the command ends here: 0
/// after help or the version was printed, 1 after an error message.
std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELOPTIONS_H_
