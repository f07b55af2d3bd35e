// Tests of the proof: small plans with one error each, and the message that
// reports it.

#include "runtime/proof/Proof.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/Plan.h"
#include "runtime/proof/Waits.h"

namespace sbp::proof {
namespace {

using plan::CollectiveTask;
using plan::ElementType;
using plan::KernelTask;
using plan::Loop;
using plan::Plan;
using plan::TaskValues;
using plan::TransferTask;
using EndKind = TransferTask::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kBytes = 64;  // of each tensor
constexpr int64_t kElements = 16;

plan::Tensor tensorOn(int64_t group, const std::string& name) {
  plan::Tensor tensor{name, ElementType::kF32, {kElements}, {{}}};
  tensor.group = group;
  return tensor;
}

/// Writes the program of one rank, task by task. Buffers and values are
/// numbered; each buffer has room for one tensor.
class Writer {
 public:
  explicit Writer(plan::Program& program) : tasks_(program.entries[0]) {}

  /// Adds a run of kernel 0, which makes a tensor; `map` adds one of kernel 1,
  /// which makes a tensor from another one.
  Writer& make(int64_t buffer, int64_t value) {
    return add(KernelTask{0, {buffer * kBytes}}, {{}, {value}});
  }
  Writer& map(int64_t from, int64_t read, int64_t to, int64_t written) {
    return add(KernelTask{1, {from * kBytes, to * kBytes}},
               {{read}, {written}});
  }
  Writer& startSend(int64_t transfer, int64_t buffer, int64_t value = 0) {
    return end(EndKind::kStartSend, transfer, buffer, {{value}, {}});
  }
  Writer& finishSend(int64_t transfer, int64_t buffer, int64_t value = 0) {
    return end(EndKind::kFinishSend, transfer, buffer, {{value}, {}});
  }
  Writer& startReceive(int64_t transfer, int64_t buffer) {
    return end(EndKind::kStartReceive, transfer, buffer, {});
  }
  Writer& finishReceive(int64_t transfer, int64_t buffer, int64_t value) {
    return end(EndKind::kFinishReceive, transfer, buffer, {{}, {value}});
  }
  Writer& reduce(int64_t group, int64_t buffer, int64_t value) {
    CollectiveTask task;
    task.axes = {0};
    task.inShape = task.outShape = {kElements};
    task.in = task.out = buffer * kBytes;
    task.group = group;
    TaskValues values{{value}, {value + 1}};
    values.collectiveIndex = numCollectives_++;
    return add(task, values);
  }
  Writer& indexed(int64_t index) {
    tasks_.values.tasks.back().collectiveIndex = index;
    return *this;
  }

  /// Begins a block of a loop. It ends at the next call of `block` or `order`.
  Writer& block(const std::string& title) {
    if (isInLoop_) {
      tasks_.loops.back().blocks.back().last = size();
    } else {
      Loop& loop = tasks_.loops.emplace_back();
      loop.first = size();
      tasks_.values.loops.emplace_back();
      isInLoop_ = true;
    }
    Loop::Block& block = tasks_.loops.back().blocks.emplace_back();
    block.title = title;
    block.first = block.last = size();
    return *this;
  }
  Writer& order(std::vector<Loop::BlockRun> runs, int64_t numMicroBatches,
                std::vector<Loop::Slots> slots = {}) {
    Loop& loop = tasks_.loops.back();
    loop.blocks.back().last = loop.last = size();
    for (Loop::Block& block : loop.blocks) block.numRuns = 0;
    for (const Loop::BlockRun& run : runs) ++loop.blocks[run.block].numRuns;
    loop.order = std::move(runs);
    loop.numMicroBatches = numMicroBatches;
    loop.slots = std::move(slots);
    isInLoop_ = false;
    return *this;
  }

 private:
  int64_t size() const { return static_cast<int64_t>(tasks_.tasks.size()); }

  Writer& end(EndKind kind, int64_t transfer, int64_t buffer,
              TaskValues values) {
    return add(TransferTask{kind, transfer, buffer * kBytes}, values);
  }

