// Tests of transfers between random groups, in every kind of world, against the
// definition: each rank of the target receives its box of the tensor from the
// boxes of the source.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/testing/TestWorld.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

using plan::Component;
using plan::Group;
using EndKind = plan::TransferTask::Kind;

constexpr int64_t kTimes = 4;  // occurrences per run, all under way at once
constexpr int kRuns = 3;
constexpr int kTransfers = 12;

/// The transfers that all ranks run, made from one seed.
struct Scene {
  std::vector<Group> groups;
  std::vector<plan::Transfer> transfers;
  int64_t slotBytes = 64;  // enough for any box

  Scene(int64_t numRanks, uint32_t seed) : random(seed) {
    groups.push_back(Group{{"all", numRanks}});
    for (int i = 0; i < 4; ++i) groups.push_back(randomGroup(numRanks));
    while (transfers.size() < kTransfers) {
      plan::Transfer transfer;
      transfer.times = kTimes;
      plan::Tensor& source = transfer.source;
      source.name = fmt::format("t{}", transfers.size());
      source.shape.resize(pick(5));
      for (int64_t& extent : source.shape) extent = pick(7);
      transfer.target = source;
      source.group = pick(groups.size());
      transfer.target.group = pick(groups.size());
      if (source.group == transfer.target.group) continue;
      for (plan::Tensor* end : {&source, &transfer.target})
        for (size_t axis = 0; axis < groups[end->group].axes.size(); ++axis)
          end->placement.push_back(randomComponent(end->shape.size()));
      slotBytes = std::max(
          slotBytes, (plan::numElements(source.shape) * 4 + 63) / 64 * 64);
      transfers.push_back(std::move(transfer));
    }
  }

  int64_t pick(int64_t count) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(count));
  }

  Component randomComponent(int64_t numDims) {
    Component component;
    if (numDims == 0 || pick(3) == 0) return component;
    component.kind = Component::Kind::kSplit;
    component.dim = pick(numDims);
    return component;
  }

  Group randomGroup(int64_t numRanks) {
    std::vector<int64_t> ranks(numRanks);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::shuffle(ranks.begin(), ranks.end(), random);
    const int64_t outer = 1 + pick(std::min<int64_t>(2, numRanks));
    const int64_t inner = 1 + pick(numRanks / outer);
    Group group{{"outer", outer}, {"inner", inner}};
    group.ranks.assign(ranks.begin(), ranks.begin() + outer * inner);
    return group;
  }

  /// Returns element `index` of a tensor, for one occurrence of a run.
  static float element(size_t transfer, int64_t time, int run, int64_t index) {
    return static_cast<float>(transfer * 1000 + time * 100 + run * 10) +
           static_cast<float>(index) / 4096;
  }

  /// Returns the box that `rank` has of one end, dense.
  std::vector<float> boxOf(size_t number, const plan::Tensor& end, int64_t rank,
                           int64_t time, int run) const {
    const plan::Box box = plan::localBox(groups[end.group], end, rank);
    const std::vector<int64_t> extents = plan::shapeOf(box);
    std::vector<float> elements(plan::numElements(extents));
    for (size_t i = 0; i < elements.size(); ++i) {
      int64_t rest = static_cast<int64_t>(i), index = 0, stride = 1;
      for (size_t dim = extents.size(); dim-- > 0;) {
        index += (box[dim].begin + rest % extents[dim]) * stride;
        rest /= extents[dim];
        stride *= end.shape[dim];
      }
      elements[i] = element(number, time, run, index);
    }
    return elements;
  }

  int64_t slotOf(size_t number, int64_t time, bool isTarget) const {
    return ((static_cast<int64_t>(number) * kTimes + time) * 2 + isTarget) *
           slotBytes;
  }

  std::mt19937 random;
};

