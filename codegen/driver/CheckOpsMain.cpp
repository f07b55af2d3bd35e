#include <memory>

#include "CLI/CLI.hpp"
#include "codegen/driver/CheckOps.h"
#include "codegen/driver/ModelCommandLine.h"
#include "codegen/plugin/PluginOptions.h"
#include "runtime/options/HelpFormatter.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc check-ops tests by running them whether ops keep what they declare: by which
signatures they may run in parts, what their gradients are, and in which memory their
kernels may write. A promise that is not kept gives wrong numbers, and no error.

  sbpc check-ops --load-dialect-plugin ./mine.so         every op of a plug-in
  sbpc check-ops model.mlir --load-dialect-plugin ./mine.so
                                                         every op of a model, with its
                                                         attributes, and of the plug-in
  sbpc check-ops model.mlir --op nn.softmax --op nn.add  two ops of a model

Each op is drawn at small shapes that its verifier accepts, and run by its own CPU kernel:
whole, and in parts on meshes of 2, 3, 2 x 2 and 2 x 3 ranks by each of its signatures,
with uneven parts, and with random terms of what is partial. Gradients are compared with
finite differences. The first case that is wrong is shown, with its operands. Exit status
is 1 if an op is wrong or cannot be checked.

sbpc runs a few of these cases on each op of a plug-in in every model that it compiles.
)";

}  // namespace

int checkOpsMain(int argc, char** argv, const std::string& version) {
  CheckOpsOptions options;
  CLI::App app(kIntroduction, "sbpc check-ops");
  app.formatter(std::make_shared<options::HelpFormatter>());
  app.set_version_flag("--version", version, "Print the version and exit");
  app.add_option("model", options.modelPath,
                 "A model whose ops are checked; - reads it from standard "
                 "input")
      ->type_name("FILE");
  plugin::addPluginOption(app, options.dialectPlugins);
  app.add_option("--op", options.ops, "Check only ops of this name (all)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--json", options.isJson,
               "Print one JSON object instead of the table");
  if (auto status = parseCommandLine(app, argc, argv)) return *status;
  return failed(checkOps(options)) ? 1 : 0;
}

}  // namespace sbp