  Writer& add(plan::Task task, TaskValues values) {
    if (isInLoop_) {
      values.loop = static_cast<int64_t>(tasks_.loops.size()) - 1;
      for (int64_t value : values.written)
        tasks_.values.loopOf[value] = values.loop;
    }
    tasks_.tasks.push_back(std::move(task));
    tasks_.values.tasks.push_back(std::move(values));
    tasks_.firstUpdate = size();
    return *this;
  }

  plan::EntryProgram& tasks_;
  bool isInLoop_ = false;
  int64_t numCollectives_ = 0;
};

/// A plan for `numRanks` ranks. Group 0 has all ranks, group r + 1 has rank r
/// alone. Each rank has its own program, with an entry "step".
class ProofTest : public ::testing::Test {
 protected:
  explicit ProofTest(int64_t numRanks = 2) {
    plan_.groups = {plan::Group{{"rank", numRanks}}};
    plan_.groups[0].name = "all";
    const plan::LocalType type{ElementType::kF32, {kElements}};
    plan_.kernels = {{"make", "nn.make", {}, {type}},
                     {"map", "nn.map", {type}, {type}}};
    plan_.entries.resize(1);
    plan_.entries[0].name = "step";
    for (int64_t rank = 0; rank < numRanks; ++rank) {
      plan::Group group{{"one", 1}};
      group.ranks = {rank};
      group.name = "group" + std::to_string(rank);
      plan_.groups.push_back(group);
      plan::Program program;
      program.ranks = {rank};
      program.entries.resize(1);
      program.entries[0].arenaBytes = 16 * kBytes;
      program.entries[0].calls = {{"step"}};
      program.entries[0].values.loopOf.assign(16, -1);
      plan_.programs.push_back(program);
    }
  }

  Writer on(int64_t rank) { return Writer(plan_.programs[rank]); }
  plan::EntryProgram& tasksOf(int64_t rank) {
    return plan_.programs[rank].entries[0];
  }

  /// Adds a transfer from rank `from` to rank `to`, and returns its index.
  int64_t transfer(const std::string& name, int64_t from, int64_t to,
                   int64_t times = 1) {
    plan_.entries[0].transfers.push_back(
        {tensorOn(from + 1, name), tensorOn(to + 1, name), times});
    return static_cast<int64_t>(plan_.entries[0].transfers.size()) - 1;
  }

  /// Returns the error that the proof reports for the plan, which must pass
  /// plan::check; empty if there is none.
  std::string said() {
    EXPECT_EQ(plan::check(plan_).message(), "");
    return std::string(prove(plan_).message());
  }
  /// Transfers h and k go from rank 0 to rank 1, which receives k first.
  void receiveTheOtherWayRound() {
    transfer("h", 0, 1), transfer("k", 0, 1);
    on(1)
        .startReceive(1, 0)
        .startReceive(0, 1)
        .finishReceive(1, 0, 0)
        .finishReceive(0, 1, 1);
  }

  std::string saidInOrder() {
    return std::string(proveInOrder(plan_, 0).message());
  }

