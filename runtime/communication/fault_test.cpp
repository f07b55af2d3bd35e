// Tests of worlds that end badly. One rank is killed, stopped, fails or leaves.
// All others must end soon, with a message that names it, and leave nothing
// behind.
//
// SBP_FAULT_REPETITIONS in the environment repeats each fault (default 1), each
// time at another random moment and with another victim.

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/World.h"
#include "runtime/communication/testing/CollectiveOracle.h"
#include "runtime/communication/testing/ForkedRanks.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

using testing::HasSubstr;

constexpr int64_t kNumRanks = 4;
constexpr double kHeartbeatTimeoutSeconds = 1;

// What the ranks do when the fault happens.
enum class Work { kCollectives, kWords, kLongKernel };

struct FaultCase {
  const char* name;
  Work work = Work::kCollectives;
  Transport transport = Transport::kAuto;
};

int numRepetitions() {
  const char* text = std::getenv("SBP_FAULT_REPETITIONS");
  return text ? std::atoi(text) : 1;
}

std::set<std::string> sharedMemoryFiles() {
  std::set<std::string> names;
  DIR* folder = opendir("/dev/shm");
  while (dirent* entry = folder ? readdir(folder) : nullptr) {
    names.insert(entry->d_name);
  }
  if (folder) closedir(folder);
  return names;
}

WholeCollective longAllReduce() {
  WholeCollective whole;
  whole.axes = {0};
  whole.shape = {100003};
  return whole;
}

WorldOptions optionsOf(Transport transport) {
  WorldOptions options;
  options.groups = {plan::Group{{"gpu", kNumRanks}}};
  options.transport = transport;
  options.heartbeatTimeoutSeconds = kHeartbeatTimeoutSeconds;
  for (int64_t rank = 0; rank < kNumRanks; ++rank) {
    options.arenaBytes.push_back(
        arenaBytesOf(localTask(longAllReduce(), options.groups[0].axes, rank)));
  }
  return options;
}

// Runs collectives, `numRounds` of them or until the world ends.
absl::Status loop(Communicator& communicator,
                  const std::vector<plan::Axis>& mesh, int64_t numRounds) {
  SBP_ASSIGN_OR_RETURN(auto collective,
                       communicator.prepare({localTask(longAllReduce(), mesh,
                                                       communicator.rank())}));
  for (int64_t round = 0; round < numRounds; ++round) {
    SBP_RETURN_IF_ERROR(communicator.run(*collective, collective->buffers));
  }
  return absl::OkStatus();
}

// Exchanges words until the world ends.
absl::Status exchangeForever(Communicator& communicator) {
  std::vector<Words> all;
  while (true) SBP_RETURN_IF_ERROR(communicator.exchangeWords(Words{}, all));
}

// Runs a rank as a program would. Rank `victim` runs `misbehave` instead of the
// loop.
int runRank(const WorldOptions& options, Work work, int64_t numRounds,
            int64_t victim = -1,
            const std::function<absl::Status(Communicator&)>& misbehave = {}) {
  auto communicator = connect(options);
  if (!communicator.ok()) {
    fmt::print(stderr, "{}\n", textOf(communicator.status()));
    return 1;
  }
  Communicator& self = **communicator;
  absl::Status status;
  if (self.rank() == victim) {
    status = misbehave(self);
  } else if (work == Work::kLongKernel && self.rank() == 1) {
    for (volatile int64_t i = 0;; i = i + 1) continue;
  } else if (work == Work::kWords) {
    status = exchangeForever(self);
  } else {
    status = loop(self, options.groups[0].axes, numRounds);
  }
  if (status.ok()) status = self.finish();
  if (status.ok()) return 0;
  self.fail(status);
  return absl::IsAborted(status) ? kAbortedExitCode : 1;
}

constexpr int64_t kForever = int64_t{1} << 60;

