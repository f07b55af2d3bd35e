// Reads the description of a plug-in from its file, without running its code.

#ifndef CODEGEN_PLUGIN_READPLUGININFO_H_
#define CODEGEN_PLUGIN_READPLUGININFO_H_

#include <string>

#include "codegen/plugin/PluginInfo.h"
#include "llvm/Support/Error.h"

namespace sbp::plugin {

/// Returns the PluginInfo of the file `path`. Fails if
/// - the file cannot be read, or is no shared library for x86-64;
/// - it has no PluginInfo, because it was not made by SBP_DIALECT_PLUGIN;
/// - its PluginInfo has another layout;
/// - the plug-in was built with other headers, or for another LLVM, than this
///   tool.
llvm::Expected<PluginInfo> readPluginInfo(const std::string& path);

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_READPLUGININFO_H_