  Plan plan_;
};

class ThreeRanks : public ProofTest {
 protected:
  ThreeRanks() : ProofTest(3) {}
};

// ---- Waits ------------------------------------------------------------------

TEST_F(ProofTest, TakesRanksThatStartBothBeforeTheyFinishOne) {
  transfer("h", 0, 1), transfer("g", 1, 0);
  on(0)
      .make(0, 0)
      .startSend(0, 0)
      .startReceive(1, 1)
      .finishSend(0, 0)
      .finishReceive(1, 1, 1);
  on(1)
      .make(0, 0)
      .startSend(1, 0)
      .startReceive(0, 1)
      .finishSend(1, 0)
      .finishReceive(0, 1, 1);
  EXPECT_EQ(said(), "");
  EXPECT_EQ(saidInOrder(), "");
}

TEST_F(ProofTest, RefusesSendsThatAreFinishedBeforeTheOtherReceives) {
  transfer("h", 0, 1), transfer("g", 1, 0);
  on(0)
      .make(0, 0)
      .startSend(0, 0)
      .finishSend(0, 0)
      .startReceive(1, 1)
      .finishReceive(1, 1, 1);
  on(1)
      .make(0, 0)
      .startSend(1, 0)
      .finishSend(1, 0)
      .startReceive(0, 1)
      .finishReceive(0, 1, 1);
  EXPECT_EQ(said(),
            "entry \"step\": ranks wait for one another, so that none goes on: "
            "rank 0 (task 2) waits to have sent h to rank 1, which starts to "
            "take it later (task 3); rank 1 (task 2) waits to have sent g to "
            "rank 0, which starts to take it later (task 3)");
}

TEST_F(ProofTest, TellsStagesAndMicroBatches) {
  transfer("h", 0, 1, 2), transfer("g", 1, 0, 2);
  on(0)
      .block("stage 0, forward")
      .make(0, 0)
      .startSend(0, 0)
      .finishSend(0, 0)
      .block("stage 0, backward")
      .startReceive(1, 1)
      .finishReceive(1, 1, 1)
      .order({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, 2);
  on(1)
      .block("stage 1, forward")
      .startReceive(0, 0)
      .finishReceive(0, 0, 0)
      .block("stage 1, backward")
      .make(1, 1)
      .startSend(1, 1, 1)
      .finishSend(1, 1, 1)
      .order({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, 2);
  EXPECT_EQ(said(),
            "entry \"step\": ranks wait for one another, so that none goes on: "
            "rank 0 (stage 0, forward, micro-batch 1) waits to have sent h to "
            "rank 1, which starts to take it later (stage 1, forward, "
            "micro-batch 1); rank 1 (stage 1, backward, micro-batch 0) waits "
            "to have sent g to rank 0, which starts to take it later (stage 0, "
            "backward, micro-batch 0)");
}

TEST_F(ProofTest, RefusesACollectiveBehindWhatAnotherMemberWaitsFor) {
  transfer("h", 0, 1);
  on(0).make(0, 0).reduce(0, 0, 0).startSend(0, 0, 1).finishSend(0, 0, 1);
  on(1).make(0, 0).startReceive(0, 1).finishReceive(0, 1, 2).reduce(0, 0, 0);
  EXPECT_EQ(said(),
            "entry \"step\": ranks wait for one another, so that none goes on: "
            "rank 0 (task 1) waits in all_reduce for rank 1, which comes to it "
            "later (task 3); rank 1 (task 2) waits for h of rank 0, which "
            "starts to send it later (task 2)");
}

TEST_F(ThreeRanks, TellTheShortestCycle) {
  // Rank 2 waits for rank 0, but is not part of the cycle of ranks 0 and 1.
  transfer("h", 0, 1), transfer("g", 1, 0), transfer("k", 0, 2);
  on(0)
      .make(0, 0)
      .startSend(0, 0)
      .finishSend(0, 0)
      .startReceive(1, 1)
      .finishReceive(1, 1, 1)
      .startSend(2, 0)
      .finishSend(2, 0);
  on(1)
      .make(0, 0)
      .startSend(1, 0)
      .finishSend(1, 0)
      .startReceive(0, 1)
      .finishReceive(0, 1, 1);
  on(2).startReceive(2, 0).finishReceive(2, 0, 0);
  const std::string error = said();
  EXPECT_THAT(error, HasSubstr("rank 0"));
  EXPECT_THAT(error, HasSubstr("rank 1"));
  EXPECT_THAT(error, ::testing::Not(HasSubstr("rank 2")));
}

TEST_F(ThreeRanks, MayComeToCollectivesOfTwoGroupsInOneOrderOnly) {
  for (auto [first, second] : {std::pair<int64_t, int64_t>{0, 1}, {1, 2}}) {
    plan::Group group{{"pair", 2}};
    group.ranks = {first, second};
    group.name = "pair" + std::to_string(first);
    plan_.groups.push_back(group);
  }
  // Rank 1 is in both pairs, groups 4 and 5, and in group 0 of all ranks.
  on(0).make(0, 0).reduce(4, 0, 0).reduce(0, 0, 1);
  on(1)
      .make(0, 0)
      .reduce(4, 0, 0)
      .reduce(5, 0, 1)
      .indexed(0)
      .reduce(0, 0, 2)
      .indexed(1);
  on(2).make(0, 0).reduce(0, 0, 0).indexed(1).reduce(5, 0, 1).indexed(0);
  tasksOf(1).values.tasks[1].collectiveIndex = 0;
  EXPECT_THAT(said(), HasSubstr("ranks wait for one another"));
}

TEST_F(ProofTest, RefusesCollectivesThatAreAlikeInAnotherOrder) {
  on(0).make(0, 0).reduce(0, 0, 0).reduce(0, 0, 1);
  on(1).make(0, 0).reduce(0, 0, 0).indexed(1).reduce(0, 0, 1).indexed(0);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0 comes to collective 0 of its group, "
            "all_reduce (task 1), where rank 1 comes to collective 1, "
            "all_reduce (task 1)");
}

TEST_F(ProofTest, SaysWhatNobodySends) {
  transfer("h", 0, 1);
  on(1).startReceive(0, 0).finishReceive(0, 0, 0);
  EXPECT_EQ(checkWaits(plan_, 0, Channel::kAnyOrder).message(),
            "rank 1 (task 1) waits for h of rank 0, which never starts to send "
            "it");
}

TEST_F(ProofTest, TellsMessagesApartUnlessTheyGoInOrder) {
  receiveTheOtherWayRound();
  on(0).make(0, 0).startSend(0, 0).startSend(1, 0).finishSend(0, 0).finishSend(
      1, 0);
  EXPECT_EQ(said(), "");
  EXPECT_EQ(saidInOrder(),
            "rank 0 starts to send h (task 1) before k (task 2), and rank 1 to "
            "receive them the other way round, so that neither goes");
  // No send waits before the other one has started.
  EXPECT_EQ(proveInOrderOfReceives(plan_, 0), absl::OkStatus());
}

TEST_F(ProofTest, ChoosesChannelsOnWhichNoMessageOvertakesAnother) {
  receiveTheOtherWayRound();
  transfer("l", 0, 1), transfer("m", 1, 0);
  on(0)
      .make(0, 0)
      .startReceive(3, 1)
      .startSend(0, 0)
      .startSend(1, 0)
      .startSend(2, 0)
      .finishSend(0, 0)
      .finishSend(1, 0)
      .finishSend(2, 0)
      .finishReceive(3, 1, 1);
  on(1)
      .make(3, 3)
      .startSend(3, 3)
      .startReceive(2, 2)
      .finishReceive(2, 2, 2)
      .finishSend(3, 3);
  EXPECT_NE(saidInOrder(), "");
  // k overtakes h; l comes after both, and m goes the other way.
  EXPECT_THAT(channelsFor(plan_, 0), ElementsAre(0, 1, 0, 0));
  plan_.entries[0].transfers[1].channel = 1;
  EXPECT_EQ(saidInOrder(), "");
}

TEST_F(ProofTest, RefusesReceivesInAnotherOrderThanTheSendsNeed) {
  receiveTheOtherWayRound();
  on(0).make(0, 0).startSend(0, 0).finishSend(0, 0).startSend(1, 0).finishSend(
      1, 0);
  EXPECT_EQ(said(), "");
  EXPECT_THAT(std::string(proveInOrderOfReceives(plan_, 0).message()),
              HasSubstr("rank 0 starts to send h (task 1) before k (task 3), "
                        "and rank 1 to receive them the other way round"));
}

// ---- Values -----------------------------------------------------------------

TEST_F(ProofTest, RefusesToReadWhatIsNotMadeYet) {
  on(0).map(0, 0, 1, 1).make(0, 0);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, task 0: nn.map wants the result of "
            "nn.make (task 1) and finds nothing at 0");
}

TEST_F(ProofTest, RefusesToReadWhatIsOverwritten) {
  on(0).make(0, 0).make(0, 1).map(0, 0, 1, 2);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, task 2: nn.map wants the result of "
            "nn.make (task 0) and finds the result of nn.make (task 1) at 0");
}

TEST_F(ProofTest, RefusesToOverwriteWhatIsSent) {
  transfer("h", 0, 1);
  on(0).make(0, 0).startSend(0, 0).make(0, 1).finishSend(0, 0);
  on(1).startReceive(0, 0).finishReceive(0, 0, 0);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, task 2: nn.make overwrites h at 0 while "
            "it is sent");
}

