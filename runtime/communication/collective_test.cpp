// Every kind of collective, in every kind of world, against the oracle.

#include "runtime/communication/Collective.h"

#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/testing/CollectiveOracle.h"
#include "runtime/communication/testing/TestWorld.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

using plan::Axis;

std::vector<Axis> meshOf(const TestWorld& world) {
  std::vector<Axis> mesh;
  for (size_t i = 0; i < world.axisSizes.size(); ++i) {
    mesh.push_back({"axis" + std::to_string(i), world.axisSizes[i]});
  }
  return mesh;
}

WorldOptions optionsOf(const TestWorld& world,
                       const std::vector<WholeCollective>& collectives) {
  WorldOptions options;
  options.groups = {plan::Group(meshOf(world))};
  options.transport = world.transport;
  for (int64_t rank = 0; rank < world.numRanks(); ++rank) {
    int64_t bytes = 0;
    for (const WholeCollective& whole : collectives) {
      bytes = std::max(
          bytes, arenaBytesOf(localTask(whole, options.groups[0].axes, rank)));
    }
    options.arenaBytes.push_back(bytes);
  }
  return options;
}

// Runs one collective on one rank and compares. The output is filled with
// rubbish before, so that an element that nobody writes shows.
absl::Status runAndCompare(const WholeCollective& whole,
                           const std::vector<Axis>& mesh,
                           Communicator& communicator) {
  const int64_t rank = communicator.rank();
  const plan::CollectiveTask task = localTask(whole, mesh, rank);
  const std::vector<std::byte> input = makeInput(task, rank);
  const std::vector<std::byte> expected = expectedOutput(whole, mesh, rank);
  std::byte* arena = communicator.arena();
  SBP_ASSIGN_OR_RETURN(auto collective, communicator.prepare(task));
  // Twice: the second finds the traces of the first.
  for (int round = 0; round < 2; ++round) {
    std::memset(arena + task.out, 0x5a, expected.size());
    std::memcpy(arena + task.in, input.data(), input.size());
    SBP_RETURN_IF_ERROR(communicator.run(*collective, collective->task.in,
                                         collective->task.out));
    if (std::memcmp(arena + task.out, expected.data(), expected.size()) != 0) {
      return absl::InternalError(fmt::format("rank {}, round {}: {} differs",
                                             rank, round, describe(whole)));
    }
    if (task.in != task.out &&
        std::memcmp(arena + task.in, input.data(), input.size()) != 0) {
      return absl::InternalError(
          fmt::format("rank {}: {} changed its input", rank, describe(whole)));
    }
  }
  return absl::OkStatus();
}

absl::Status runAll(const std::vector<WholeCollective>& collectives,
                    const std::vector<Axis>& mesh, Communicator& communicator) {
  for (const WholeCollective& whole : collectives) {
    SBP_RETURN_IF_ERROR(runAndCompare(whole, mesh, communicator));
  }
  return absl::OkStatus();
}

// Exchanges words that say who gives them, and when: of an exchange whose words
// another one overwrites, the test would hear.
absl::Status exchangeWords(Communicator& communicator) {
  std::vector<Words> all;
  for (uint64_t round = 0; round < 50; ++round) {
    const auto wordsOf = [&](uint64_t rank) {
      return Words{rank, round, rank * round, ~uint64_t{0}};
    };
    SBP_RETURN_IF_ERROR(
        communicator.exchangeWords(wordsOf(communicator.rank()), all));
    for (int64_t rank = 0; rank < communicator.size(); ++rank)
      if (all[rank] != wordsOf(rank))
        return absl::InternalError(
            fmt::format("round {}: rank {} has other words of rank {}", round,
                        communicator.rank(), rank));
  }
  return absl::OkStatus();
}