class FaultTest : public testing::TestWithParam<FaultCase> {
 protected:
  // Starts ranks, sends a signal to a random one at a random time, and checks
  // the others: they end within `limitSeconds` and report `claim` of the
  // victim.
  void harmOne(int signalNumber, const std::string& claim,
               double limitSeconds) {
    std::mt19937 random(std::random_device{}());
    const WorldOptions options = optionsOf(GetParam().transport);
    for (int i = 0; i < numRepetitions(); ++i) {
      const std::set<std::string> filesBefore = sharedMemoryFiles();
      ForkedRanks ranks(kNumRanks, [&] {
        return runRank(options, GetParam().work, kForever);
      });
      usleep(500'000 + random() % 500'000);
      // Rank 1 computes for ever in one of the cases. It must not be the
      // victim, because it shows how other ranks leave a kernel.
      int64_t victim = (i + random()) % kNumRanks;
      if (GetParam().work == Work::kLongKernel && victim == 1) victim = 0;
      SCOPED_TRACE(fmt::format("victim {}", victim));
      const double harmSeconds = secondsNow();
      kill(ranks.pid(victim), signalNumber);
      const double limit = limitSeconds + 3;  // from the start
      // Without shared memory, ranks may not kill a rank that is stopped.
      const bool isLeft =
          signalNumber == SIGSTOP && GetParam().transport == Transport::kUcx;
      std::vector<RankExit> exits =
          ranks.waitForOthers(isLeft ? victim : -1, limit);
      EXPECT_LT(secondsNow() - harmSeconds, limitSeconds);
      const std::string name = fmt::format("rank {} (host ", victim);
      for (int64_t rank = 0; rank < kNumRanks; ++rank) {
        if (rank == victim) continue;
        EXPECT_TRUE(WIFEXITED(exits[rank].status)) << exits[rank].status;
        EXPECT_EQ(WEXITSTATUS(exits[rank].status), kAbortedExitCode);
        EXPECT_THAT(exits[rank].errorText, HasSubstr(name));
        EXPECT_THAT(
            exits[rank].errorText,
            HasSubstr(fmt::format("pid {}) {}", ranks.pid(victim), claim)));
      }
      EXPECT_EQ(sharedMemoryFiles(), filesBefore);
    }
  }
};

TEST_P(FaultTest, AKilledRankEndsTheOthers) {
  harmOne(SIGKILL, "died", /*limitSeconds=*/5);
}

TEST_P(FaultTest, AStoppedRankEndsTheOthers) {
  harmOne(SIGSTOP, "stalled", /*limitSeconds=*/5);
}

INSTANTIATE_TEST_SUITE_P(
    Worlds, FaultTest,
    testing::Values(FaultCase{"InCollectives"},
                    FaultCase{"InALongKernel", Work::kLongKernel},
                    FaultCase{"OverUcx", Work::kCollectives, Transport::kUcx},
                    FaultCase{"InWords", Work::kWords},
                    FaultCase{"InWordsOverUcx", Work::kWords, Transport::kUcx}),
    [](const testing::TestParamInfo<FaultCase>& info) {
      return std::string(info.param.name);
    });

// Starts ranks, of which `victim` misbehaves. Returns how all of them ended.
std::vector<RankExit> misbehaveOne(
    int64_t victim, const std::function<absl::Status(Communicator&)>& misbehave,
    Transport transport = Transport::kAuto) {
  const WorldOptions options = optionsOf(transport);
  ForkedRanks ranks(kNumRanks, [&] {
    return runRank(options, Work::kCollectives, kForever, victim, misbehave);
  });
  return ranks.wait(20);
}

void expectOthersSay(const std::vector<RankExit>& exits, int64_t victim,
                     const std::string& text) {
  for (int64_t rank = 0; rank < kNumRanks; ++rank) {
    EXPECT_TRUE(WIFEXITED(exits[rank].status));
    EXPECT_NE(WEXITSTATUS(exits[rank].status), 0);
    EXPECT_LT(exits[rank].seconds, 5);
    if (rank != victim) EXPECT_THAT(exits[rank].errorText, HasSubstr(text));
  }
}

TEST(FailingRank, TellsTheOthersWhy) {
  for (int64_t victim : {0, 2}) {
    expectOthersSay(
        misbehaveOne(victim,
                     [](Communicator&) { return error("no more disk"); }),
        victim, "failed: no more disk");
  }
}

TEST(FailingRank, IsNamedWhenItExitsWithoutAWord) {
  for (int64_t victim : {0, 3}) {
    expectOthersSay(
        misbehaveOne(victim, [](Communicator&) -> absl::Status { _exit(7); }),
        victim, fmt::format("rank {} (host ", victim));
  }
}