TEST_F(ProofTest, RefusesToTouchWhatIsReceived) {
  transfer("h", 0, 1);
  on(0).make(0, 0).startSend(0, 0).finishSend(0, 0);
  on(1).startReceive(0, 0).make(0, 1).finishReceive(0, 0, 0);
  EXPECT_EQ(said(),
            "entry \"step\": rank 1, task 1: nn.make overwrites a tensor at 0 "
            "while it is received");
  tasksOf(1) = {};
  tasksOf(1).arenaBytes = 16 * kBytes;
  tasksOf(1).calls = {{"step"}};
  tasksOf(1).values.loopOf.assign(16, -1);
  on(1).startReceive(0, 0).map(0, 0, 1, 1).finishReceive(0, 0, 0);
  EXPECT_EQ(said(),
            "entry \"step\": rank 1, task 1: nn.map wants the result of "
            "finish_receive of h (task 2) and finds a tensor on its way at 0");
}

TEST_F(ProofTest, RefusesToReadAnotherMicroBatch) {
  const std::vector<Loop::BlockRun> order = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  on(0)
      .block("stage 0, forward")
      .make(0, 0)
      .block("stage 0, backward")
      .map(0, 0, 2, 1)
      .order(order, 2);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, stage 0, backward, micro-batch 0: nn.map "
            "wants the result of nn.make (stage 0, forward, micro-batch 0) and "
            "finds the result of nn.make (stage 0, forward, micro-batch 1) at "
            "0");
  // With a slot per micro-batch the plan is right.
  tasksOf(0).loops[0].slots = {{0, kBytes, 2, {0, 1}}};
  EXPECT_EQ(said(), "");
}

