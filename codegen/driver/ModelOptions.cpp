#include "codegen/driver/ModelOptions.h"

#include "llvm/Support/raw_ostream.h"
#include "passes/options/CheckedOptions.h"
#include "runtime/options/Checks.h"
#include "runtime/plan/Check.h"

namespace sbp {

void addModelOptions(CLI::App& app, const std::string& modelHelp,
                     ModelSource& source, PipelineOptions& pipeline,
                     std::vector<std::string>& dialectPlugins,
                     BackendOptions& backend) {
  app.add_option("model", source.path, modelHelp)
      ->type_name("FILE")
      ->required();
  app.add_option("-n,--ranks", source.numRanks,
                 "How many ranks; without a machine, that many on this host "
                 "(1)")
      ->type_name("N")
      ->check(options::integerFrom(1, plan::kMaxRanks));
  app.add_option("--machine", source.machinePath,
                 "A file that defines the machine, see sbpc --help")
      ->type_name("FILE");
  app.add_option("--micro-batches", pipeline.microBatches,
                 "Into how many parts a training step divides its batch: it "
                 "goes through them one after the other, or of a model in "
                 "stages as its schedule says, and updates the parameters once "
                 "(as many as a schedule has, or 1)")
      ->type_name("A")
      ->check(MicroBatchCount::check());
  app.add_option("--reduce", pipeline.reduceIn,
                 "The type in which terms of gradients in bf16 are added up "
                 "over ranks, where these are gradients of parameters in f32: "
                 "f32, exactly, or bf16, in half the bytes (f32)")
      ->type_name("TYPE")
      ->transform(
          options::oneOf({{"f32", static_cast<int64_t>(ReduceIn::F32)},
                          {"bf16", static_cast<int64_t>(ReduceIn::BF16)}}));
  app.add_option("--mesh", pipeline.mesh,
                 "The sbp.mesh or sbp.machine to place on, when there are "
                 "several")
      ->type_name("NAME");
  app.add_flag(
      "--divide-levels", pipeline.dividesLevels,
      "Give each prime factor of a level an axis of its own, or a level two "
      "axes where that would be too many: there are more plans then, and to "
      "search them takes longer");
  app.add_option("--space", pipeline.space,
                 "Which plans are searched for the entry that trains: full, "
                 "all of them, or autoddl, those of AutoDDL (full)")
      ->type_name("SPACE")
      ->transform(options::oneOf({
          {"full", static_cast<int64_t>(SearchSpace::Full)},
          {"autoddl", static_cast<int64_t>(SearchSpace::AutoDdl)},
      }));
  app.add_option("--layers", pipeline.layers,
                 "Whether all calls of a layer, a private function, are placed "
                 "alike, tied, or each for itself, free: that may be faster, "
                 "and takes longer to search and to compile (tied)")
      ->type_name("HOW")
      ->transform(options::oneOf({
          {"tied", static_cast<int64_t>(LayerPlans::Tied)},
          {"free", static_cast<int64_t>(LayerPlans::Free)},
      }));
  app.add_option(
         "--memory", pipeline.memoryBytes,
         "What a searched plan may take of each device: bytes, or with a "
         "unit, such as 16MB or 24GiB (what the machine says)")
      ->type_name("BYTES")
      ->transform(ByteCount::check());
  app.add_option(
         "--search-seconds", pipeline.searchSeconds,
         "After so many seconds the search ends with the best plan that "
         "it has, and says what is known of all others (60)")
      ->type_name("S")
      ->check(Seconds::check());
  app.add_option(
         "--search-memory", pipeline.searchMemoryBytes,
         "What the compiler may have in memory while it searches, such as "
         "4GB, before it ends in the same way (half of what is free, 8 GB at "
         "most)")
      ->type_name("BYTES")
      ->transform(ByteCount::check());
  app.add_option("--load-dialect-plugin", dialectPlugins,
                 "A shared library that brings dialects of its own, or ways to "
                 "run ops")
      ->type_name("FILE");
  app.add_option("--target", backend.kind,
                 "Kernels for what: cpu, or cuda, NVIDIA's GPUs, for which "
                 "kernels can be made, but no programs yet (cpu)")
      ->type_name("KIND")
      ->transform(
          options::oneOf({{"cpu", static_cast<int64_t>(DeviceKind::Cpu)},
                          {"cuda", static_cast<int64_t>(DeviceKind::Gpu)}}));
  CLI::Option* cpu =
      app.add_option("--cpu", backend.cpu,
                     "The CPU to generate code for, by LLVM's name, such as "
                     "x86-64-v3; host is this one (host)")
          ->type_name("NAME");
  app.add_option("--gpu", backend.gpu,
                 "The GPU to generate code for, with --target cuda: sm_80 "
                 "(A100), sm_90a (H100, H200) or sm_100a (B200) (sm_80)")
      ->type_name("NAME")
      ->excludes(cpu);
}

void addStageOptions(CLI::App& app, PipelineOptions& pipeline,
                     StageNumbers& numbers) {
  app.add_option("--schedule", pipeline.schedule,
                 "In which order a training step of a model in stages runs "
                 "them: a family of schedules, such as 1f1b, or a file, whose "
                 "name has a point or a slash, with a line of cells for each "
                 "group (the model's sbp.schedule; if it has none, and there "
                 "are micro-batches, list)")
      ->type_name("NAME|FILE");
  app.add_option("--execute", pipeline.byMessages,
                 "Whether ranks run their stages in the order of the schedule, "
                 "static, or, by messages, whatever can run, backwards first: "
                 "then the schedule says how many micro-batches a stage holds "
                 "(static)")
      ->type_name("HOW")
      ->transform(
          options::oneOf({{"static", int64_t{0}}, {"messages", int64_t{1}}}));
  CLI::Option* stages =
      app.add_option("--stages", numbers.stages,
                     "Cut the model into so many stages, for a pipeline: where "
                     "the busiest has least to do, and all fit into the "
                     "memory; sbpc --emit logical shows the cut")
          ->type_name("S")
          ->excludes("--mesh")
          ->excludes("--divide-levels")
          ->check(RankCount::check());
  app.add_option("--groups", numbers.groups,
                 "On how many equal groups of ranks stages run, in turns or as "
                 "the schedule has them (one "
                 "for each stage)")
      ->type_name("D")
      ->needs(stages)
      ->check(RankCount::check());
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
