// The option --load-dialect-plugin of all tools.

#ifndef CODEGEN_PLUGIN_PLUGINOPTIONS_H_
#define CODEGEN_PLUGIN_PLUGINOPTIONS_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "codegen/plugin/Plugins.h"

namespace sbp::plugin {

/// Adds the option to `app`. Each occurrence appends one file to `paths`, which
/// must outlive the parsing.
CLI::Option* addPluginOption(CLI::App& app, std::vector<std::string>& paths);

/// Loads the files `paths`. Returns false after an error message on standard
/// error if one of them cannot be loaded.
bool loadPlugins(const std::vector<std::string>& paths, Plugins& plugins);

/// Adds the option to a tool whose command line LLVM parses. The parser loads
/// each file into `plugins`. If a file cannot be loaded, the parser prints an
/// error and ends the process. `plugins` must outlive the parsing.
void readPluginOption(Plugins& plugins);

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_PLUGINOPTIONS_H_
