// Tests that randomly edited plans are accepted exactly if they run and compute
// the same values as before.
//
//   bazel test //test/properties:EditedPlans_test
//   ... --test_arg=--seeds=5000..9000                    other plans
//
// The compiler makes plans of random networks in stages, on groups of random
// ranks, with or without micro-batches that a schedule interleaves, in one or
// several pipes. In each plan, tasks are removed, doubled, swapped, moved, or
// moved to the program of other ranks, and runs of blocks are swapped or moved.
// The verdict of the plan's checks and proof must agree with a run in a
// simulator that shares no code with them (PlanMachine.h).

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/plan/BuildPlan.h"
#include "codegen/plan/testing/SymbolicPlan.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/Parser/Parser.h"
#include "passes/Pipelines.h"
#include "passes/schedule/Pipes.h"
#include "passes/schedule/testing/RandomTable.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/Stages.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/proof/Proof.h"
#include "runtime/proof/Waits.h"
#include "test/properties/Choices.h"
#include "test/properties/CompilerContext.h"
#include "test/properties/Examination.h"
#include "test/properties/PlanMachine.h"
#include "test/properties/RandomGroups.h"
#include "test/properties/RandomNetwork.h"
#include "test/properties/RandomPlacement.h"
#include "test/properties/SeedRange.h"
#include "test/properties/Trials.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kSeedsPerCase = 100;
constexpr int64_t kSeedsForAllVerdicts = 200;
constexpr int kEditsPerPlan = 25;
constexpr int64_t kMaxRanks = 5;
constexpr int64_t kMaxStages = 3;
constexpr int64_t kMaxStagesOfTables = 5;
constexpr const char* kRandomTable = "a random table of several pipes";
SeedRange seeds{0, 200};

// ---- Plans ------------------------------------------------------------------

/// Returns the text of a machine, and of one group of its ranks per stage.
std::string groupsOf(int64_t stages, bool areApart, Choices& choices) {
  const int64_t numRanks = choices.between(areApart ? stages : 1, kMaxRanks);
  std::string text = machineOf(numRanks);
  std::vector<int64_t> all(numRanks);
  std::iota(all.begin(), all.end(), 0);
  choices.shuffle(all);
  std::vector<std::string> names;
  for (int64_t stage = 0; stage < stages; ++stage) {
    std::vector<int64_t> ranks;
    if (areApart) {
      // Ranks are dealt out to the stages, so that each stage has at least one.
      for (int64_t i = stage; i < numRanks; i += stages)
        ranks.push_back(all[i]);
    } else {
      choices.shuffle(all);
      ranks.assign(all.begin(), all.begin() + choices.between(1, numRanks));
    }
    names.push_back(fmt::format("@group{}", stage));
    text += groupOf(names.back(), ranks, choices);
  }
  return text + stagesOn(names);
}

/// A plan, and the origins of its tasks.
struct Edited {
  plan::Plan plan;
  size_t entry = 0;
  Origins origins;
  size_t numPipes = 1;
};

/// Returns `plan` with each collective on its own, without buckets.
plan::Plan withoutBuckets(plan::Plan plan) {
  for (plan::Program& program : plan.programs)
    for (plan::EntryProgram& entry : program.entries)
      for (plan::Task& task : entry.tasks)
        if (auto* collective = std::get_if<plan::CollectiveTask>(&task))
          collective->bucket = -1;
  return plan;
}

/// Adds a random schedule to `module`, which has stages. Some stages are on
/// several groups.
void addRandomTable(ModuleOp module, int64_t parts, Choices& choices) {
  StagesOp stages = stagesOf(module);
  const schedule::Table table = schedule::randomTable(
      workersOf(stages).workerOfStage, parts, /*partsPerMicroBatch=*/1,
      /*isOnSeveral=*/true, [&](int64_t end) { return choices.below(end); });
  addSchedule(stages, table, module.getLoc());
}

/// Returns the number of pipes in the schedule of `module`.
size_t numPipesOf(ModuleOp module) {
  FailureOr<std::optional<schedule::Table>> table = scheduleOf(module);
  return succeeded(table) && *table ? schedule::pipesOf(**table).size() : 1;
}