// Offers the words of some rounds before it takes those of the first.
absl::Status exchangeWordsLate(Communicator& communicator) {
  constexpr uint64_t kRounds = 300, kLag = 5;
  std::vector<Words> all;
  for (uint64_t round = 0; round < kRounds + kLag; ++round) {
    const auto wordsOf = [&](int64_t rank, uint64_t of) {
      return Words{static_cast<uint64_t>(rank), of, 0, 1};
    };
    if (round < kRounds)
      SBP_RETURN_IF_ERROR(
          communicator.offerWords(wordsOf(communicator.rank(), round)));
    if (round < kLag) continue;
    SBP_RETURN_IF_ERROR(communicator.takeWords(all));
    for (int64_t rank = 0; rank < communicator.size(); ++rank)
      if (all[rank] != wordsOf(rank, round - kLag))
        return absl::InternalError(
            fmt::format("rank {} has other words of rank {} than of round {}",
                        communicator.rank(), rank, round - kLag));
  }
  return absl::OkStatus();
}

class CollectivesTest : public testing::TestWithParam<TestWorld> {};

TEST_P(CollectivesTest, GiveWhatTheirDefinitionSays) {
  const std::vector<WholeCollective> collectives =
      everyKind(meshOf(GetParam()));
  const WorldOptions options = optionsOf(GetParam(), collectives);
  expectSuccess(GetParam(), options, [&](Communicator& communicator) {
    return runAll(collectives, options.groups[0].axes, communicator);
  });
}

TEST_P(CollectivesTest, TellEveryRankTheWordsOfAll) {
  expectSuccess(GetParam(), optionsOf(GetParam(), /*collectives=*/{}),
                exchangeWords);
}

TEST_P(CollectivesTest, TellEveryRankTheWordsOfAllSomeRoundsBefore) {
  expectSuccess(GetParam(), optionsOf(GetParam(), /*collectives=*/{}),
                exchangeWordsLate);
}

INSTANTIATE_TEST_SUITE_P(
    Worlds, CollectivesTest,
    testing::Values(
        TestWorld{"OneThread", RanksAre::kThreads, Transport::kAuto, {1}},
        TestWorld{"TwoThreads", RanksAre::kThreads, Transport::kAuto, {2}},
        TestWorld{"ThreeThreads", RanksAre::kThreads, Transport::kAuto, {3}},
        TestWorld{"FiveThreads", RanksAre::kThreads, Transport::kAuto, {5}},
        TestWorld{"EightThreads", RanksAre::kThreads, Transport::kAuto, {8}},
        TestWorld{"Threads2x2", RanksAre::kThreads, Transport::kAuto, {2, 2}},
        TestWorld{"Threads3x2", RanksAre::kThreads, Transport::kAuto, {3, 2}},
        TestWorld{
            "Threads2x2x2", RanksAre::kThreads, Transport::kAuto, {2, 2, 2}},
        TestWorld{
            "Threads2x1x3", RanksAre::kThreads, Transport::kAuto, {2, 1, 3}},
        TestWorld{"UcxThreads3", RanksAre::kThreads, Transport::kUcx, {3}},
        TestWorld{"OneProcess", RanksAre::kProcesses, Transport::kAuto, {1}},
        TestWorld{"TwoProcesses", RanksAre::kProcesses, Transport::kAuto, {2}},
        TestWorld{"Processes7", RanksAre::kProcesses, Transport::kAuto, {7}},
        TestWorld{
            "Processes2x3", RanksAre::kProcesses, Transport::kAuto, {2, 3}},
        TestWorld{"UcxProcesses2", RanksAre::kProcesses, Transport::kUcx, {2}},
        TestWorld{
            "UcxProcesses2x2", RanksAre::kProcesses, Transport::kUcx, {2, 2}},
        TestWorld{"UcxProcesses5", RanksAre::kProcesses, Transport::kUcx, {5}},
        TestWorld{"TwoHosts2x2",
                  RanksAre::kProcesses,
                  Transport::kAuto,
                  {2, 2},
                  /*isSplitOverHosts=*/true},
        TestWorld{"TwoHosts5",
                  RanksAre::kProcesses,
                  Transport::kAuto,
                  {5},
                  /*isSplitOverHosts=*/true}),
    [](const testing::TestParamInfo<TestWorld>& info) {
      return info.param.name;
    });

}  // namespace
}  // namespace sbp::communication
