// All ranks make the communicators that a plan needs by the same splits.

#include "runtime/cuda/NcclSplits.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/Gates.h"
#include "runtime/cuda/NcclLibrary.h"

namespace sbp::cuda {
namespace {

using ::testing::ElementsAre;

bool always(const std::vector<int64_t>&, bool) { return true; }

/// A plan of four ranks: two groups, the stages, with an axis of two ranks
/// each.
class NcclSplitsTest : public testing::Test {
 protected:
  NcclSplitsTest() {
    plan_.groups = {plan::Group({{"a", 2}, {"b", 2}}), plan::Group({{"b", 2}}),
                    plan::Group({{"b", 2}})};
    plan_.groups[1].ranks = {0, 1};
    plan_.groups[2].ranks = {2, 3};
    plan_.entries.resize(1);
    plan_.programs.resize(1);
    plan_.programs[0].ranks = {0, 1, 2, 3};
    plan_.programs[0].entries.resize(1);
  }

  void addAllReduce(int64_t group, std::vector<int64_t> axes) {
    plan::CollectiveTask task;
    task.group = group;
    task.axes = std::move(axes);
    plan_.programs[0].entries[0].tasks.emplace_back(task);
  }

  void addTransfer(int64_t from, int64_t to, int64_t channel) {
    plan::Transfer transfer;
    for (auto [tensor, group] :
         {std::pair(&transfer.source, from), std::pair(&transfer.target, to)}) {
      tensor->shape = {2, 4};
      tensor->group = group;
      tensor->placement = {plan::Component{plan::Component::Kind::kSplit, 0}};
    }
    transfer.channel = channel;
    transfers_.push_back(transfer);
  }

  plan::Plan plan_;
  std::vector<plan::Transfer> transfers_;
};

TEST_F(NcclSplitsTest, MakeTheMembersOfEachCollectiveByOneSplit) {
  addAllReduce(0, {0});
  addAllReduce(0, {0, 1});
  addAllReduce(1, {0});
  addAllReduce(0, {0});
  const NcclSplits splits(plan_, 0, {}, always);
  ASSERT_EQ(splits.all.size(), 3u);
  EXPECT_THAT(splits.all[0].colors, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(splits.all[0].keys, ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(splits.all[1].isWorld());
  EXPECT_THAT(splits.all[2].colors,
              ElementsAre(0, 0, kNcclNoColor, kNcclNoColor));
  const communication::Gates gates(plan_.groups);
  EXPECT_EQ(splits.ofGates.at(gates.of(0, {0, 1})), 1u);
}

TEST_F(NcclSplitsTest, MakeAPairForEachChannelBetweenTwoRanks) {
  addTransfer(1, 2, 0);
  addTransfer(2, 1, 0);
  addTransfer(1, 2, 1);
  addTransfer(1, 2, 1);
  const NcclSplits splits(plan_, 0, transfers_, always);
  EXPECT_EQ(splits.ofMessages.size(), 6u);
  EXPECT_EQ(splits.all.size(), 3u);
  for (const auto& [channel, split] : splits.ofMessages) {
    const NcclSplit& its = splits.all[split];
    EXPECT_EQ(its.colors[channel.sender], its.colors[channel.receiver]);
    EXPECT_EQ(its.keys[channel.sender], 0);
    EXPECT_EQ(its.keys[channel.receiver], 1);
  }
}

TEST_F(NcclSplitsTest, LeaveOutWhatGoesAnotherWay) {
  addAllReduce(0, {1});
  addAllReduce(0, {0});
  addTransfer(1, 2, 0);
  const NcclSplits splits(
      plan_, 0, transfers_,
      [](const std::vector<int64_t>& ranks, bool isTransfer) {
        return !isTransfer && std::set(ranks.begin(), ranks.end()).count(0) &&
               std::set(ranks.begin(), ranks.end()).count(2);
      });
  ASSERT_EQ(splits.all.size(), 1u);
  EXPECT_THAT(splits.all[0].colors, ElementsAre(0, 1, 0, 1));
  EXPECT_TRUE(splits.ofMessages.empty());
}

}  // namespace
}  // namespace sbp::cuda