/// Returns the plan of the network `text`, whose training entry is to be
/// edited. Returns nothing if `schedule` does not fit the network.
std::optional<Edited> planFor(MLIRContext* context, const std::string& text,
                              int64_t parts, const std::string& schedule,
                              Choices& choices) {
  mlir::OwningOpRef<ModuleOp> module =
      mlir::parseSourceString<ModuleOp>(text, context);
  PipelineOptions options;
  options.setMicroBatches(parts);
  if (!module) return std::nullopt;
  if (schedule == kRandomTable)
    addRandomTable(*module, parts, choices);
  else
    options.schedule.schedule = schedule;
  if (failed(bringTo(Form::Differentiated, *module, options)))
    return std::nullopt;
  // A random placement has more collectives than a plan of the search.
  if (choices.chance(60) && failed(placeStagesAtRandom(*module, choices)))
    return std::nullopt;
  options.schedule.schedule.clear();
  if (failed(bringTo(Form::Local, *module, options))) return std::nullopt;
  testing::SymbolicKernels kernels;
  FailureOr<plan::Plan> built = buildPlan(*module, "random", kernels);
  if (failed(built)) return std::nullopt;
  Edited result{std::move(*built), 0, {}, numPipesOf(*module)};
  while (result.plan.entries[result.entry].name != "train_step") ++result.entry;
  for (size_t i = 0; i < result.plan.programs.size(); ++i) {
    const plan::EntryProgram& program =
        result.plan.programs[i].entries[result.entry];
    std::vector<Origin>& origins = result.origins.emplace_back();
    std::map<int64_t, int64_t> numCollectives;  // by group
    for (size_t task = 0; task < program.tasks.size(); ++task) {
      Origin origin{static_cast<int64_t>(i), static_cast<int64_t>(task),
                    program.values.tasks[task].loop, 0};
      if (const auto* kernel =
              std::get_if<plan::KernelTask>(&program.tasks[task]))
        origin.scratchBytes = kernels.uses[kernel->kernel].scratchBytes;
      if (const auto* collective =
              std::get_if<plan::CollectiveTask>(&program.tasks[task]);
          collective && !plan::isLocal(collective->kind))
        origin.collective = numCollectives[collective->group]++;
      origins.push_back(origin);
    }
  }
  return result;
}

// ---- Edits ------------------------------------------------------------------

/// A task and its origin.
struct Whole {
  plan::Task task;
  plan::TaskValues values;
  Origin origin;
};

class Editor {
 public:
  /// Edits `edited`, which must be a copy of `given`.
  Editor(const Edited& given, Edited& edited, Choices& choices)
      : given_(given), edited_(edited), choices_(choices) {}

  /// Makes one random change, and returns its description.
  std::string edit() {
    const int64_t program = pickProgram();
    plan::EntryProgram& tasks = tasksOf(program);
    if (tasks.tasks.empty()) return "nothing";
    const int64_t at = pickTask(program);
    switch (choices_.below(8)) {
      case 0:
        take(program, at);
        return fmt::format("drops {} of {}", at, program);
      case 1: {
        const int64_t to = near(program, at);
        put(program, to, wholeOf(program, at));
        return fmt::format("doubles {} of {} at {}", at, program, to);
      }
      case 2: {
        const int64_t other = near(program, at);
        if (other == static_cast<int64_t>(tasks.tasks.size())) return "nothing";
        swap(program, at, other);
        return fmt::format("swaps {} and {} of {}", at, other, program);
      }
      case 3:
        return move(program, at);
      case 4: {
        const int64_t other = pickProgram();
        if (other == program) return "nothing";
        Whole whole = wholeOf(program, at);
        take(program, at);
        toOther(other, whole);
        const int64_t to = choices_.below(tasksOf(other).tasks.size() + 1);
        put(other, to, whole);
        return fmt::format("moves {} of {} to {} of {}", at, program, to,
                           other);
      }
      default:
        return editOrder(program);
    }
  }

  /// Moves a task, or a run of a block, within its program.
  std::string reorder() {
    const int64_t program = pickProgram();
    if (tasksOf(program).tasks.empty()) return "nothing";
    if (choices_.chance(70)) return editOrder(program);
    return move(program, pickTask(program));
  }

