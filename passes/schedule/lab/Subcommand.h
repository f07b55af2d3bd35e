// `sbp-lab schedule`: the options, and what they ask for.

#ifndef PASSES_SCHEDULE_LAB_SUBCOMMAND_H_
#define PASSES_SCHEDULE_LAB_SUBCOMMAND_H_

#include "CLI/CLI.hpp"
#include "passes/schedule/lab/Report.h"

namespace sbp::schedule::lab {

/// What the command line is read into.
struct Options {
  Request request;
  bool wantsCsv = false;
};

/// Adds the subcommand to `app`, with a help that lists the families; what the
/// user gives is in `options` once `app` has parsed it.
CLI::App& addSubcommand(CLI::App& app, Options& options);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_SUBCOMMAND_H_
