// The description of a plug-in, in a section of its file. A tool reads it from
// the file, before the plug-in is loaded: code that was built with other
// headers may not even start.

#ifndef CODEGEN_PLUGIN_PLUGININFO_H_
#define CODEGEN_PLUGIN_PLUGININFO_H_

#include <cstdint>

namespace sbp::plugin {

/// The section of a plug-in's file that holds its PluginInfo.
#define SBP_PLUGIN_SECTION ".sbp_plugin"

/// The version of the layout of PluginInfo. Each layout has its own number.
inline constexpr uint32_t kPluginInfoVersion = 1;

/// Name and version of a plug-in, and what it was built with. The texts end
/// with a zero byte.
struct PluginInfo {
  uint32_t infoVersion;  // kPluginInfoVersion; the first field of any layout
  uint64_t headersHash;  // kHeadersHash of this project's headers
  char llvmVersion[32];  // LLVM_VERSION_STRING of LLVM's headers
  char name[64];
  char version[64];
};

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_PLUGININFO_H_