 private:
  plan::EntryProgram& tasksOf(int64_t program) {
    return edited_.plan.programs[program].entries[edited_.entry];
  }
  int64_t pickProgram() { return choices_.below(edited_.plan.programs.size()); }

  std::string move(int64_t program, int64_t at) {
    const int64_t to = near(program, at);
    const Whole whole = wholeOf(program, at);
    take(program, at);
    put(program, std::min<int64_t>(to, tasksOf(program).tasks.size()), whole);
    return fmt::format("moves {} of {} to {}", at, program, to);
  }

  /// Returns the index of a random task. Tasks that communicate are more
  /// probable than others.
  int64_t pickTask(int64_t program) {
    const std::vector<plan::Task>& tasks = tasksOf(program).tasks;
    std::vector<int64_t> ends;
    for (size_t i = 0; i < tasks.size(); ++i)
      if (!std::holds_alternative<plan::KernelTask>(tasks[i]))
        ends.push_back(static_cast<int64_t>(i));
    if (!ends.empty() && choices_.chance(60)) return choices_.pick(ends);
    return choices_.below(tasks.size());
  }

  /// Returns a position for a task, most often near `at`.
  int64_t near(int64_t program, int64_t at) {
    const auto size = static_cast<int64_t>(tasksOf(program).tasks.size());
    if (choices_.chance(30)) return choices_.below(size + 1);
    return std::clamp<int64_t>(at + choices_.between(-3, 3), 0, size);
  }

  Whole wholeOf(int64_t program, int64_t at) {
    plan::EntryProgram& tasks = tasksOf(program);
    return {tasks.tasks[at], tasks.values.tasks[at],
            edited_.origins[program][at]};
  }

  /// Adds `by` to the bounds of loops and blocks that are above task `at`.
  static void shift(plan::EntryProgram& tasks, int64_t at, int64_t by) {
    const auto move = [&](int64_t& bound) {
      if (bound > at) bound += by;
    };
    move(tasks.firstUpdate);
    for (plan::Loop& loop : tasks.loops) {
      move(loop.first);
      move(loop.last);
      for (plan::Loop::Block& block : loop.blocks) {
        move(block.first);
        move(block.last);
      }
    }
  }

  void take(int64_t program, int64_t at) {
    plan::EntryProgram& tasks = tasksOf(program);
    std::vector<Origin>& origins = edited_.origins[program];
    tasks.tasks.erase(tasks.tasks.begin() + at);
    tasks.origins.clear();  // places of the model's text become unknown
    tasks.values.tasks.erase(tasks.values.tasks.begin() + at);
    origins.erase(origins.begin() + at);
    shift(tasks, at, -1);
  }

  /// Inserts a task before the task at `at`, into the same loop and block.
  void put(int64_t program, int64_t at, const Whole& whole) {
    plan::EntryProgram& tasks = tasksOf(program);
    std::vector<Origin>& origins = edited_.origins[program];
    tasks.tasks.insert(tasks.tasks.begin() + at, whole.task);
    tasks.origins.clear();
    tasks.values.tasks.insert(tasks.values.tasks.begin() + at, whole.values);
    origins.insert(origins.begin() + at, whole.origin);
    shift(tasks, at, 1);
  }

  void swap(int64_t program, int64_t at, int64_t other) {
    plan::EntryProgram& tasks = tasksOf(program);
    std::vector<Origin>& origins = edited_.origins[program];
    std::swap(tasks.tasks[at], tasks.tasks[other]);
    std::swap(tasks.values.tasks[at], tasks.values.tasks[other]);
    std::swap(origins[at], origins[other]);
  }

  /// Converts `whole` to a task of `program`. Its operands become random
  /// buffers there, unless `program` is where the task came from.
  void toOther(int64_t program, Whole& whole) {
    if (whole.origin.program == program) {
      const plan::Program& home = given_.plan.programs[program];
      whole.values = home.entries[given_.entry].values.tasks[whole.origin.task];
      return;
    }
    plan::EntryValues& values = tasksOf(program).values;
    for (auto* ofTask : {&whole.values.read, &whole.values.written})
      for (int64_t& value : *ofTask) {
        value = static_cast<int64_t>(values.loopOf.size());
        values.loopOf.push_back(-1);
      }
    if (whole.values.loop >= static_cast<int64_t>(values.loops.size()))
      whole.values.loop = -1;
    std::visit([](auto& task) { task.call = 0; }, whole.task);
  }

