#include "runtime/launch/CommandLine.h"

#include <string>

#include "fmt/core.h"
#include "runtime/calibration/Calibrate.h"
#include "runtime/file/Show.h"
#include "runtime/launch/Launcher.h"
#include "runtime/main/CollectivesChoice.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
#include "runtime/options/Lists.h"

namespace sbp::launch {
namespace {

constexpr char kDescription[] =
    R"(sbprun starts a compiled program on this host, once per rank, and waits for its end.

  sbprun -n 8 ./gpt --data x=train.npy --steps 1000

The ranks find each other by RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and
MASTER_PORT, which sbprun sets. mpirun and srun start the same file as well.

When a rank fails, sbprun ends the other ranks, and exits with the code of the rank that
failed (128 + signal if it was killed). Ctrl-C, or closing the terminal, ends all ranks;
in a run with --save they save first. A second Ctrl-C ends them at once.

On two hosts, 4 ranks each:

  host0$ sbprun -n 4 --nodes 2 --node-rank 0 --master-addr host0 ./gpt ...
  host1$ sbprun -n 4 --nodes 2 --node-rank 1 --master-addr host0 ./gpt ...

A secret in SBP_JOB_SECRET proves to the ranks that they belong to one job. On one host
sbprun makes it. For several hosts, set the same secret for each sbprun, such as one
printed by `openssl rand -hex 32`. Without it, ranks recognise their job by the program,
the options that must agree, and the data. This keeps out other jobs by mistake, but not
somebody who knows all of these.

Instead of running a program, --calibrate measures the machine: the times of collectives
by size and group, over the transport that programs use (SBP_TRANSPORT=ucx: UCX even
within a host), the memory bandwidth and the FLOP/s. It prints what it measured, and how
far the prices for the compiler are off, and writes these prices as a machine file:

  sbprun -n 4 --calibrate -o machine.mlir
  sbpc model.mlir --machine machine.mlir -o model

With --target cuda each rank measures a GPU: collectives between GPUs, launches, copies, and
products of matrices of several sizes.

  sbprun -n 8 --calibrate --target cuda -o machine.mlir
)";

constexpr int kDefaultPort = 29500;

// Flag by which sbprun starts itself as a rank of a calibration.
constexpr char kRankFlag[] = "--calibration-rank";

void addCalibration(CLI::App& app, bool& isCalibration, bool& isRank,
                    calibration::Options& options) {
  constexpr char kGroup[] = "Calibration";
  CLI::Option* flag =
      app.add_flag(
             "--calibrate", isCalibration,
             "Measure this machine, on all ranks, instead of running a program")
          ->group(kGroup);
  app.add_option("-o,--output", options.outputPath,
                 "Write the measured machine to this file, for sbpc --machine")
      ->needs(flag)
      ->type_name("FILE")
      ->group(kGroup);
  options::addList(
      app, "--sizes", options.sizes,
      {',', 1, 100, options::bytesFrom(4, int64_t{1} << 34)},
      "Sizes of the whole tensor in bytes, such as 1MB,4MB (powers "
      "of 2 from 1KiB to 16MiB, for GPUs to 64MiB)")
      ->needs(flag)
      ->group(kGroup);
  app.add_option("--repetitions", options.numRepetitions,
                 "Number of batches of each measurement, of which the lower "
                 "quartile counts (15)")
      ->type_name("N")
      ->needs(flag)
      ->check(options::integerFrom(1, 1000))
      ->group(kGroup);
  app.add_option(
         "--target", options.isForGpus,
         "What to measure, as of sbpc: cpu, or cuda for NVIDIA's GPUs, one per "
         "rank (cpu)")
      ->type_name("KIND")
      ->needs(flag)
      ->transform(options::oneOf({{"cpu", 0}, {"cuda", 1}}))
      ->group(kGroup);
  program::addCollectivesOption(app, options.collectives)
      ->needs(flag)
      ->group(kGroup);
  app.add_flag("--json", options.isJson, "Print one JSON object per line")
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
  if (job.numRanks * job.numNodes < 2 && !options.isForGpus) {
    throw CLI::ValidationError(
        "--calibrate",
        "needs 2 ranks or more: one rank has no collectives to measure");
  }
  if (options.isForGpus) {
    const std::string error = calibration::checkGpus(options);
    if (!error.empty()) throw CLI::ValidationError("--target cuda", error);
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
  app.formatter(std::make_shared<options::HelpFormatter>("PROGRAM [ARGS...]"));
  app.prefix_command();
  app.set_version_flag("--version", version, "Print the version and exit");
  app.add_option("-n,--ranks", job.numRanks, "Number of ranks on this host")
      ->type_name("N")
      ->required()
      ->check(options::integerFrom(1, 4096));
  app.add_option("--nodes", job.numNodes, "Number of hosts of the job (1)")
      ->type_name("N")
      ->check(options::integerFrom(1, 65536));
  app.add_option("--node-rank", job.nodeRank, "Number of this host, from 0 (0)")
      ->type_name("N")
      ->check(options::integerFrom(0, 65535));
  app.add_option("--master-addr", job.masterAddress,
                 "Host of rank 0 (this host)")
      ->type_name("HOST");
  app.add_option("--master-port", job.masterPort,
                 "Port at which rank 0 listens (any free port; 29500 for "
                 "several hosts)")
      ->type_name("PORT")
      ->check(options::integerFrom(1, 65535));
  app.add_option("--grace", job.graceSeconds,
                 "Time that the other ranks have to end after one has failed, "
                 "before they are killed (5)")
      ->type_name("SECONDS")
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