TEST_F(ProofTest, RefusesScratchMemoryThatIsInUse) {
  on(0).make(0, 0).map(1, 1, 2, 2).map(0, 0, 3, 3);
  plan_.kernels.push_back(plan_.kernels[0]);
  plan_.kernels.back().scratchBytes = kBytes;
  const auto withScratch = static_cast<int64_t>(plan_.kernels.size()) - 1;
  tasksOf(0).tasks[1] = KernelTask{withScratch, {2 * kBytes, 0}};
  tasksOf(0).values.tasks[1] = {{}, {2}, /*scratchBytes=*/kBytes};
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, task 2: nn.map wants the result of "
            "nn.make (task 0) and finds nothing at 0");
}

TEST_F(ProofTest, WantsOutputsInputsAndParametersWhereTheyAre) {
  plan_.entries[0].outputs = {tensorOn(1, "y")};
  for (plan::Program& program : plan_.programs) {
    program.entries[0].outputs = {plan::kAbsent};
    program.entries[0].values.outputs = {plan::kAbsent};
    program.entries[0].values.earlyOutputs = {plan::kAbsent};
  }
  tasksOf(0).outputs = {3 * kBytes};
  tasksOf(0).values.outputs = {1};
  on(0).make(0, 0).map(0, 0, 2, 1);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, in the end: output y at 192 is nothing "
            "and not the result of nn.map (task 1)");
  tasksOf(0).values.earlyOutputs = {1};
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, before all updates: output y at 192 is "
            "nothing and not the result of nn.map (task 1)");
}

TEST_F(ProofTest, WantsParametersUnchangedBeforeTheFirstUpdate) {
  plan_.parameters = {{tensorOn(1, "w"), {}}};
  plan_.programs[1].parameters = {plan::kAbsent};
  plan_.programs[0].parameters = {0};
  plan_.programs[0].persistentBytes = kBytes;
  tasksOf(0).values.parameters = {{0, kBytes, /*before=*/0, /*after=*/1}};
  on(0).map(0, 0, 0, 1);
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, before all updates: parameter w at 0 is "
            "the result of nn.map (task 0) and not parameter w");
  tasksOf(0).firstUpdate = 0;
  EXPECT_EQ(said(), "");
  tasksOf(0).values.parameters[0].after = 0;
  EXPECT_EQ(said(),
            "entry \"step\": rank 0, in the end: parameter w at 0 is the "
            "result of nn.map (task 0) and not parameter w");
}

TEST_F(ProofTest, LooksAtAFewTimesOfALoopThatRunsVeryOften) {
  on(0).block("").make(0, 0).map(0, 0, 1, 1).order({}, int64_t{1} << 32);
  tasksOf(0).loops[0].blocks.clear();
  EXPECT_EQ(said(), "");
}

TEST_F(ProofTest, LooksOnlyAtWaitsWhereValuesAreUnknown) {
  on(0).map(0, 0, 1, 1);
  tasksOf(0).values = {};
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace sbp::proof
