// `sbp-lab gpt`: its options on the command line.

#ifndef TOOLS_LAB_GPTCOMMAND_H_
#define TOOLS_LAB_GPTCOMMAND_H_

#include "CLI/CLI.hpp"
#include "tools/lab/GptSearch.h"

namespace sbp::search::lab {

/// Adds the subcommand to `app` and returns it. When `app` parses a command
/// line, the values are stored in `settings`, which must live until then.
CLI::App& addGptCommand(CLI::App& app, GptSearch& settings);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_GPTCOMMAND_H_
