// Tests of every kind of collective, in every kind of world, against the
// oracle.

#include "runtime/communication/Collective.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
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

// A tensor of a collective on one rank.
struct Moved {
  CollectiveBuffers buffers;
  std::vector<std::byte> input;
  std::vector<std::byte> output;  // expected result

  // Fills the output with garbage, so that elements that are never written are
  // noticed.
  void put(std::byte* arena) const {
    std::memset(arena + buffers.out, 0x5a, output.size());
    std::memcpy(arena + buffers.in, input.data(), input.size());
  }

  // Returns what is wrong with the tensor after the collective; "" if nothing
  // is.
  std::string_view faultIn(const std::byte* arena) const {
    if (std::memcmp(arena + buffers.out, output.data(), output.size()) != 0)
      return "differs";
    if (buffers.in != buffers.out &&
        std::memcmp(arena + buffers.in, input.data(), input.size()) != 0)
      return "changed its input";
    return "";
  }
};

// Runs one collective on one rank, and compares the result with the oracle.
absl::Status runAndCompare(const WholeCollective& whole,
                           const std::vector<Axis>& mesh,
                           Communicator& communicator) {
  const int64_t rank = communicator.rank();
  const plan::CollectiveTask task = localTask(whole, mesh, rank);
  const Moved tensor = {{task.in, task.out},
                        makeInput(task, rank),
                        expectedOutput(whole, mesh, rank)};
  SBP_ASSIGN_OR_RETURN(auto collective, communicator.prepare({task}));
  // Runs it twice: the second run finds the traces of the first.
  for (int round = 0; round < 2; ++round) {
    tensor.put(communicator.arena());
    SBP_RETURN_IF_ERROR(communicator.run(*collective, {tensor.buffers}));
    if (auto fault = tensor.faultIn(communicator.arena()); !fault.empty())
      return absl::InternalError(fmt::format("rank {}, round {}: {} {}", rank,
                                             round, describe(whole), fault));
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

using Bucket = std::vector<WholeCollective>;

// Returns a bucket of a random kind, over random axes. Tensors are short or
// long, of uneven or empty parts, or empty; all-reduces may be in place.
Bucket randomBucket(const std::vector<Axis>& mesh, std::mt19937& random) {
  using Kind = plan::CollectiveTask::Kind;
  constexpr Kind kKinds[] = {Kind::kAllReduce, Kind::kReduceScatter,
                             Kind::kAllGather, Kind::kAllToAll,
                             Kind::kHaloExchange};
  const auto below = [&](int64_t count) {
    return static_cast<int64_t>(random() % count);
  };
  WholeCollective alike;
  alike.kind = kKinds[below(std::size(kKinds))];
  alike.elementType = static_cast<plan::ElementType>(below(5));
  alike.reduction = static_cast<plan::ReductionKind>(below(3));
  for (size_t axis = 0; axis < mesh.size(); ++axis)
    if (below(3) > 0) alike.axes.push_back(axis);
  // Some buckets are long in total, and some have more tensors than fit into a
  // gate.
  const int64_t longest = below(3) == 0 ? 3000 : 12;
  Bucket bucket(1 + below(below(2) == 0 ? 3 : 20), alike);
  for (WholeCollective& whole : bucket) {
    const int64_t numDims = 2 + below(2);
    for (int64_t dim = 0; dim < numDims; ++dim)
      whole.shape.push_back(below(dim == 0 ? longest : 6));
    whole.dim = below(numDims);
    whole.splitDim = (whole.dim + 1) % numDims;
    if (whole.kind == Kind::kHaloExchange) {
      whole.low = below(4);
      whole.high = below(4);
    }
    if (whole.kind == Kind::kAllReduce)
      whole.inPlace = static_cast<InPlace>(below(3));
  }
  return bucket;
}

std::vector<Bucket> randomBuckets(const std::vector<Axis>& mesh) {
  std::mt19937 random(1);
  std::vector<Bucket> buckets;
  for (int i = 0; i < 60; ++i) buckets.push_back(randomBucket(mesh, random));
  return buckets;
}

// Returns the tasks of `bucket` that `rank` runs. Each rank lays out the
// tensors in an order of its own.
std::vector<plan::CollectiveTask> tasksOf(const Bucket& bucket,
                                          const std::vector<Axis>& mesh,
                                          int64_t rank) {
  std::vector<size_t> order(bucket.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(rank));
  std::vector<plan::CollectiveTask> tasks(bucket.size());
  int64_t next = 0;
  for (size_t i : order) {
    tasks[i] = localTask(bucket[i], mesh, rank);
    const int64_t end = next + arenaBytesOf(tasks[i]);
    tasks[i].in += next;
    tasks[i].out += next;
    next = end;
  }
  return tasks;
}

// Returns the distance of the buffers of `rank` from those that its tasks name.
int64_t shiftOf(int64_t rank) {
  return plan::kBufferAlignment * (1 + (rank + 1) % 3);
}

WorldOptions optionsOf(const TestWorld& world,
                       const std::vector<Bucket>& buckets) {
  WorldOptions options = optionsOf(world, std::vector<WholeCollective>());
  const std::vector<Axis>& mesh = options.groups[0].axes;
  for (int64_t rank = 0; rank < world.numRanks(); ++rank)
    for (const Bucket& bucket : buckets)
      for (const plan::CollectiveTask& task : tasksOf(bucket, mesh, rank))
        options.arenaBytes[rank] = std::max(options.arenaBytes[rank],
                                            arenaBytesOf(task) + shiftOf(rank));
  return options;
}

// Runs the collectives of `bucket` one by one, and then together, with two sets
// of buffers, and compares the results.
absl::Status runAloneAndTogether(const Bucket& bucket,
                                 const std::vector<Axis>& mesh,
                                 Communicator& communicator) {
  const int64_t rank = communicator.rank();
  std::byte* arena = communicator.arena();
  const auto tasks = tasksOf(bucket, mesh, rank);
  SBP_ASSIGN_OR_RETURN(auto together, communicator.prepare(tasks));
  std::vector<Moved> tensors;
  int64_t bytesBefore = communicator.bytesReceived();
  for (size_t i = 0; i < tasks.size(); ++i) {
    SBP_ASSIGN_OR_RETURN(auto alone, communicator.prepare({tasks[i]}));
    Moved& tensor = tensors.emplace_back();
    tensor.buffers = {tasks[i].in, tasks[i].out};
    tensor.input =
        makeInput(tasks[i], rank + 100 * static_cast<int64_t>(i + 1));
    tensor.output.resize(alone->tensors[0].outBytes);
    tensor.put(arena);
    SBP_RETURN_IF_ERROR(communicator.run(*alone, {tensor.buffers}));
    std::memcpy(tensor.output.data(), arena + tensor.buffers.out,
                tensor.output.size());
  }
  const int64_t bytesAlone = communicator.bytesReceived() - bytesBefore;
  for (int64_t shift : {int64_t{0}, shiftOf(rank)}) {
    std::vector<CollectiveBuffers> buffers;
    for (Moved& tensor : tensors) {
      tensor.buffers.in += shift;
      tensor.buffers.out += shift;
      tensor.put(arena);
      buffers.push_back(tensor.buffers);
    }
    bytesBefore = communicator.bytesReceived();
    SBP_RETURN_IF_ERROR(communicator.run(*together, buffers));
    for (size_t i = 0; i < tensors.size(); ++i)
      if (auto fault = tensors[i].faultIn(arena); !fault.empty())
        return absl::InternalError(
            fmt::format("rank {}: tensor {} of {} is not as alone: {} {}", rank,
                        i, tensors.size(), describe(bucket[i]), fault));
    // The bucket may be a long all-reduce while each of its tensors is a short
    // one; long ones take other bytes.
    const int64_t bytes = communicator.bytesReceived() - bytesBefore;
    if (bytes != bytesAlone &&
        bucket[0].kind != plan::CollectiveTask::Kind::kAllReduce)
      return absl::InternalError(
          fmt::format("rank {}: {} bytes received of {}, {} alone", rank, bytes,
                      describe(bucket[0]), bytesAlone));
  }
  return absl::OkStatus();
}

absl::Status runAllAloneAndTogether(const std::vector<Bucket>& buckets,
                                    const std::vector<Axis>& mesh,
                                    Communicator& communicator) {
  for (const Bucket& bucket : buckets)
    SBP_RETURN_IF_ERROR(runAloneAndTogether(bucket, mesh, communicator));
  return absl::OkStatus();
}

// Runs an all-reduce over all ranks with as many tensors as a bucket may have.
absl::Status runLargestBucket(int64_t numAxes, Communicator& communicator) {
  plan::CollectiveTask task;
  for (int64_t axis = 0; axis < numAxes; ++axis) task.axes.push_back(axis);
  std::vector<plan::CollectiveTask> tasks(plan::kMostInBucket, task);
  const auto elementOf = [&](int64_t tensor) -> float& {
    return *reinterpret_cast<float*>(communicator.arena() + tasks[tensor].in);
  };
  for (int64_t i = 0; i < plan::kMostInBucket; ++i) {
    tasks[i].in = tasks[i].out = plan::kBufferAlignment * i;
    elementOf(i) = static_cast<float>(i + communicator.rank());
  }
  SBP_ASSIGN_OR_RETURN(auto bucket, communicator.prepare(tasks));
  SBP_RETURN_IF_ERROR(communicator.run(*bucket, bucket->buffers));
  const int64_t numRanks = communicator.size();
  for (int64_t i = 0; i < plan::kMostInBucket; ++i)
    if (const int64_t sum = numRanks * i + numRanks * (numRanks - 1) / 2;
        elementOf(i) != static_cast<float>(sum))
      return absl::InternalError(
          fmt::format("tensor {} is {}, not {}", i, elementOf(i), sum));
  tasks.push_back(tasks.back());
  const absl::Status tooMany = communicator.prepare(tasks).status();
  if (textOf(tooMany) != "a collective of 1025 tensors, not 1 to 1024")
    return absl::InternalError(fmt::format("said: {}", textOf(tooMany)));
  return absl::OkStatus();
}

// Exchanges words that identify the rank and the exchange, so that words of
// another exchange are noticed.
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

// Offers the words of several exchanges before it takes those of the first.
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

TEST_P(CollectivesTest, GiveInABucketEveryBitThatTheyGiveAlone) {
  const std::vector<Bucket> buckets = randomBuckets(meshOf(GetParam()));
  const WorldOptions options = optionsOf(GetParam(), buckets);
  expectSuccess(GetParam(), options, [&](Communicator& communicator) {
    return runAllAloneAndTogether(buckets, options.groups[0].axes,
                                  communicator);
  });
}

TEST_P(CollectivesTest, AreAtMostSoManyInABucket) {
  WorldOptions options = optionsOf(GetParam(), std::vector<WholeCollective>());
  for (int64_t& bytes : options.arenaBytes)
    bytes = plan::kMostInBucket * plan::kBufferAlignment;
  expectSuccess(GetParam(), options, [&](Communicator& communicator) {
    return runLargestBucket(GetParam().axisSizes.size(), communicator);
  });
}

TEST_P(CollectivesTest, TellEveryRankTheWordsOfAll) {
  expectSuccess(GetParam(),
                optionsOf(GetParam(), std::vector<WholeCollective>()),
                exchangeWords);
}

TEST_P(CollectivesTest, TellEveryRankTheWordsOfAllSomeRoundsBefore) {
  expectSuccess(GetParam(),
                optionsOf(GetParam(), std::vector<WholeCollective>()),
                exchangeWordsLate);
}

TEST(PreparedCollective, TellsInTheBitsOfATagInWhichOrderItsTensorsAre) {
  const plan::Group group{{"gpu", 2}};
  const auto tagBitsOf = [&](int64_t first, int64_t second) {
    WholeCollective whole = {
        plan::CollectiveTask::Kind::kAllReduce, /*axes=*/{0}, {first}};
    Bucket bucket(2, whole);
    bucket[1].shape = {second};
    return prepareCollective(tasksOf(bucket, group.axes, 0), group, 0)
               .signature &
           0xffff;
  };
  EXPECT_EQ(tagBitsOf(256, 512), tagBitsOf(256, 512));
  EXPECT_NE(tagBitsOf(256, 512), tagBitsOf(512, 256));
  EXPECT_NE(tagBitsOf(1024, 4096), tagBitsOf(2048, 3072));
}

TEST(PreparedCollective, CutsALongBucketInEqualSlices) {
  const WholeCollective whole = {plan::CollectiveTask::Kind::kAllReduce,
                                 /*axes=*/{0}, /*shape=*/{256}};
  const plan::Group group{{"gpu", 2}};
  for (int64_t rank = 0; rank < 2; ++rank) {
    const PreparedCollective bucket = prepareCollective(
        tasksOf(Bucket(64, whole), group.axes, rank), group, rank);
    ASSERT_EQ(bucket.phases.size(), 2u);
    EXPECT_EQ(bucket.phases[0].received[rank].bytes, 64 * 1024 / 2);
    EXPECT_EQ(bucket.phases[0].received[rank].all.size(), 64u / 2);
  }
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
