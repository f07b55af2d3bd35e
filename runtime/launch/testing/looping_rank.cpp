// A rank that runs collectives until its world ends, for tests of the launcher.
// Its argument is the number of ranks in the world.

#include <cstdio>
#include <cstdlib>

#include "runtime/communication/Collective.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/World.h"
#include "runtime/status/Status.h"

namespace {

using namespace sbp::communication;

absl::Status run(int64_t numRanks) {
  WorldOptions options;
  options.groups = {sbp::plan::Group{{"rank", numRanks}}};
  options.arenaBytes.assign(numRanks, 1 << 20);
  SBP_ASSIGN_OR_RETURN(auto communicator, connect(options));
  sbp::plan::CollectiveTask task;
  task.axes = {0};
  task.inShape = task.outShape = {1000};
  task.out = 4096;
  SBP_ASSIGN_OR_RETURN(auto collective, communicator->prepare({task}));
  std::printf("%d\n", static_cast<int>(communicator->rank()));
  std::fflush(stdout);
  while (true)
    SBP_RETURN_IF_ERROR(communicator->run(*collective, collective->buffers));
}

}  // namespace

int main(int argc, char** argv) {
  absl::Status status = run(argc > 1 ? std::atoi(argv[1]) : 1);
  if (absl::IsAborted(status)) return kAbortedExitCode;
  fmt::print(stderr, "error: {}\n", sbp::textOf(status));
  return 1;
}