/// Runs all occurrences of all transfers, started and finished in an order that
/// differs from rank to rank.
absl::Status runAll(const Scene& scene, Communicator& communicator) {
  const int64_t rank = communicator.rank();
  std::mt19937 random(static_cast<uint32_t>(rank));
  std::vector<std::shared_ptr<const PreparedTransfer>> prepared;
  for (size_t i = 0; i < scene.transfers.size(); ++i) {
    SBP_ASSIGN_OR_RETURN(prepared.emplace_back(),
                         communicator.prepareTransfer(static_cast<int64_t>(i)));
  }
  std::vector<std::pair<size_t, int64_t>> all;
  for (size_t i = 0; i < scene.transfers.size(); ++i)
    for (int64_t time = 0; time < kTimes; ++time) all.emplace_back(i, time);
  const auto forAll = [&](EndKind kind, int run) -> absl::Status {
    std::shuffle(all.begin(), all.end(), random);
    for (auto [i, time] : all) {
      const plan::Transfer& transfer = scene.transfers[i];
      const bool isTarget =
          kind == EndKind::kStartReceive || kind == EndKind::kFinishReceive;
      const plan::Tensor& end = isTarget ? transfer.target : transfer.source;
      if (!scene.groups[end.group].has(rank)) continue;
      const int64_t slot = scene.slotOf(i, time, isTarget);
      std::byte* place = communicator.arena() + slot;
      const std::vector<float> box = scene.boxOf(i, end, rank, time, run);
      const size_t bytes = box.size() * sizeof(float);
      if (kind == EndKind::kStartSend) std::memcpy(place, box.data(), bytes);
      if (kind == EndKind::kStartReceive) std::memset(place, 0x5a, bytes);
      SBP_RETURN_IF_ERROR(communicator.run(kind, *prepared[i], slot, time));
      if (kind == EndKind::kFinishReceive &&
          std::memcmp(place, box.data(), bytes) != 0)
        return absl::InternalError(fmt::format(
            "rank {}, run {}: {} of {} from {} to {} differs", rank, run,
            end.name, plan::toString(end.elementType, end.shape),
            plan::toString(transfer.source.placement),
            plan::toString(transfer.target.placement)));
    }
    return absl::OkStatus();
  };
  for (int run = 0; run < kRuns; ++run)
    for (EndKind kind : {EndKind::kStartReceive, EndKind::kStartSend,
                         EndKind::kFinishReceive, EndKind::kFinishSend})
      SBP_RETURN_IF_ERROR(forAll(kind, run));
  return absl::OkStatus();
}

/// A plan in which rank 0 sends 8 MB to rank 1, and rank 1 as much to rank 0;
/// each of them also sends a little to itself and to the other one.
struct Crossing {
  static constexpr int64_t kLarge = 2 << 20;  // elements
  static constexpr int64_t kSlotBytes = kLarge * 4;

  // The group of both ranks, and one group for each.
  std::vector<Group> groups = {Group{{"all", 2}}, Group{{"first", 1}},
                               Group{{"second", 1}}};
  std::vector<plan::Transfer> transfers;

  Crossing() {
    groups[1].ranks = {0};
    groups[2].ranks = {1};
    const auto add = [&](const char* name, int64_t extent, int64_t from,
                         int64_t to) {
      plan::Transfer transfer;
      for (plan::Tensor* end : {&transfer.source, &transfer.target}) {
        end->name = name;
        end->shape = {extent};
        end->placement.resize(1);
      }
      transfer.source.group = from;
      transfer.target.group = to;
      transfers.push_back(transfer);
    };
    add("there", kLarge, 1, 2);
    add("back", kLarge, 2, 1);
    add("own", 3, 1, 0);
  }

  WorldOptions options(Transport transport) const {
    WorldOptions options;
    options.groups = groups;
    options.transfers = transfers;
    options.transport = transport;
    options.waitTimeoutSeconds = 10;
    options.arenaBytes.assign(2, 2 * kSlotBytes);
    return options;
  }
};

/// Each rank finishes its sends before its receives.
absl::Status crossEachOther(Communicator& self) {
  SBP_ASSIGN_OR_RETURN(const auto sent, self.prepareTransfer(self.rank()));
  SBP_ASSIGN_OR_RETURN(const auto received,
                       self.prepareTransfer(1 - self.rank()));
  constexpr int64_t kSlot = Crossing::kSlotBytes;
  SBP_RETURN_IF_ERROR(self.run(EndKind::kStartSend, *sent, 0, 0));
  SBP_RETURN_IF_ERROR(self.run(EndKind::kStartReceive, *received, kSlot, 0));
  SBP_RETURN_IF_ERROR(self.run(EndKind::kFinishSend, *sent, 0, 0));
  return self.run(EndKind::kFinishReceive, *received, kSlot, 0);
}

