#include "runtime/plan/Buckets.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {
namespace {

using ::testing::HasSubstr;
using Kind = CollectiveTask::Kind;

CollectiveTask allReduce(int64_t in, int64_t out, int64_t bucket) {
  CollectiveTask task;
  task.axes = {0};
  task.inShape = task.outShape = {16};
  task.in = in;
  task.out = out;
  task.bucket = bucket;
  return task;
}

/// Makes a plan for two ranks. Tasks 1 to 3 are a bucket; one of them is in
/// place, and two of them read the same tensor.
Plan bucketPlan() {
  Plan plan;
  plan.groups = {Group{{"gpu", 2}}};
  plan.entries.resize(1);
  plan.entries[0].name = "step";
  EntryProgram entry;
  entry.arenaBytes = 512;
  entry.tasks = {allReduce(0, 0, -1), allReduce(64, 64, 3),
                 allReduce(128, 192, 3), allReduce(128, 256, 3),
                 allReduce(0, 0, 4)};
  entry.firstUpdate = 5;
  entry.calls = {{"step"}};
  plan.programs = {{{0, 1}, 0, {}, {entry}}};
  return plan;
}

EntryProgram& entryOf(Plan& plan) { return plan.programs[0].entries[0]; }

CollectiveTask& task(Plan& plan, size_t index) {
  return std::get<CollectiveTask>(entryOf(plan).tasks[index]);
}

/// Turns the bucket into collectives of kind `kind`, with empty tensors.
void makeEmpty(Plan& plan, Kind kind) {
  for (size_t i = 1; i < 4; ++i) {
    task(plan, i).kind = kind;
    task(plan, i).inShape = task(plan, i).outShape = {0};
  }
}

TEST(Buckets, EndWhereAnotherNumberIs) {
  const Plan plan = bucketPlan();
  const std::vector<Task>& tasks = plan.programs[0].entries[0].tasks;
  EXPECT_EQ(bucketEnd(tasks, 0), 1);
  EXPECT_EQ(bucketEnd(tasks, 1), 4);
  EXPECT_EQ(bucketEnd(tasks, 4), 5);
  const std::vector<Task> alone(3, allReduce(0, 0, -1));
  EXPECT_EQ(bucketEnd(alone, 0), 1);
  const std::vector<Task> kernels(3, KernelTask());
  EXPECT_EQ(bucketEnd(kernels, 1), 2);
}

TEST(Buckets, RoundTrip) {
  const std::string text = toJson(bucketPlan());
  const auto plan = fromJson(text);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(toJson(*plan), text);
  const std::vector<Task>& tasks = plan->programs[0].entries[0].tasks;
  EXPECT_EQ(std::get<CollectiveTask>(tasks[0]).bucket, -1);
  EXPECT_EQ(std::get<CollectiveTask>(tasks[2]).bucket, 3);
}

TEST(Buckets, DoNotContradictThemselves) {
  const std::pair<const char*, std::function<void(Plan&)>> contradictions[] = {
      {"task 0 is of bucket -2; none is -1",
       [](Plan& p) { task(p, 0).bucket = -2; }},
      {"tasks 1 and 3 are of bucket 3, and task 2 is not",
       [](Plan& p) { task(p, 2).bucket = -1; }},
      {"tasks 1 and 4 are of bucket 3, and task 2 is not",
       [](Plan& p) {
         task(p, 2).bucket = task(p, 3).bucket = 5;
         task(p, 4).bucket = 3;
       }},
      {"bucket 4 of the tasks [4, 1029): 1025 collectives, not at most 1024",
       [](Plan& p) {
         CollectiveTask empty = task(p, 4);
         empty.inShape = empty.outShape = {0};
         entryOf(p).tasks.insert(entryOf(p).tasks.end(), 1024, empty);
       }},
      {"bucket 3 of the tasks [1, 4): task 1 is slice, in which no others take "
       "part",
       [](Plan& p) { makeEmpty(p, Kind::kSlice); }},
      {"task 1 is all_reduce over gpu of group 0, of f32 by sum, task 3 is "
       "all_reduce over gpu of group 0, of i32 by sum",
       [](Plan& p) { task(p, 3).elementType = ElementType::kI32; }},
      {"of f32 by sum, task 2 is all_reduce over gpu of group 0, of f32 by max",
       [](Plan& p) { task(p, 2).reduction = ReductionKind::kMax; }},
      {"task 2 is all_gather over gpu of group 0",
       [](Plan& p) {
         makeEmpty(p, Kind::kAllReduce);
         task(p, 2).kind = Kind::kAllGather;
       }},
      {"task 2 is all_reduce over  of group 0",
       [](Plan& p) { task(p, 2).axes = {}; }},
      {"task 3 is all_reduce over gpu of group 1",
       [](Plan& p) {
         p.groups.push_back(p.groups[0]);
         task(p, 3).group = 1;
       }},
      {"bucket 3 of the tasks [1, 4): across the first update, 2",
       [](Plan& p) { entryOf(p).firstUpdate = 2; }},
      {"bucket 3 of the tasks [1, 4): task 1 stands in no loop, task 2 in "
       "block 0",
       [](Plan& p) { entryOf(p).loops = {{2, 5, /*numMicroBatches=*/2, {}}}; }},
      {"task 1 stands in block 0, task 3 in block 1",
       [](Plan& p) {
         Loop loop = {0, 5, /*numMicroBatches=*/1, {}};
         loop.blocks = {{"1F", 0, 3, 1}, {"1B", 3, 5, 1}};
         loop.order = {{0, 0}, {1, 0}};
         entryOf(p).loops = {loop};
       }},
      {"task 1 is 0 steps ahead, task 3 is -2",
       [](Plan& p) {
         p.entries[0].maxSkew = 2;
         entryOf(p).firstUpdate = 1;
         entryOf(p).firstLate = 3;
       }},
      {"task 1 is 1 steps ahead, task 2 is 0",
       [](Plan& p) {
         p.entries[0].maxSkew = 1;
         entryOf(p).headStepOffset = 1;
         entryOf(p).loops = {{2, 2, /*numMicroBatches=*/1, {}}};
       }},
      {"task 2 writes [192, 256), of which task 3 writes [192, 256)",
       [](Plan& p) { task(p, 3).out = 192; }},
      {"task 2 writes [192, 260), of which task 3 writes [256, 320)",
       [](Plan& p) {
         task(p, 2).inShape = task(p, 2).outShape = {17};
         task(p, 2).in = task(p, 3).in = 384;
       }},
      {"task 3 writes [256, 320), of which task 2 reads [256, 320)",
       [](Plan& p) { task(p, 2).in = 256; }},
      {"task 1 writes [64, 128), of which task 3 reads [64, 128)",
       [](Plan& p) { task(p, 3).in = 64; }},
  };
  EXPECT_TRUE(check(bucketPlan()).ok()) << check(bucketPlan());
  for (const auto& [message, introduce] : contradictions) {
    Plan plan = bucketPlan();
    introduce(plan);
    EXPECT_THAT(std::string(check(plan).message()), HasSubstr(message));
  }
}

TEST(Buckets, MayHaveEmptyTensorsAnywhere) {
  Plan plan = bucketPlan();
  makeEmpty(plan, Kind::kAllReduce);
  for (size_t i = 1; i < 4; ++i) task(plan, i).in = task(plan, i).out = 64;
  EXPECT_TRUE(check(plan).ok()) << check(plan);
}

TEST(Buckets, AreTheSameOnRanksThatMeet) {
  Plan plan = bucketPlan();
  plan.programs.push_back(plan.programs[0]);
  plan.programs[0].ranks = {0};
  plan.programs[1].ranks = {1};
  for (size_t i = 1; i < 4; ++i)
    task(plan, i).bucket = 8;  // another name for the same bucket
  EXPECT_TRUE(check(plan).ok()) << check(plan);
  task(plan, 3).bucket = 9;
  EXPECT_THAT(std::string(check(plan).message()),
              HasSubstr("from collective 1 on, 2 travel together on rank 0 and "
                        "3 on rank 1"));
  for (size_t i = 1; i < 4; ++i) task(plan, i).bucket = -1;
  EXPECT_THAT(std::string(check(plan).message()),
              HasSubstr("from collective 1 on, 1 travel together on rank 0 and "
                        "3 on rank 1"));
}

}  // namespace
}  // namespace sbp::plan
