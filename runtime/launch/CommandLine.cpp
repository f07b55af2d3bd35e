#include "runtime/launch/CommandLine.h"

#include <string>

#include "fmt/core.h"
#include "runtime/calibration/Calibrate.h"
#include "runtime/file/Show.h"
#include "runtime/launch/Launcher.h"
#include "runtime/options/Checks.h"
#include "runtime/options/Lists.h"

namespace sbp::launch {
namespace {

constexpr char kDescription[] =
    "Starts a compiled program once per rank, on this host, and waits for it.\n"
    "\n"
    "  sbprun -n 8 ./gpt --data x=train.npy --steps 1000\n"
    "\n"
    "The ranks find each other by RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR "
    "and\n"
    "MASTER_PORT, which sbprun sets. mpirun and srun start the same file as "
    "well.\n"
    "\n"
    "When a rank fails, the others end, and sbprun exits with the code of the "
    "one\n"
    "that failed (128 + signal if it was killed). Ctrl-C, or a terminal that "
    "is "
    "closed,\n"
    "ends all ranks, those of a run with --save when they have saved; a second "
    "Ctrl-C\n"
    "at once.\n"
    "\n"
    "On two hosts, 4 ranks each:\n"
    "\n"
    "  host0$ sbprun -n 4 --nodes 2 --node-rank 0 --master-addr host0 ./gpt "
    "...\n"
    "  host1$ sbprun -n 4 --nodes 2 --node-rank 1 --master-addr host0 ./gpt "
    "...\n"
    "\n"
    "Ranks prove to each other that they are of one job, by a secret in\n"
    "SBP_JOB_SECRET. On one host sbprun draws it. For several, set the same "
    "one "
    "for\n"
    "each sbprun, say that of `openssl rand -hex 32`; without it, ranks know "
    "their\n"
    "job by the program, the options that must agree, and the data, which "
    "keeps\n"
    "other jobs out, but nobody who knows them.\n"
    "\n"
    "Instead of a program, --calibrate measures the machine: what collectives "
    "cost by\n"
    "size and group, over what programs communicate by (SBP_TRANSPORT=ucx: UCX "
    "even\n"
    "within a host), memory bandwidth and FLOP/s. It prints what it measured, "
    "and how\n"
    "far off the prices are that the compiler will reckon with, and writes "
    "those for\n"
    "sbpc:\n"
    "\n"
    "  sbprun -n 4 --calibrate -o machine.mlir\n"
    "  sbpc model.mlir --machine machine.mlir -o model";

constexpr int kDefaultPort = 29500;

// Flag by which sbprun starts itself as a rank of a calibration.
constexpr char kRankFlag[] = "--calibration-rank";

void addCalibration(CLI::App& app, bool& isCalibration, bool& isRank,
                    calibration::Options& options) {
  constexpr char kGroup[] = "Calibration";
  CLI::Option* flag =
      app.add_flag("--calibrate", isCalibration,
                   "measure this machine, on all ranks, instead of a program")
          ->group(kGroup);
  app.add_option("-o,--output", options.outputPath,
                 "write the machine that was measured, for sbpc --machine")
      ->needs(flag)
      ->type_name("FILE")
      ->group(kGroup);
  options::addList(app, "--sizes", options.sizes,
                   {',', 1, 100, options::bytesFrom(4, int64_t{1} << 34)},
                   "bytes of the whole tensor, such as 64KiB (default: 1024 to "
                   "16777216, doubling)")
      ->needs(flag)
      ->group(kGroup);
  app.add_option(
         "--repetitions", options.numRepetitions,
         "batches of each, of which the lower quartile counts (default: 15)")
      ->needs(flag)
      ->check(options::integerFrom(1, 1000))
      ->group(kGroup);
  app.add_flag("--json", options.isJson, "one JSON object per line")
      ->needs(flag)
      ->group(kGroup);
  app.add_flag(kRankFlag, isRank)->group("");
}

// Throws an error if the job cannot be calibrated.
void checkCalibration(const LaunchOptions& job,
                      const calibration::Options& options) {
  if (!job.command.empty()) {
    throw CLI::ValidationError(
        "--calibrate",
        "runs no program, but was given '" + job.command.front() + "'");
  }
  if (job.numRanks * job.numNodes < 2) {
    throw CLI::ValidationError(
        "--calibrate", "needs 2 ranks or more: one has nobody to talk to");
  }
  const std::string error = calibration::checkSizes(options);
  if (!error.empty()) throw CLI::ValidationError("--sizes", error);
}

}  // namespace

int runCommandLine(int argc, char** argv, const std::string& version) {
  LaunchOptions job;
  calibration::Options calibration;
  bool isCalibration = false, isCalibrationRank = false;
  CLI::App app(kDescription, "sbprun");
  app.prefix_command();
  app.set_version_flag("--version", version, "say which sbprun this is");
  app.add_option("-n,--ranks", job.numRanks, "ranks on this host")
      ->required()
      ->check(options::integerFrom(1, 4096));
  app.add_option("--nodes", job.numNodes, "hosts of the job")
      ->check(options::integerFrom(1, 65536));
  app.add_option("--node-rank", job.nodeRank, "number of this host, from 0")
      ->check(options::integerFrom(0, 65535));
  app.add_option("--master-addr", job.masterAddress,
                 "host of rank 0 (default: this one)");
  app.add_option("--master-port", job.masterPort,
                 "port at which rank 0 listens (default: any that is free; "
                 "29500 on several hosts)")
      ->check(options::integerFrom(1, 65535));
  app.add_option("--grace", job.graceSeconds,
                 "seconds for the others to end when one has (default: 5)")
      ->check(options::notNegative());
  addCalibration(app, isCalibration, isCalibrationRank, calibration);
  try {
    app.parse(argc, argv);
    job.command = app.remaining();
    if (isCalibration) {
      calibration.numNodes = job.numNodes;
      calibration.ranksPerNode = job.numRanks;
      checkCalibration(job, calibration);
    } else if (job.command.empty()) {
      throw CLI::RequiredError("PROGRAM");
    }
    if (job.nodeRank >= job.numNodes) {
      throw CLI::ValidationError("--node-rank",
                                 "is " + std::to_string(job.nodeRank) + " of " +
                                     std::to_string(job.numNodes) +
                                     " hosts; they count from 0");
    }
    if (job.numNodes > 1 && app.count("--master-addr") == 0) {
      throw CLI::ValidationError("--nodes", "needs --master-addr");
    }
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    file::show(stderr, fmt::format("error: {}\n", options::messageOf(error)));
    return 1;
  }
  if (isCalibrationRank) return calibration::calibrate(calibration);
  if (isCalibration) {
    job.command.assign(argv, argv + argc);
    job.command[0] = "/proc/self/exe";
    job.command.push_back(kRankFlag);
  }
  if (job.numNodes > 1 && job.masterPort == 0) {
    job.masterPort = kDefaultPort;
  }
  return launch(job);
}

}  // namespace sbp::launch