/// Rank 0 has started a send when both ranks run collectives; rank 1 starts to
/// receive after them.
absl::Status sendAcrossCollectives(Communicator& self) {
  SBP_ASSIGN_OR_RETURN(const auto transfer, self.prepareTransfer(0));
  plan::CollectiveTask task;
  task.axes = {0};
  task.inShape = task.outShape = {100};
  task.in = Crossing::kSlotBytes;
  task.out = Crossing::kSlotBytes + 1024;
  SBP_ASSIGN_OR_RETURN(const auto collective, self.prepare({task}));
  const bool isSender = self.rank() == 0;
  if (isSender)
    SBP_RETURN_IF_ERROR(self.run(EndKind::kStartSend, *transfer, 0, 0));
  for (int i = 0; i < 3; ++i)
    SBP_RETURN_IF_ERROR(self.run(*collective, collective->buffers));
  if (isSender) return self.run(EndKind::kFinishSend, *transfer, 0, 0);
  SBP_RETURN_IF_ERROR(self.run(EndKind::kStartReceive, *transfer, 0, 0));
  return self.run(EndKind::kFinishReceive, *transfer, 0, 0);
}

/// Rank 0 is on both sides, and finishes its sends first.
absl::Status sendToItself(Communicator& self) {
  SBP_ASSIGN_OR_RETURN(const auto transfer, self.prepareTransfer(2));
  const bool isSender = self.rank() == 0;
  std::memset(self.arena(), isSender ? 7 : 0, 12);
  if (isSender)
    SBP_RETURN_IF_ERROR(self.run(EndKind::kStartSend, *transfer, 0, 0));
  SBP_RETURN_IF_ERROR(self.run(EndKind::kStartReceive, *transfer, 64, 0));
  if (isSender)
    SBP_RETURN_IF_ERROR(self.run(EndKind::kFinishSend, *transfer, 0, 0));
  SBP_RETURN_IF_ERROR(self.run(EndKind::kFinishReceive, *transfer, 64, 0));
  return self.arena()[64 + 11] == std::byte{7}
             ? absl::OkStatus()
             : absl::InternalError("the tensor has not come");
}

class TransferTest : public testing::TestWithParam<TestWorld> {};

TEST_P(TransferTest, BringsEveryRankItsPart) {
  const TestWorld& world = GetParam();
  const uint32_t numSeeds = world.ranksAre == RanksAre::kThreads ? 40 : 4;
  for (uint32_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Scene scene(world.numRanks(), seed);
    WorldOptions options;
    options.groups = scene.groups;
    options.transfers = scene.transfers;
    options.transport = world.transport;
    options.arenaBytes.assign(world.numRanks(),
                              scene.slotOf(kTransfers, 0, false));
    expectSuccess(world, options, [&](Communicator& communicator) {
      return runAll(scene, communicator);
    });
    if (HasFailure()) return;
  }
}

class CrossingTest : public testing::TestWithParam<TestWorld> {};

TEST_P(CrossingTest, RanksMayFinishWhatTheySendFirst) {
  expectSuccess(GetParam(), Crossing().options(GetParam().transport),
                crossEachOther);
}

TEST_P(CrossingTest, CollectivesDoNotWaitForSends) {
  expectSuccess(GetParam(), Crossing().options(GetParam().transport),
                sendAcrossCollectives);
}

TEST_P(CrossingTest, ARankMayFinishASendToItselfFirst) {
  expectSuccess(GetParam(), Crossing().options(GetParam().transport),
                sendToItself);
}

INSTANTIATE_TEST_SUITE_P(
    Worlds, CrossingTest,
    testing::Values(
        TestWorld{"Processes", RanksAre::kProcesses, Transport::kAuto, {2}},
        TestWorld{"UcxProcesses", RanksAre::kProcesses, Transport::kUcx, {2}}),
    [](const testing::TestParamInfo<TestWorld>& info) {
      return info.param.name;
    });

INSTANTIATE_TEST_SUITE_P(
    Worlds, TransferTest,
    testing::Values(
        TestWorld{"OneThread", RanksAre::kThreads, Transport::kAuto, {1}},
        TestWorld{"TwoThreads", RanksAre::kThreads, Transport::kAuto, {2}},
        TestWorld{"FiveThreads", RanksAre::kThreads, Transport::kAuto, {5}},
        TestWorld{"UcxThreads3", RanksAre::kThreads, Transport::kUcx, {3}},
        TestWorld{"Processes4", RanksAre::kProcesses, Transport::kAuto, {4}},
        TestWorld{"UcxProcesses4", RanksAre::kProcesses, Transport::kUcx, {4}},
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