TEST(FailingRank, IsNamedWhenItFinishesBeforeTheOthers) {
  const WorldOptions options = optionsOf(Transport::kAuto);
  ForkedRanks ranks(kNumRanks, [&] {
    return runRank(
        options, Work::kCollectives, /*numRounds=*/0, 2,
        [](Communicator& self) { return self.allGather("one more").status(); });
  });
  for (const RankExit& exit : ranks.wait(20)) {
    EXPECT_EQ(WEXITSTATUS(exit.status), kAbortedExitCode);
    EXPECT_THAT(exit.errorText, HasSubstr("expects more of it"));
  }
}

class FailingRankTest : public testing::TestWithParam<Transport> {
 protected:
  // Rank 2 runs `others` as a bucket while the others run longAllReduce(). One
  // of them notices, reports `text`, and all end.
  void runOtherCollective(const std::vector<WholeCollective>& others,
                          const std::string& text) {
    const WorldOptions options = optionsOf(GetParam());
    std::vector<RankExit> exits = misbehaveOne(
        2,
        [&](Communicator& self) {
          std::vector<plan::CollectiveTask> tasks;
          for (const WholeCollective& other : others)
            tasks.push_back(
                localTask(other, options.groups[0].axes, self.rank()));
          const auto collective = *self.prepare(tasks);
          return self.run(*collective, collective->buffers);
        },
        GetParam());
    int64_t numTold = 0;
    for (const RankExit& exit : exits) {
      EXPECT_TRUE(WIFEXITED(exit.status));
      EXPECT_NE(WEXITSTATUS(exit.status), 0);
      EXPECT_LT(exit.seconds, 5);
      if (exit.errorText.find(text) != std::string::npos) ++numTold;
    }
    // The rank that failed leaves the message to its program.
    EXPECT_GE(numTold, kNumRanks - 1) << exits[0].errorText;
  }
};

TEST_P(FailingRankTest, IsNamedWhenItRunsAnotherCollective) {
  WholeCollective other = longAllReduce();
  other.kind = plan::CollectiveTask::Kind::kReduceScatter;
  runOtherCollective({other}, "runs reduce_scatter");
}

TEST_P(FailingRankTest, IsNamedWhenItsTensorHasAnotherSize) {
  WholeCollective other = longAllReduce();
  other.shape[0] /= 2;
  runOtherCollective({other}, "run all_reduce on different tensors");
}

TEST_P(FailingRankTest, IsNamedWhenItRunsABucketWhereOthersRunOneTensor) {
  WholeCollective some = longAllReduce(), others = some;
  some.shape[0] = 16 * 1000;
  others.shape[0] -= some.shape[0];  // now they have as many bytes together
  runOtherCollective({some, others}, "run all_reduce on different tensors");
}

TEST_P(FailingRankTest, IsNamedWhenItsBucketIsShortWhereOthersRunALongTensor) {
  WholeCollective other = longAllReduce();
  other.shape[0] = 3;
  runOtherCollective({other, other}, "run all_reduce on different tensors");
}

INSTANTIATE_TEST_SUITE_P(Transports, FailingRankTest,
                         testing::Values(Transport::kAuto, Transport::kUcx),
                         [](const testing::TestParamInfo<Transport>& info) {
                           return std::string(
                               info.param == Transport::kUcx ? "Ucx" : "Auto");
                         });

// Tests of ranks that are alive, but do not come where others wait for them.
class HangingRankTest : public testing::TestWithParam<Transport> {
 protected:
  static constexpr double kWaitTimeoutSeconds = 1;

  // Runs ranks, of which `victim` runs `misbehave`. Returns how all of them
  // ended.
  std::vector<RankExit> waitFor(
      int64_t victim,
      const std::function<absl::Status(Communicator&)>& misbehave) {
    WorldOptions options = optionsOf(GetParam());
    options.waitTimeoutSeconds = kWaitTimeoutSeconds;
    options.connectTimeoutSeconds = 60;  // not tested here
    ForkedRanks ranks(kNumRanks, [&] {
      return runRank(options, Work::kCollectives, /*numRounds=*/5, victim,
                     misbehave);
    });
    return ranks.wait(20);
  }

  void expectAllSay(const std::vector<RankExit>& exits,
                    const std::vector<std::string>& texts) {
    for (const RankExit& exit : exits) {
      EXPECT_TRUE(WIFEXITED(exit.status)) << exit.status;
      EXPECT_EQ(WEXITSTATUS(exit.status), kAbortedExitCode);
      EXPECT_LT(exit.seconds, kWaitTimeoutSeconds + 3);
      for (const std::string& text : texts) {
        EXPECT_THAT(exit.errorText, HasSubstr(text));
      }
    }
  }
};

