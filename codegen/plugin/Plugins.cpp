#include "codegen/plugin/Plugins.h"

#include <dlfcn.h>

#include <cstdlib>
#include <tuple>
#include <utility>

#include "codegen/kernels/KernelDialects.h"
#include "codegen/plugin/ReadPluginInfo.h"
#include "dialects/Dialects.h"
#include "dialects/text/People.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

namespace sbp::plugin {
namespace {

std::string faultOf(const std::string& path, const std::string& reason) {
  return "cannot load the dialect plug-in " + path + ": " + reason;
}

/// Returns the class of a dialect, as the address of its virtual functions.
/// TypeIDs may be equal for classes of one name in two libraries; these
/// addresses are not.
const void* classOf(const mlir::Dialect& dialect) {
  return *reinterpret_cast<const void* const*>(&dialect);
}

/// Returns the class of the dialect `name` of `registry`, or null if it has
/// none.
const void* classOf(const mlir::DialectRegistry& registry,
                    llvm::StringRef name) {
  mlir::DialectAllocatorFunctionRef allocate =
      registry.getDialectAllocator(name);
  if (!allocate) return nullptr;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return classOf(*allocate(&context));
}

/// Whether `registry` has extensions of dialects.
bool hasExtensions(const mlir::DialectRegistry& registry) {
  mlir::DialectRegistry dialects;
  for (llvm::StringRef name : registry.getDialectNames())
    if (!dialects.getDialectAllocator(name)) dialects.insertDynamic(name, {});
  return !registry.isSubsetOf(dialects);
}

/// Runs the callback of the plug-in `path`. If the callback registers two
/// dialects of one name, which is a fatal error of MLIR, prints an error and
/// ends the process.
void runCallback(const mlir::DialectPluginLibraryInfo& info,
                 const std::string& path, mlir::DialectRegistry& brought) {
  llvm::ScopedFatalErrorHandler handler(
      [](void* path, const char* reason, bool) {
        peopleErr() << "error: "
                    << faultOf(*static_cast<const std::string*>(path), reason)
                    << "\n";
        std::exit(1);
      },
      const_cast<std::string*>(&path));
  info.registerDialectRegistryCallbacks(&brought);
}

/// Has the tool say, if it crashes, that the bug may be in the plug-in `path`.
void noteForCrashes(const std::string& path) {
  static std::string message;  // LLVM keeps a pointer to it
  message = std::string(llvm::getBugReportMsg()) +
            "It has loaded the plug-in " + path +
            ", in which the bug may be instead, or in\nthe kernels that it "
            "builds.\n";
  llvm::setBugReportMsg(message.c_str());
}

}  // namespace

Plugins::Plugins(std::string tool, mlir::DialectRegistry& registry)
    : tool_(std::move(tool)), registry_(registry) {}

void Plugins::findOwnDialects() {
  mlir::DialectRegistry own;
  registry_.appendTo(own);
  registerDialects(own);
  registerKernelDialects(own);
  toolsOwn_.emplace(own, mlir::MLIRContext::Threading::DISABLED);
  toolsOwn_->loadAllAvailableDialects();
}

llvm::Error Plugins::load(const std::string& path) {
  auto fault = [&](const std::string& reason) {
    return llvm::createStringError(faultOf(path, reason));
  };
  llvm::Expected<PluginInfo> info = readPluginInfo(path);
  if (!info) return fault(llvm::toString(info.takeError()));

  // The dynamic loader looks for a name without a slash in the system's folders
  // of libraries only. RTLD_LOCAL keeps the symbols of plug-ins apart, so that
  // two of them may have classes of one name.
  const bool isPath = llvm::sys::path::has_parent_path(path);
  void* library =
      dlopen((isPath ? path : "./" + path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return fault(dlerror());
  if (llvm::is_contained(
          llvm::map_range(loaded_, [](const Loaded& l) { return l.library; }),
          library))
    return llvm::Error::success();
  auto getInfo = reinterpret_cast<decltype(&mlirGetDialectPluginInfo)>(
      dlsym(library, "mlirGetDialectPluginInfo"));
  if (!getInfo) return fault("it does not define mlirGetDialectPluginInfo");
  const mlir::DialectPluginLibraryInfo callback = getInfo();
  if (!callback.registerDialectRegistryCallbacks)
    return fault("its callback, which registers dialects, is null");

  noteForCrashes(path);
  mlir::DialectRegistry brought;
  runCallback(callback, path, brought);
  auto dialects = newDialects(brought);
  if (!dialects) return fault(llvm::toString(dialects.takeError()));
  brought.appendTo(registry_);
  loaded_.push_back({library,
                     path,
                     {info->name, info->version},
                     std::move(brought),
                     std::move(*dialects)});
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> Plugins::newDialects(
    const mlir::DialectRegistry& brought) {
  if (!toolsOwn_) findOwnDialects();
  std::vector<std::string> names;
  for (llvm::StringRef name : brought.getDialectNames()) {
    const void* theClass = classOf(brought, name);
    const mlir::Dialect* own = toolsOwn_->getLoadedDialect(name);
    if (own && classOf(*own) != theClass)
      return llvm::createStringError("it has a dialect '" + name.str() +
                                     "', which is the name of one of " + tool_ +
                                     "'s own");
    for (const Loaded& other : loaded_) {
      const void* otherClass = classOf(other.brought, name);
      if (otherClass && otherClass != theClass)
        return llvm::createStringError("it has a dialect '" + name.str() +
                                       "', and so has " + other.path);
    }
    if (!own) names.push_back(name.str());
  }
  return names;
}

std::vector<std::string> Plugins::dialects() const {
  std::vector<std::string> all;
  for (const Loaded& loaded : loaded_)
    all.insert(all.end(), loaded.dialects.begin(), loaded.dialects.end());
  return all;
}

std::vector<plan::Plugin> Plugins::usedIn(mlir::MLIRContext& context) const {
  std::vector<plan::Plugin> used;
  for (const Loaded& each : loaded_) {
    const bool isUsed = llvm::any_of(each.dialects, [&](llvm::StringRef name) {
      return context.getLoadedDialect(name) != nullptr;
    });
    if (isUsed || hasExtensions(each.brought)) used.push_back(each.plugin);
  }
  llvm::sort(used, [](const plan::Plugin& a, const plan::Plugin& b) {
    return std::tie(a.name, a.version) < std::tie(b.name, b.version);
  });
  return used;
}

}  // namespace sbp::plugin
