// What makes a shared library a plug-in of the tools. One source of a plug-in
// includes this file, and has the macro outside of all namespaces:
//
//   SBP_DIALECT_PLUGIN("mine", "1.0", [](mlir::DialectRegistry* registry) {
//     registry->insert<mine::MineDialect>();
//   })
//
// The arguments are:
// - The name and the version of the plug-in, string literals of at most 63
//   bytes. sbpc writes them into the programs that it makes with the plug-in.
// - A function or a lambda that registers dialects, or extensions of dialects
//   that attach interfaces to ops.

#ifndef CODEGEN_PLUGIN_PLUGIN_H_
#define CODEGEN_PLUGIN_PLUGIN_H_

#include "codegen/plugin/HeadersHash.h"
#include "codegen/plugin/PluginInfo.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

/// Defines the two symbols that the tools look for in a plug-in: a PluginInfo,
/// and the function of MLIR that returns the callback. The callback is the last
/// argument of the macro; it may be a lambda that contains commas.
#define SBP_DIALECT_PLUGIN(name, version, ...)                                \
  static_assert(sizeof(name) > 1, "a plug-in has a name");                    \
  extern "C" __attribute__((visibility("default"), used, retain,              \
                            section(SBP_PLUGIN_SECTION)))                     \
  const ::sbp::plugin::PluginInfo sbpPluginInfo = {                           \
      ::sbp::plugin::kPluginInfoVersion, ::sbp::plugin::kHeadersHash,         \
      LLVM_VERSION_STRING, name, version};                                    \
  extern "C"                                                                  \
      __attribute__((visibility("default"))) ::mlir::DialectPluginLibraryInfo \
      mlirGetDialectPluginInfo() {                                            \
    return {MLIR_PLUGIN_API_VERSION, name, version, __VA_ARGS__};             \
  }

#endif  // CODEGEN_PLUGIN_PLUGIN_H_
