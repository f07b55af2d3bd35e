// Tests of buckets of collectives, and of the search for numbers that are not
// finite in them.

#include "runtime/execute/Executor.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/communication/World.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/execute/NotFiniteOrigin.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/Plan.h"
#include "runtime/status/Status.h"

namespace sbp::execute {
namespace {

using communication::Communicator;
using plan::ElementType;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr int64_t kStride = plan::kBufferAlignment;
const std::atomic<bool> kNeverStopped{false};

plan::CollectiveTask allReduce(int64_t in, int64_t out, int64_t bucket) {
  plan::CollectiveTask task;
  task.axes = {0};
  task.in = in;
  task.out = out;
  task.bucket = bucket;
  return task;
}

/// Returns a plan for two ranks that run `tasks` in memory for 16 scalars. The
/// buffers at `outputs` are outputs.
plan::Plan planOf(std::vector<plan::Task> tasks, std::vector<int64_t> outputs) {
  plan::Plan plan;
  plan.groups = {plan::Group{{"gpu", 2}}};
  plan.entries.resize(1);
  plan.entries[0].name = "sums";
  for (int64_t output : outputs)
    plan.entries[0].outputs.push_back({std::to_string(output),
                                       ElementType::kF32,
                                       {},
                                       std::vector<plan::Component>(1)});
  plan::EntryProgram program;
  program.arenaBytes = 16 * kStride;
  program.outputs = std::move(outputs);
  program.firstUpdate = static_cast<int64_t>(tasks.size());
  program.tasks = std::move(tasks);
  program.calls = {{"sums"}, {"second", /*caller=*/0}};
  plan.programs = {{{0, 1}, 0, {}, {program}}};
  return plan;
}

constexpr int64_t kA = 0, kB = kStride, kSumOfB = 2 * kStride,
                  kBefore = 3 * kStride, kTwice = 4 * kStride;

/// Returns a plan that reduces a (in place) and b in a bucket, and then the sum
/// of b once more alone. The sum of b lies in a rotation.
plan::Plan summingPlan() {
  plan::CollectiveTask second = allReduce(kB, kSumOfB, /*bucket=*/7);
  second.call = 1;
  plan::Plan plan = planOf({allReduce(kA, kA, /*bucket=*/7), second,
                            allReduce(kSumOfB, kTwice, /*bucket=*/-1)},
                           {kA, kSumOfB, kBefore, kTwice});
  plan.programs[0].entries[0].rotations = {{kSumOfB, kStride, 2}};
  return plan;
}

float& scalarAt(const Communicator& communicator, int64_t buffer) {
  return *reinterpret_cast<float*>(communicator.arena() + buffer);
}

std::vector<float> outputsOf(const Executor& executor) {
  std::vector<float> outputs;
  for (const device::LocalTensor& output : executor.outputs())
    outputs.push_back(output.get<float>().value());
  return outputs;
}

std::vector<std::string> namesOf(const std::vector<Timing>& timings) {
  std::vector<std::string> names;
  for (const Timing& timing : timings) names.push_back(timing.name);
  return names;
}

/// Runs `body` on each rank.
void runOnRanks(
    const plan::Plan& plan, const SbpKernel* kernels,
    const std::function<absl::Status(Executor&, Communicator&)>& body) {
  ASSERT_TRUE(plan::check(plan).ok()) << plan::check(plan);
  communication::WorldOptions options;
  options.groups = plan.groups;
  options.arenaBytes = arenaBytes(plan, 0);
  const absl::Status status = communication::runInProcess(
      options, [&](Communicator& communicator) -> absl::Status {
        device::CpuDevice device(communicator.arena(), kernels);
        SBP_ASSIGN_OR_RETURN(
            Executor executor,
            Executor::prepare(plan, 0, {communicator, communicator, device}));
        return body(executor, communicator);
      });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Buckets, RunAndAreTimedOnceInAStep) {
  runOnRanks(summingPlan(), /*kernels=*/nullptr,
             [](Executor& executor, Communicator& communicator) {
               scalarAt(communicator, kA) = 3;
               scalarAt(communicator, kB) = 5;
               SBP_RETURN_IF_ERROR(executor.run(kNeverStopped));
               EXPECT_THAT(outputsOf(executor), ElementsAre(6, 10, 0, 20));
               EXPECT_THAT(
                   namesOf(executor.timings()),
                   UnorderedElementsAre("all_reduce of 2 tensors over gpu",
                                        "all_reduce over gpu"));
               for (const Timing& timing : executor.timings())
                 EXPECT_EQ(timing.count, 1) << timing.name;
               return absl::OkStatus();
             });
}

TEST(Buckets, FindBuffersThatGoRoundWithTheSteps) {
  runOnRanks(summingPlan(), /*kernels=*/nullptr,
             [](Executor& executor, Communicator& communicator) {
               for (float b : {5.0f, 7.0f, 11.0f}) {
                 scalarAt(communicator, kB) = b;
                 executor.advance();
                 SBP_RETURN_IF_ERROR(executor.run(kNeverStopped));
               }
               EXPECT_THAT(outputsOf(executor), ElementsAre(0, 22, 14, 44));
               return absl::OkStatus();
             });
}

TEST(Buckets, FindBuffersInTheSlotsOfALoop) {
  constexpr int64_t kNumber = 0, kTotal = kStride;
  constexpr int64_t kSlots = 4 * kStride;  // two of a, b and the sum of b
  plan::Plan plan = planOf(
      {plan::KernelTask{0, {kNumber, kSlots + kA, kSlots + kB}},
       allReduce(kSlots + kA, kSlots + kA, /*bucket=*/0),
       allReduce(kSlots + kB, kSlots + kSumOfB, /*bucket=*/0),
       plan::KernelTask{1, {kSlots + kA, kSlots + kSumOfB, kTotal, kTotal}}},
      {kTotal});
  const plan::LocalType f32, i64 = {ElementType::kI64, {}};
  plan.kernels = {{"fill", "fill", {i64}, {f32, f32}},
                  {"add", "add", {f32, f32, f32}, {f32}}};
  const SbpKernel kernels[] = {
      [](void* const* buffers) {
        const auto time = *static_cast<int64_t*>(buffers[0]);
        *static_cast<float*>(buffers[1]) = static_cast<float>(1 + time);
        *static_cast<float*>(buffers[2]) = static_cast<float>(10 + time);
      },
      [](void* const* buffers) {
        *static_cast<float*>(buffers[3]) =
            100 * *static_cast<float*>(buffers[2]) +
            *static_cast<float*>(buffers[0]) + *static_cast<float*>(buffers[1]);
      }};
  plan::Loop loop;
  loop.last = 4;
  loop.numMicroBatches = 2;
  loop.carried = {{kTotal, sizeof(float)}};
  loop.microBatchBuffer = kNumber;
  loop.blocks = {{"fill", 0, 1, 2}, {"sum", 1, 3, 2}, {"add", 3, 4, 2}};
  loop.order = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
  loop.slots = {{kSlots, 3 * kStride, 2, {0, 1, 2}}};
  plan.programs[0].entries[0].loops = {loop};
  runOnRanks(plan, kernels, [](Executor& executor, Communicator&) {
    SBP_RETURN_IF_ERROR(executor.run(kNeverStopped));
    EXPECT_THAT(outputsOf(executor), ElementsAre(100 * (2 + 20) + (4 + 22)));
    return absl::OkStatus();
  });
}

TEST(Buckets, NameTheTensorThatIsNotFinite) {
  plan::Plan plan = summingPlan();
  plan.places = {{"sums.mlir"}, {{{0, 3, 7}}, {{0, 4, 8}}, {{0, 9, 5}}}};
  plan::EntryProgram& program = plan.programs[0].entries[0];
  program.origins = {0, 1, plan::kUnknownOrigin};
  program.calls[1].origin = 2;
  runOnRanks(
      plan, /*kernels=*/nullptr,
      [&](Executor& executor, Communicator& communicator) -> absl::Status {
        scalarAt(communicator, kA) = 3;
        scalarAt(communicator, kB) = 3e38f;
        SBP_ASSIGN_OR_RETURN(
            const std::string origin,
            originOfNotFinite(plan, 0, executor, communicator, kNeverStopped));
        EXPECT_EQ(origin,
                  "all_reduce over gpu gives inf of f32, though its operands "
                  "are finite, in @second at sums.mlir:4:8, called by @sums at "
                  "sums.mlir:9:5, on rank 0");
        return absl::OkStatus();
      });
}

}  // namespace
}  // namespace sbp::execute
