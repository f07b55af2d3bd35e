// The bound of a pipe is never above the makespan of a table that keeps at most
// its numbers of micro-batches, and for 1f1b it is close below.

#include "passes/schedule/Bounds.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "gtest/gtest.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/testing/RandomTable.h"

namespace sbp::schedule {
namespace {

/// A table with its dependencies and slots, made once for many durations.
struct KnownTable {
  explicit KnownTable(Table table)
      : table(std::move(table)),
        dependencies(this->table),
        slots(slotsOf(this->table)) {}

  Table table;
  Dependencies dependencies;
  std::vector<std::vector<StageSlots>> slots;
};

class Tables {
 public:
  const KnownTable& of(std::string_view family, int64_t depth, int64_t n) {
    std::unique_ptr<KnownTable>& known = tables_[{family, depth, n}];
    if (known) return *known;
    Shape shape;
    shape.depth = depth;
    shape.microBatches = n;
    known = std::make_unique<KnownTable>(*tableOf(family, shape));
    return *known;
  }

 private:
  std::map<std::tuple<std::string_view, int64_t, int64_t>,
           std::unique_ptr<KnownTable>>
      tables_;
};

/// Random times. A stage takes from 1 - unevenness to 1 times the longest
/// forward; messages take up to `message` of it.
struct RandomTimes {
  double unevenness = 0.5, message = 0;

  Durations draw(int64_t numStages, std::mt19937& random) const {
    const auto real = [&] {
      return std::uniform_real_distribution<double>(0, 1)(random);
    };
    Durations durations;
    const double input = 0.5 + real(), weight = 0.5 + real();
    for (int64_t stage = 0; stage < numStages; ++stage) {
      StageTimes& times = durations.stages.emplace_back();
      const double scale = 1 - unevenness * real();
      times.forward = scale;
      times.input = scale * input;
      times.weight = scale * weight;
      times.backward = times.input + times.weight;
      if (stage + 1 < numStages)
        durations.boundaryLatencies.push_back(message * real());
    }
    return durations;
  }
};

/// Returns the bound of a table with one stage per worker.
double boundOf(const KnownTable& known, const Durations& durations) {
  std::vector<PipeStage> stages(known.table.numStages);
  for (const std::vector<StageSlots>& ofWorker : known.slots)
    for (const StageSlots& slots : ofWorker) {
      PipeStage& stage = stages[slots.stage];
      const StageTimes& times = durations.stages[slots.stage];
      const bool isWhole = slots.awaitingWeightGradient == 0;
      stage.forward = times.forward;
      stage.input = isWhole ? times.backward : times.input;
      stage.weight = isWhole ? 0 : times.weight;
      stage.beforeInput = static_cast<double>(slots.awaitingBackward);
      stage.inFlight = static_cast<double>(slots.inFlight);
      if (slots.stage + 1 < known.table.numStages)
        stage.message = durations.boundaryLatencies[slots.stage];
    }
  return boundOfPipe(stages, known.table.numMicroBatches);
}

struct Gap {
  int64_t numAbove = 0;
  double mean = 0;  // of the makespan
};

Gap gapOf(std::string_view family, const RandomTimes& times, int64_t number) {
  std::mt19937 random(7);
  Tables tables;
  Gap gap;
  for (int64_t i = 0; i < number; ++i) {
    const int64_t depth = 1 + random() % 16;
    const int64_t least = family == "zb-h2" ? 2 * depth - 1 : 1;
    const int64_t n = least + random() % 64;
    const KnownTable& known = tables.of(family, depth, n);
    const Durations durations = times.draw(depth, random);
    const double makespan = simulate(known.dependencies, durations).makespan;
    const double below = 1 - boundOf(known, durations) / makespan;
    if (below < -1e-9) ++gap.numAbove;
    gap.mean += below / static_cast<double>(number);
  }
  ::testing::Test::RecordProperty("mean", std::to_string(gap.mean));
  return gap;
}

TEST(BoundOfPipe, IsWithinAThousandthOf1f1bInTheMean) {
  const Gap gap = gapOf("1f1b", {}, 20000);
  EXPECT_EQ(gap.numAbove, 0);
  EXPECT_LE(gap.mean, 0.001);
}

TEST(BoundOfPipe, IsExactFor1f1bOfEqualStages) {
  const Gap gap = gapOf("1f1b", RandomTimes{0, 0}, 500);
  EXPECT_EQ(gap.numAbove, 0);
  EXPECT_LE(gap.mean, 1e-9);
}

TEST(BoundOfPipe, IsNeverAboveOtherFamiliesAndLatencies) {
  for (std::string_view family :
       {"1f1b", "gpipe", "eager-1f1b", "zb-h1", "zb-h2"})
    for (double message : {0.0, 0.3, 3.0}) {
      const Gap gap = gapOf(family, {1, message}, 500);
      EXPECT_EQ(gap.numAbove, 0) << family << message;
    }
}

TEST(BoundOfPipe, IsNeverAboveTablesInAnyOrder) {
  std::mt19937 random(3);
  const auto below = [&](int64_t end) { return int64_t(random() % end); };
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> workers(1 + random() % 4);
    for (size_t stage = 0; stage < workers.size(); ++stage)
      workers[stage] = static_cast<int64_t>(stage);
    Table table = randomTable(workers, 1 + random() % 6, 1, false, below);
    bool isRecomputed = false, isMixed = false;
    for (const std::vector<Task>& tasks : table.workers) {
      const auto has = [&](Kind kind) {
        return std::any_of(tasks.begin(), tasks.end(),
                           [&](const Task& task) { return task.kind == kind; });
      };
      isRecomputed |= has(Kind::Recompute) || has(Kind::Reduce);
      isMixed |= has(Kind::Backward) && has(Kind::Weight);
    }
    if (isRecomputed || isMixed) continue;
    const KnownTable known(std::move(table));
    const Durations durations =
        RandomTimes{1, 0.5}.draw(known.table.numStages, random);
    EXPECT_LE(boundOf(known, durations),
              simulate(known.dependencies, durations).makespan * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace sbp::schedule
