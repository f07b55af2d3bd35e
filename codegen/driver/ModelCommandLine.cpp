#include "codegen/driver/ModelCommandLine.h"

#include "codegen/driver/CommandLineOptions.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/options/Checks.h"
#include "runtime/plan/Check.h"

namespace sbp {

void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     const std::set<std::string>& without,
                     ModelOptions& options) {
  app.add_option("model", options.source.path, modelHelp)
      ->type_name("FILE")
      ->required();
  app.add_option("-n,--ranks", options.source.numRanks,
                 "Number of ranks; without a machine, on this host (1)")
      ->type_name("N")
      ->check(options::integerFrom(1, plan::kMaxRanks));
  app.add_option("--machine", options.source.machinePath,
                 "A file that defines the machine, see sbpc --help")
      ->type_name("FILE");
  app.add_option("--load-dialect-plugin", options.dialectPlugins,
                 "A shared library that brings dialects of its own, or ways to "
                 "run ops")
      ->type_name("FILE");
  app.add_option("--target", options.backend.kind,
                 "Kernels for what: cpu, or cuda, NVIDIA's GPUs, for which "
                 "kernels can be made, but no programs yet (cpu)")
      ->type_name("KIND")
      ->transform(
          options::oneOf({{"cpu", static_cast<int64_t>(DeviceKind::Cpu)},
                          {"cuda", static_cast<int64_t>(DeviceKind::Gpu)}}));
  CLI::Option* cpu =
      app.add_option("--cpu", options.backend.cpu,
                     "The CPU to generate code for, by LLVM's name, such as "
                     "x86-64-v3; host is this one (host)")
          ->type_name("NAME");
  app.add_option("--gpu", options.backend.gpu,
                 "The GPU to generate code for, with --target cuda: sm_80 "
                 "(A100), sm_90a (H100, H200) or sm_100a (B200) (sm_80)")
      ->type_name("NAME")
      ->excludes(cpu);

  CommandLineOptions passes(app, without);
  declareOptions(options.pipeline, passes);
  CLI::Option* stages = app.get_option("--stages");
  stages->excludes("--mesh")->excludes("--divide-levels");
  app.get_option("--groups")->needs(stages);
}

std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    llvm::errs() << "error: " << options::messageOf(error) << "\n";
    return 1;
  }
  return std::nullopt;
}

}  // namespace sbp