  std::string editOrder(int64_t program) {
    std::vector<plan::Loop>& loops = tasksOf(program).loops;
    std::vector<plan::Loop*> ordered;
    for (plan::Loop& loop : loops)
      if (loop.order.size() > 1) ordered.push_back(&loop);
    if (ordered.empty()) return "nothing";
    plan::Loop& loop = *choices_.pick(ordered);
    std::vector<plan::Loop::BlockRun>& order = loop.order;
    const int64_t size = order.size();
    const int64_t at = pickRun(loop);
    const int64_t to =
        choices_.chance(60)
            ? std::clamp<int64_t>(at + choices_.between(-4, 4), 0, size - 1)
            : choices_.below(size);
    if (choices_.chance(50)) {
      std::swap(order[at], order[to]);
      return fmt::format("swaps runs {} and {} of {}", at, to, program);
    }
    const plan::Loop::BlockRun run = order[at];
    order.erase(order.begin() + at);
    order.insert(order.begin() + to, run);
    return fmt::format("moves run {} of {} to {}", at, program, to);
  }

  /// Returns the position of a random run of a block. Blocks that only start
  /// receives or finish sends are more probable, as they have many legal
  /// positions.
  int64_t pickRun(const plan::Loop& loop) {
    std::vector<int64_t> ends;
    for (size_t i = 0; i < loop.order.size(); ++i)
      if (loop.blocks[loop.order[i].block].name.find(' ') != std::string::npos)
        ends.push_back(static_cast<int64_t>(i));
    if (!ends.empty() && choices_.chance(80)) return choices_.pick(ends);
    return choices_.below(loop.order.size());
  }

  const Edited& given_;
  Edited& edited_;
  Choices& choices_;
};

// ---- The test ---------------------------------------------------------------

class EditedPlans : public ::testing::TestWithParam<SeedRange> {
 protected:
  /// Returns the plan of a random network.
  Edited randomPlan(Choices& choices) {
    RandomNetwork network = randomNetwork(choices, kMaxStages);
    const std::string text =
        groupsOf(network.stages, choices.chance(70), choices) +
        inF32(network.text);
    const int64_t parts = choices.chance(80) ? network.parts : 1;
    const std::string schedules[] = {"",      "gpipe",   "1f1b", "eager-1f1b",
                                     "zb-h1", "chimera", "gems", kRandomTable};
    const std::string schedule = parts > 1 ? choices.pick(schedules) : "";
    context_.forget();
    std::optional<Edited> plan =
        planFor(context_.get(), text, parts, schedule, choices);
    if (!plan) plan = planFor(context_.get(), text, parts, "", choices);
    EXPECT_TRUE(plan) << context_.errors() << text;
    return plan ? std::move(*plan) : Edited();
  }

  void examine(const Edited& given, Choices& choices) {
    const PlanRun expected = runOnMachines(
        given.plan, given.entry, given.origins, Messages::AnyOrder, choices);
    ASSERT_EQ(expected.fault, "");
    for (int i = 0; i < kEditsPerPlan && !HasFatalFailure(); ++i) {
      Edited edited = given;
      std::string edits;
      Editor editor(given, edited, choices);
      // Most deadlocks need several edits, all of which change the order only.
      const bool isReordered = choices.chance(25);
      for (int64_t left = isReordered          ? choices.between(4, 15)
                          : choices.chance(75) ? 1
                                               : 2;
           left > 0; --left)
        edits += (isReordered ? editor.reorder() : editor.edit()) + "; ";
      SCOPED_TRACE(edits);
      compare(edited, expected, choices);
    }
  }

