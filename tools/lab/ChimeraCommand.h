// `sbp-lab chimera`: its options on the command line, and its answer.

#ifndef TOOLS_LAB_CHIMERACOMMAND_H_
#define TOOLS_LAB_CHIMERACOMMAND_H_

#include <string>

#include "CLI/CLI.hpp"
#include "passes/schedule/lab/ChimeraChoice.h"
#include "tools/lab/Experiments.h"

namespace sbp::search::lab {

/// Adds the subcommand to `app` and returns it. When `app` parses a command
/// line, the values are stored in `settings`, which must live until then.
CLI::App& addChimeraCommand(CLI::App& app,
                            schedule::lab::ChimeraSettings& settings);

/// Returns the configurations as JSON. If there is none, sets `error` to one
/// line.
Json chimeraChoice(const schedule::lab::ChimeraSettings& settings,
                   std::string& error);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_CHIMERACOMMAND_H_