TEST_P(HangingRankTest, IsNamedWhenItNeverComes) {
  for (int64_t victim : {0, 3}) {
    expectAllSay(waitFor(victim,
                         [](Communicator&) -> absl::Status {
                           for (volatile int64_t i = 0;; i = i + 1) continue;
                         }),
                 {fmt::format("rank {} (host ", victim),
                  "has not come to all_reduce over gpu for 1."});
  }
}

TEST_P(HangingRankTest, IsNamedWithTheOthersWhenTheyWaitForEachOther) {
  expectAllSay(
      waitFor(2,
              [](Communicator& self) {
                char byte = 0;
                return self.receive(1, &byte, 1);
              }),
      {"all ranks wait, for 1.", "ranks 0, 1, 3 in all_reduce over gpu",
       "rank 2 in receive from rank 1"});
}

TEST_P(HangingRankTest, IsNamedWhenItThinksThatAllIsDone) {
  expectAllSay(
      waitFor(1, [](Communicator&) { return absl::OkStatus(); }),
      {"ranks 0, 2, 3 in all_reduce over gpu", "rank 1 in the end of the run"});
}

TEST_P(HangingRankTest, IsAnotherThanOneThatWorksLongAndGetsOn) {
  const WorldOptions options = optionsOf(GetParam());
  for (const RankExit& exit : waitFor(1, [&](Communicator& self) {
         for (int step = 0; step < 12; ++step) {
           usleep(static_cast<int>(0.25e6 * kWaitTimeoutSeconds));
           self.noteStep();
         }
         return loop(self, options.groups[0].axes, /*numRounds=*/5);
       })) {
    EXPECT_TRUE(succeeded(exit)) << exit.errorText;
    EXPECT_GT(exit.seconds, 3 * kWaitTimeoutSeconds);
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, HangingRankTest,
                         testing::Values(Transport::kAuto, Transport::kUcx),
                         [](const testing::TestParamInfo<Transport>& info) {
                           return std::string(
                               info.param == Transport::kUcx ? "Ucx" : "Auto");
                         });

TEST(StoppedWorld, GoesOnWhenItIsResumedAsAWhole) {
  const WorldOptions options = optionsOf(Transport::kAuto);
  ForkedRanks ranks(kNumRanks, [&] {
    return runRank(options, Work::kCollectives, /*numRounds=*/20000);
  });
  usleep(300'000);
  for (int64_t rank = 0; rank < kNumRanks; ++rank) {
    kill(ranks.pid(rank), SIGSTOP);
  }
  usleep(static_cast<int>(2.5e6 * kHeartbeatTimeoutSeconds));
  for (int64_t rank = 0; rank < kNumRanks; ++rank) {
    kill(ranks.pid(rank), SIGCONT);
  }
  for (const RankExit& exit : ranks.wait(60)) {
    EXPECT_TRUE(succeeded(exit)) << exit.errorText;
    EXPECT_GT(exit.seconds, 2.5 * kHeartbeatTimeoutSeconds);
  }
}

TEST(InProcessWorld, ReturnsTheErrorOfTheRankThatFailed) {
  const WorldOptions options = optionsOf(Transport::kAuto);
  absl::Status status = runInProcess(options, [&](Communicator& self) {
    if (self.rank() == 2) return error("bad luck");
    return loop(self, options.groups[0].axes, kForever);
  });
  EXPECT_EQ(textOf(status), "bad luck");
}

TEST(InProcessWorld, AgreesOnTheErrorOfTheLowestRank) {
  const WorldOptions options = optionsOf(Transport::kAuto);
  std::vector<absl::Status> agreed(kNumRanks);
  absl::Status status = runInProcess(options, [&](Communicator& self) {
    absl::Status mine;
    if (self.rank() >= 2) mine = error("file {} is empty", self.rank());
    agreed[self.rank()] = self.agree(mine);
    absl::Status same = self.agree(error("no such file"));
    return textOf(same) == "no such file" ? absl::OkStatus() : same;
  });
  EXPECT_TRUE(status.ok()) << status;
  for (const absl::Status& each : agreed) {
    EXPECT_EQ(textOf(each), "rank 2: file 2 is empty");
  }
}

}  // namespace
}  // namespace sbp::communication