  void compare(const Edited& edited, const PlanRun& expected,
               Choices& choices) {
    const absl::Status checked = plan::check(edited.plan);
    absl::Status proven = checked.ok() ? proof::prove(edited.plan) : checked;
    const PlanRun run = runOnMachines(edited.plan, edited.entry, edited.origins,
                                      Messages::AnyOrder, choices);
    std::string difference = differenceOf(run, expected);
    if (!proven.ok() && difference.empty() && runsElsewhere(run, expected))
      difference = "a task runs elsewhere";
    if (!proven.ok() && difference.empty()) {
      // A plan with a broken bucket is refused, although the collectives could
      // run without the bucket.
      const plan::Plan alone = withoutBuckets(edited.plan);
      proven = plan::check(alone);
      if (proven.ok()) proven = proof::prove(alone);
      ++numOfBrokenBuckets_;
    }
    ++(proven.ok() ? numAccepted_ : numRefused_);
    ASSERT_EQ(proven.ok(), difference.empty())
        << "said: " << proven << "\ncame: " << difference;
    if (!checked.ok()) return;
    const bool hangs = compareWaits(edited, proof::Channel::kAnyOrder,
                                    Messages::AnyOrder, choices);
    const bool hangsInOrder = compareWaits(edited, proof::Channel::kInOrder,
                                           Messages::InOrder, choices);
    if (hangs) ++numHanging_;
    if (hangsInOrder && !hangs) ++numOutOfOrder_;
  }

  /// Compares the verdicts on deadlocks only, regardless of other faults.
  /// Returns whether ranks wait for ever.
  bool compareWaits(const Edited& edited, proof::Channel channel,
                    Messages messages, Choices& choices) {
    const absl::Status told =
        proof::checkWaits(edited.plan, edited.entry, channel);
    const bool hangs = runOnMachines(edited.plan, edited.entry, edited.origins,
                                     messages, choices)
                           .hangs;
    // A mismatch of collectives is a fault, but not a wait.
    const bool areMixed =
        told.message().find("comes to collective") != std::string::npos;
    EXPECT_EQ(told.ok(), !hangs && !areMixed) << "said: " << told;
    return hangs;
  }

  /// Checks that the seeds led to all verdicts, and to plans with several
  /// pipes.
  static void TearDownTestSuite() {
    if (numSeeds_ < kSeedsForAllVerdicts) return;
    EXPECT_GT(numWithPipes_, 10);
    EXPECT_GT(numAccepted_, 300);
    EXPECT_GT(numRefused_, 300);
    EXPECT_GT(numHanging_, 0);
    EXPECT_GT(numOutOfOrder_, 0);
    EXPECT_GT(numOfBrokenBuckets_, 0);
  }

  CompilerContext context_;
  inline static int64_t numSeeds_ = 0, numWithPipes_ = 0, numAccepted_ = 0,
                        numRefused_ = 0, numHanging_ = 0, numOutOfOrder_ = 0,
                        numOfBrokenBuckets_ = 0;
};

TEST_P(EditedPlans, AreAcceptedExactlyIfTheyRunAndComputeTheSame) {
  for (uint64_t seed = GetParam().begin;
       seed < GetParam().end && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Choices choices(seed);
    const Edited plan = randomPlan(choices);
    ASSERT_FALSE(HasFailure());
    ++numSeeds_;
    if (plan.numPipes > 1) ++numWithPipes_;
    examine(plan, choices);
  }
}

// The plans have random legal schedules, stages on several groups, parameters
// of several stages, and backward passes that are whole, in halves, or both.
TEST_P(EditedPlans, AreProvenBeforeTheyAreEdited) {
  for (uint64_t seed = GetParam().begin; seed < GetParam().end; ++seed) {
    context_.forget();
    Choices choices(seed);
    RandomNetwork network = randomNetwork(choices, kMaxStagesOfTables);
    const std::string text =
        groupsOf(network.stages, /*areApart=*/true, choices) +
        inF32(network.text);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::optional<Edited> plan =
        planFor(context_.get(), text, network.parts, kRandomTable, choices);
    ASSERT_TRUE(plan) << context_.errors() << text;
    EXPECT_EQ(plan::check(plan->plan), absl::OkStatus()) << text;
    EXPECT_EQ(proof::prove(plan->plan), absl::OkStatus()) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EditedPlans,
                         ::testing::ValuesIn(seeds.pieces(kSeedsPerCase)),
                         nameOfSeeds);

}  // namespace
}  // namespace sbp::properties

int main(int argc, char** argv) {
  return sbp::properties::mainWithSeeds(argc, argv, &sbp::properties::seeds);
}
