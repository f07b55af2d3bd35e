#include "runtime/launch/CommandLine.h"

#include <string>

#include "fmt/core.h"
#include "runtime/launch/Launcher.h"
#include "runtime/options/Checks.h"

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
    "that failed (128 + signal if it was killed). Ctrl-C ends all ranks; a "
    "second\n"
    "one at once.\n"
    "\n"
    "On two hosts, 4 ranks each:\n"
    "\n"
    "  host0$ sbprun -n 4 --nodes 2 --node-rank 0 --master-addr host0 ./gpt "
    "...\n"
    "  host1$ sbprun -n 4 --nodes 2 --node-rank 1 --master-addr host0 ./gpt "
    "...";

constexpr int kDefaultPort = 29500;

}  // namespace

int runCommandLine(int argc, char** argv) {
  LaunchOptions job;
  CLI::App app(kDescription, "sbprun");
  app.prefix_command();
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
  try {
    app.parse(argc, argv);
    job.command = app.remaining();
    if (job.command.empty()) {
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
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::Error& error) {
    fmt::print(stderr, "error: {}\n", options::messageOf(error));
    return 1;
  }
  if (job.numNodes > 1 && job.masterPort == 0) {
    job.masterPort = kDefaultPort;
  }
  return launch(job);
}

}  // namespace sbp::launch
