// Tests of the events that a recorder writes: their order, nesting and times.

#include "runtime/trace/Recorder.h"

#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace sbp::trace {
namespace {

using std::chrono::microseconds;
using Kind = Recorder::Kind;

struct Event {
  std::string name, category;
  int64_t row = 0;
  int64_t start = 0, duration = 0;  // microseconds
  int64_t microBatch = -1;
};

bool operator==(const Event& a, const Event& b) {
  return a.name == b.name && a.category == b.category && a.row == b.row &&
         a.start == b.start && a.duration == b.duration &&
         a.microBatch == b.microBatch;
}

void PrintTo(const Event& event, std::ostream* stream) {
  *stream << event.name << " (" << event.category << ", " << event.row
          << ") at " << event.start << " for " << event.duration << " of "
          << event.microBatch;
}

class RecorderTest : public testing::Test {
 protected:
  /// Adds `name` from `start` to `end`, in microseconds.
  void add(int64_t name, int64_t start, int64_t end) {
    recorder.add(name, begin + microseconds(start), begin + microseconds(end));
  }

  /// Returns the events without steps.
  std::vector<Event> events() const {
    return eventsWhere([](const std::string& kind) { return kind != "step"; });
  }

  std::vector<std::string> steps() const {
    std::vector<std::string> names;
    for (const Event& event :
         eventsWhere([](const std::string& kind) { return kind == "step"; }))
      names.push_back(event.name);
    return names;
  }

  Recorder recorder{/*mostSteps=*/2};
  const Recorder::Clock::time_point begin = Recorder::Clock::now();
  const int64_t forward = recorder.addName(Kind::kTask, "1F");
  const int64_t update = recorder.addName(Kind::kTask, "update");
  const int64_t kernel = recorder.addName(Kind::kKernel, "gelu \"0\"");
  const int64_t collective = recorder.addName(Kind::kCollective, "all_reduce");
  const int64_t transfer = recorder.addName(Kind::kTransfer, "finish_receive");

 private:
  template <typename IsWanted>
  std::vector<Event> eventsWhere(IsWanted isWanted) const {
    // Times count from the first event that is not a step.
    const std::string text =
        "[" + recorder.eventsOf(3, "rank 3", recorder.start()) + "]";
    std::vector<Event> events;
    std::optional<double> zero;
    for (const auto& event : nlohmann::json::parse(text)) {
      EXPECT_EQ(event["pid"], 3);
      if (event["ph"] != "X") continue;
      const double start = event["ts"];
      if (event["cat"] != "step" && !zero) zero = start;
      if (!isWanted(event["cat"])) continue;
      events.push_back({event["name"], event["cat"], event["tid"],
                        std::lround(start - zero.value_or(start)),
                        std::lround(double(event["dur"])),
                        event.contains("args")
                            ? int64_t(event["args"]["micro_batch"])
                            : -1});
    }
    return events;
  }
};

TEST_F(RecorderTest, ATaskLastsFromTheFirstToTheLastThatItComputes) {
  recorder.beginStep(1);
  recorder.beginTask(forward, 4);
  add(transfer, 0, 1);
  add(kernel, 1, 5);
  add(collective, 5, 8);
  add(transfer, 8, 9);
  recorder.endTask();
  recorder.beginTask(update, -1);
  add(kernel, 12, 14);
  recorder.endTask();
  recorder.endStep();
  EXPECT_EQ(events(), (std::vector<Event>{
                          {"1F 4", "task", 0, 0, 7, 4},
                          {"finish_receive", "transfer", 1, -1, 1, 4},
                          {"gelu \"0\"", "kernel", 0, 0, 4, 4},
                          {"all_reduce", "collective", 1, 4, 3, 4},
                          {"finish_receive", "transfer", 1, 7, 1, 4},
                          {"update", "task", 0, 11, 2, -1},
                          {"gelu \"0\"", "kernel", 0, 11, 2, -1},
                      }));
}

TEST_F(RecorderTest, ATaskBeginsBehindAWaitThatIsLongerThanWhatCameBefore) {
  recorder.beginStep(1);
  for (int64_t wait : {3, 5}) {
    const int64_t start = 100 * wait;
    recorder.beginTask(forward, wait);
    add(kernel, start, start + 4);
    add(transfer, start + 4, start + 4 + wait);
    add(kernel, start + 4 + wait, start + 20);
    add(transfer, start + 20, start + 90);
    recorder.endTask();
  }
  recorder.endStep();
  std::vector<Event> tasks;
  for (const Event& event : events())
    if (event.category == "task") tasks.push_back(event);
  EXPECT_EQ(tasks, (std::vector<Event>{{"1F 3", "task", 0, 0, 20, 3},
                                       {"1F 5", "task", 0, 209, 11, 5}}));
}

TEST_F(RecorderTest, ATaskThatComputesNothingHasNoSlice) {
  recorder.beginStep(1);
  recorder.beginTask(forward, 0);
  add(transfer, 0, 1);
  recorder.endTask();
  add(kernel, 1, 2);
  recorder.endStep();
  EXPECT_EQ(events(), (std::vector<Event>{
                          {"finish_receive", "transfer", 1, 0, 1, 0},
                          {"gelu \"0\"", "kernel", 0, 1, 1, -1},
                      }));
}

TEST_F(RecorderTest, TheLastStepsAreKept) {
  for (int64_t step = 1; step <= 5; ++step) {
    recorder.beginStep(step);
    add(kernel, 10 * step, 10 * step + step);
    recorder.endStep();
  }
  EXPECT_EQ(steps(), (std::vector<std::string>{"step 4", "step 5"}));
  EXPECT_EQ(events(), (std::vector<Event>{
                          {"gelu \"0\"", "kernel", 0, 0, 4, -1},
                          {"gelu \"0\"", "kernel", 0, 10, 5, -1},
                      }));
}

TEST_F(RecorderTest, SlicesSayWhereTheyComeFrom) {
  const int64_t placed =
      recorder.addName(Kind::kKernel, "exp", "my \"gpt\".mlir:12:5");
  recorder.beginStep(1);
  recorder.beginTask(forward, 2);
  add(placed, 1, 2);
  recorder.endTask();
  add(placed, 3, 4);
  add(kernel, 5, 6);
  recorder.endStep();
  std::vector<nlohmann::json> arguments;
  for (const auto& event : nlohmann::json::parse(
           "[" + recorder.eventsOf(0, "rank 0", recorder.start()) + "]"))
    if (event["ph"] == "X" && event["cat"] == "kernel")
      arguments.push_back(event.value("args", nlohmann::json()));
  EXPECT_EQ(arguments,
            (std::vector<nlohmann::json>{
                {{"micro_batch", 2}, {"place", "my \"gpt\".mlir:12:5"}},
                {{"place", "my \"gpt\".mlir:12:5"}},
                nlohmann::json()}));
}

}  // namespace
}  // namespace sbp::trace
