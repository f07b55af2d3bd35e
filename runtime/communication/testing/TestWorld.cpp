#include "runtime/communication/testing/TestWorld.h"

#include <cstdio>
#include <cstdlib>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "runtime/communication/testing/ForkedRanks.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

// Less than the limit of the test itself, so that the ranks' messages are seen.
constexpr double kLimitSeconds = 240;

/// Runs the body of a process that is one rank. Returns its exit status.
int runAsProcess(const TestWorld& world, const WorldOptions& options,
                 const std::function<absl::Status(Communicator&)>& body) {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (world.isSplitOverHosts)
    setenv("SBP_HOST_ID", std::atoi(rank) % 2 ? "odd" : "even", 1);
  auto communicator = connect(options);
  absl::Status status = communicator.status();
  if (status.ok()) status = body(**communicator);
  if (status.ok()) status = (*communicator)->finish();
  if (status.ok()) return 0;
  if (communicator.ok()) (*communicator)->fail(status);
  fmt::print(stderr, "{}\n", textOf(status));
  return 1;
}

}  // namespace

int64_t TestWorld::numRanks() const {
  int64_t product = 1;
  for (int64_t size : axisSizes) product *= size;
  return product;
}

void PrintTo(const TestWorld& world, std::ostream* out) { *out << world.name; }

void expectSuccess(const TestWorld& world, const WorldOptions& options,
                   const std::function<absl::Status(Communicator&)>& body) {
  if (world.ranksAre == RanksAre::kThreads) {
    const absl::Status status = runInProcess(options, body);
    EXPECT_TRUE(status.ok()) << status;
    return;
  }
  ForkedRanks ranks(options.arenaBytes.size(),
                    [&] { return runAsProcess(world, options, body); });
  for (const RankExit& exit : ranks.wait(kLimitSeconds))
    EXPECT_TRUE(succeeded(exit)) << exit.errorText;
}

}  // namespace sbp::communication
