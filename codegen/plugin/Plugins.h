// The plug-ins of a tool: shared libraries with dialects, or with interfaces
// that they attach to ops.

#ifndef CODEGEN_PLUGIN_PLUGINS_H_
#define CODEGEN_PLUGIN_PLUGINS_H_

#include <optional>
#include <string>
#include <vector>

#include "llvm/Support/Error.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "runtime/plan/Plan.h"

namespace sbp::plugin {

/// Loads plug-ins into a registry, and remembers them.
class Plugins {
 public:
  /// Plug-ins are loaded into `registry`, which already has the dialects of the
  /// tool `tool` and must outlive this object.
  Plugins(std::string tool, mlir::DialectRegistry& registry);

  /// Registers the dialects and extensions of the shared library `path`; does
  /// nothing if it is loaded already. The error contains `path` and the reason:
  /// - it is not a plug-in for this tool (ReadPluginInfo.h);
  /// - it needs a symbol that this tool does not have;
  /// - its description has no callback that registers dialects;
  /// - one of its dialects has the name of another dialect: of the tool, or of
  ///   a plug-in that is loaded.
  llvm::Error load(const std::string& path);

  /// Returns the names of the dialects that the plug-ins have brought.
  std::vector<std::string> dialects() const;

  /// Returns the plug-ins that may affect what is made in `context`, sorted by
  /// name and version. These are the plug-ins with a dialect that is loaded in
  /// `context`, and the plug-ins that extend other dialects than their own.
  std::vector<plan::Plugin> usedIn(mlir::MLIRContext& context) const;

 private:
  /// A plug-in that is loaded.
  struct Loaded {
    void* library;  // handle of the dynamic loader
    std::string path;
    plan::Plugin plugin;
    mlir::DialectRegistry brought;
    std::vector<std::string> dialects;  // names of its own dialects
  };

  /// Loads the dialects of the tools, those of kernels included, into
  /// `toolsOwn_`. All tools load the same dialects here, so that a plug-in is
  /// either accepted or refused by all of them.
  void findOwnDialects();

  /// Fails if `brought` has a dialect with the name of another one. Returns the
  /// names of the dialects of `brought` that the tool does not have.
  llvm::Expected<std::vector<std::string>> newDialects(
      const mlir::DialectRegistry& brought);

  std::string tool_;
  mlir::DialectRegistry& registry_;
  std::optional<mlir::MLIRContext> toolsOwn_;  // from the first plug-in on
  std::vector<Loaded> loaded_;
};

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_PLUGINS_H_
