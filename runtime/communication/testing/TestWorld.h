// The worlds in which tests of communication run: ranks are threads or
// processes, on one host or two, connected by shared memory or UCX.

#ifndef RUNTIME_COMMUNICATION_TESTING_TESTWORLD_H_
#define RUNTIME_COMMUNICATION_TESTING_TESTWORLD_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/World.h"

namespace sbp::communication {

/// The kind of the ranks of a test's world.
enum class RanksAre { kThreads, kProcesses };

/// The world of a test, used as the test's parameter.
struct TestWorld {
  std::string name;
  RanksAre ranksAre = RanksAre::kThreads;
  Transport transport = Transport::kAuto;
  std::vector<int64_t> axisSizes;
  /// Ranks of odd number pretend to be on another host; only for processes.
  bool isSplitOverHosts = false;

  int64_t numRanks() const;
};

void PrintTo(const TestWorld& world, std::ostream* out);

/// Runs `body` on all ranks of a world with `options`: one rank for each
/// element of `options.arenaBytes`, threads or processes as `world` says. The
/// test fails if a rank fails, or if processes have not ended after four
/// minutes.
void expectSuccess(const TestWorld& world, const WorldOptions& options,
                   const std::function<absl::Status(Communicator&)>& body);

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_TESTING_TESTWORLD_H_
