// The part of a command line that all commands on models have in common.

#ifndef CODEGEN_DRIVER_MODELCOMMANDLINE_H_
#define CODEGEN_DRIVER_MODELCOMMANDLINE_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "CLI/CLI.hpp"
#include "codegen/driver/ModelOptions.h"

namespace sbp {

/// Adds to `app` the option -n that sets `numRanks`. `help` is its help text.
void addRanksOption(CLI::App& app, const std::string& help, int64_t& numRanks);

/// Adds to `app` the option --target that sets `kind`.
void addTargetOption(CLI::App& app, DeviceKind& kind);

/// Adds to `app` the options that set `options`: the model (`modelHelp` is the
/// help text), the machine and the number of ranks, plug-ins, the options of
/// passes except those named in `without`, and the device that kernels are made
/// for. `options` must outlive the parsing.
void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     const std::set<std::string>& without,
                     ModelOptions& options);

/// Reads the command line. Returns nullopt if the command must continue, else
/// its exit status: 0 after help or the version, 1 after an error message.
std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELCOMMANDLINE_H_
