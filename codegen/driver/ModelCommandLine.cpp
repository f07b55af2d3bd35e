#include "codegen/driver/ModelCommandLine.h"

#include "codegen/driver/CommandLineOptions.h"
#include "codegen/plugin/PluginOptions.h"
#include "dialects/text/People.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
#include "runtime/plan/Check.h"

namespace sbp {
namespace {

constexpr char kMachine[] = "Machine";

}  // namespace

void addRanksOption(CLI::App& app, const std::string& help, int64_t& numRanks) {
  app.add_option("-n,--ranks", numRanks, help)
      ->type_name("N")
      ->group(kMachine)
      ->check(options::integerFrom(1, plan::kMaxRanks));
}

void addTargetOption(CLI::App& app, DeviceKind& kind) {
  app.add_option(
         "--target", kind,
         "Kind of processor for which the program is made: cpu, or cuda "
         "for NVIDIA's GPUs (cpu)")
      ->type_name("KIND")
      ->group(kMachine)
      ->transform(
          options::oneOf({{"cpu", static_cast<int64_t>(DeviceKind::Cpu)},
                          {"cuda", static_cast<int64_t>(DeviceKind::Gpu)}}));
}

void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     const std::set<std::string>& without,
                     ModelOptions& options) {
  app.formatter(std::make_shared<options::HelpFormatter>());
  app.add_option("model", options.source.path, modelHelp)
      ->type_name("FILE")
      ->required();
  addRanksOption(app,
                 "Number of ranks. Without --machine, all run on this host (1, "
                 "or as many as the machine has devices)",
                 options.source.numRanks);
  app.add_option_function<std::string>(
         "--machine",
         [&source = options.source](const std::string& name) {
           source.isForHost = name == "auto";
           source.machinePath = source.isForHost ? "" : name;
         },
         "File that defines the machine, as shown at the end of sbpc --help; "
         "or auto: this host, with --target cuda its GPUs and their links, as "
         "sbpc machine prints it")
      ->type_name("FILE")
      ->group(kMachine);
  plugin::addPluginOption(app, options.dialectPlugins);
  addTargetOption(app, options.backend.kind);
  CLI::Option* cpu =
      app.add_option("--cpu", options.backend.cpu,
                     "CPU to generate code for, by LLVM's name, such as "
                     "x86-64-v3; host stands for the CPU of this host (host)")
          ->type_name("NAME")
          ->group(kMachine);
  app.add_option("--gpu", options.backend.gpu,
                 "GPU to generate code for, with --target cuda: sm_80 is an "
                 "A100, sm_90a an H100 or H200, sm_100a a B200 (sm_80; with "
                 "--machine auto, that of this host)")
      ->type_name("NAME")
      ->group(kMachine)
      ->excludes(cpu);
  app.add_option("--ptxas", options.backend.ptxas,
                 "Program that assembles the kernels for the GPU, so that "
                 "NVIDIA's driver need not when the program starts for the "
                 "first time; none leaves that to the driver (ptxas, if it is "
                 "on PATH or in /usr/local/cuda/bin)")
      ->type_name("PATH")
      ->group(kMachine)
      ->excludes(cpu);

  CommandLineOptions passes(app, without);
  declareOptions(options.pipeline, passes);
  const std::string group = app.get_option("--stages")->get_group();
  CLI::Option* plan =
      app.add_flag_callback(
             "--plan", [&options] { options.wish = PipelineWish::Asked; },
             "Choose whether the model runs as a pipeline, and its stages, "
             "groups, micro-batches and schedule, such that a step takes the "
             "least time and fits into the memory. This is the default unless "
             "the model or an option fixes some of it; with --plan, a remark "
             "says what, and explain answers what if")
          ->group(group);
  app.add_flag_callback(
         "--no-pipeline", [&options] { options.wish = PipelineWish::Never; },
         "Choose placements only: all ranks run all layers")
      ->group(group)
      ->excludes(plan);
  for (const char* fixed : {"--stages", "--schedule", "--mesh"})
    plan->excludes(app.get_option(fixed));
  if (CLI::Option* divide = app.get_option_no_throw("--divide-levels"))
    plan->excludes(divide);
}

std::optional<int> parseCommandLine(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    peopleErr() << "error: " << options::messageOf(error) << "\n";
    return 1;
  }
  return std::nullopt;
}

}  // namespace sbp
