#include "runtime/launch/CommandLine.h"

#include <string>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "runtime/launch/Launcher.h"

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
  LaunchOptions options;
  CLI::App app(kDescription, "sbprun");
  app.prefix_command();
  app.add_option("-n,--ranks", options.numRanks, "ranks on this host")
      ->required()
      ->check(CLI::Range(1, 4096));
  app.add_option("--nodes", options.numNodes, "hosts of the job")
      ->check(CLI::Range(1, 65536));
  app.add_option("--node-rank", options.nodeRank, "number of this host, from 0")
      ->check(CLI::Range(0, 65535));
  app.add_option("--master-addr", options.masterAddress,
                 "host of rank 0 (default: this one)");
  app.add_option("--master-port", options.masterPort,
                 "port at which rank 0 listens (default: any that is free; "
                 "29500 on several hosts)")
      ->check(CLI::Range(1, 65535));
  app.add_option("--grace", options.graceSeconds,
                 "seconds for the others to end when one has (default: 5)")
      ->check(CLI::NonNegativeNumber);
  try {
    app.parse(argc, argv);
    options.command = app.remaining();
    if (options.command.empty()) {
      throw CLI::RequiredError("PROGRAM");
    }
    if (options.nodeRank >= options.numNodes) {
      throw CLI::ValidationError(
          "--node-rank", "is " + std::to_string(options.nodeRank) + " of " +
                             std::to_string(options.numNodes) +
                             " hosts; they count from 0");
    }
    if (options.numNodes > 1 && app.count("--master-addr") == 0) {
      throw CLI::ValidationError("--nodes", "needs --master-addr");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
  if (options.numNodes > 1 && options.masterPort == 0) {
    options.masterPort = kDefaultPort;
  }
  return launch(options);
}

}  // namespace sbp::launch
