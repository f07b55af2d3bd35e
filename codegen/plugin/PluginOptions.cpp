#include "codegen/plugin/PluginOptions.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "dialects/text/People.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp::plugin {
namespace {

constexpr char kName[] = "load-dialect-plugin";
constexpr char kText[] =
    "Shared library with further dialects, or with further ways to run ops";

}  // namespace

CLI::Option* addPluginOption(CLI::App& app, std::vector<std::string>& paths) {
  return app
      .add_option(std::string("--") + kName, paths,
                  std::string(kText) + ". May be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

bool loadPlugins(const std::vector<std::string>& paths, Plugins& plugins) {
  for (const std::string& path : paths)
    if (llvm::Error error = plugins.load(path)) {
      peopleErr() << "error: " << llvm::toString(std::move(error)) << "\n";
      return false;
    }
  return true;
}

void readPluginOption(Plugins& plugins) {
  using Files = llvm::cl::list<std::string>;
  // The driver of mlir-opt has declared the option itself.
  auto* option =
      static_cast<Files*>(llvm::cl::getRegisteredOptions().lookup(kName));
  static std::unique_ptr<Files> declared;
  if (!option) {
    declared = std::make_unique<Files>(kName);
    option = declared.get();
  }
  option->setDescription(kText);
  option->setValueStr("FILE");
  option->setCallback([&plugins](const std::string& path) {
    if (!loadPlugins({path}, plugins)) std::exit(1);
  });
}

}  // namespace sbp::plugin
