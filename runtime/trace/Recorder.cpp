#include "runtime/trace/Recorder.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "runtime/trace/ChromeTrace.h"

namespace sbp::trace {
namespace {

enum Row : int64_t { kTasks, kCommunication };

Row rowOf(Recorder::Kind kind) {
  return kind == Recorder::Kind::kCollective ||
                 kind == Recorder::Kind::kTransfer
             ? kCommunication
             : kTasks;
}

std::string_view categoryOf(Recorder::Kind kind) {
  switch (kind) {
    case Recorder::Kind::kStep:
      return "step";
    case Recorder::Kind::kTask:
      return "task";
    case Recorder::Kind::kKernel:
      return "kernel";
    case Recorder::Kind::kCollective:
      return "collective";
    case Recorder::Kind::kTransfer:
      return "transfer";
  }
  return "";
}

/// Returns the difference between the system clock and the steady clock; all
/// processes of a host share both. Reads both clocks several times, and uses
/// the pair that was read fastest.
std::chrono::nanoseconds fromSteadyToSystemClock() {
  constexpr int kNumLooks = 9;
  std::chrono::nanoseconds least = std::chrono::nanoseconds::max();
  std::chrono::nanoseconds result(0);
  for (int look = 0; look < kNumLooks; ++look) {
    const auto before = Recorder::Clock::now();
    const auto system = std::chrono::system_clock::now();
    const auto after = Recorder::Clock::now();
    if (after - before >= least) continue;
    least = after - before;
    result = system.time_since_epoch() - before.time_since_epoch() - least / 2;
  }
  return result;
}

double microseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace

Recorder::Recorder(int64_t mostSteps)
    : mostSteps_(static_cast<size_t>(mostSteps)),
      untilClock_(fromSteadyToSystemClock()) {}

int64_t Recorder::addName(Kind kind, std::string name, std::string place) {
  names_.push_back({kind, std::move(name), std::move(place)});
  return static_cast<int64_t>(names_.size()) - 1;
}

void Recorder::beginStep(int64_t number) {
  RecordedStep step;
  if (steps_.size() == mostSteps_) {
    // Reuse the memory of the oldest step.
    step = std::move(steps_.front());
    step.slices.clear();
    steps_.pop_front();
  }
  step.number = number;
  step.start = Clock::now();
  steps_.push_back(std::move(step));
}

void Recorder::endStep() { steps_.back().end = Clock::now(); }

void Recorder::beginTask(int64_t name, int64_t microBatch) {
  task_ = static_cast<int64_t>(steps_.back().slices.size());
  beginsAgain_ = false;
  steps_.back().slices.push_back({name, microBatch, {}, {}});
}

void Recorder::endTask() {
  std::vector<Slice>& slices = steps_.back().slices;
  // Drop a task that computes nothing.
  if (slices[task_].end == Clock::time_point())
    slices.erase(slices.begin() + task_);
  task_ = -1;
}

void Recorder::add(int64_t name, Clock::time_point start,
                   Clock::time_point end) {
  std::vector<Slice>& slices = steps_.back().slices;
  int64_t microBatch = -1;
  if (task_ >= 0) {
    microBatch = slices[task_].microBatch;
    addToTask(names_[name].kind, start, end, slices[task_]);
  }
  slices.push_back({name, microBatch, start, end});
}

void Recorder::addToTask(Kind kind, Clock::time_point start,
                         Clock::time_point end, Slice& task) {
  if (kind == Kind::kTransfer) {
    beginsAgain_ |= end - start > task.end - task.start;
    return;
  }
  if (beginsAgain_ || task.end == Clock::time_point()) task.start = start;
  task.end = end;
  beginsAgain_ = false;
}

std::chrono::nanoseconds Recorder::start() const {
  return steps_.empty() ? std::chrono::nanoseconds::max()
                        : steps_.front().start.time_since_epoch() + untilClock_;
}

std::string Recorder::eventsOf(int64_t rank, std::string_view title,
                               std::chrono::nanoseconds zero) const {
  ChromeTrace trace;
  trace.addProcess(rank, title);
  trace.addRow(rank, kTasks, "tasks");
  trace.addRow(rank, kCommunication, "communication");
  const auto add = [&](Kind kind, std::string_view name, std::string_view place,
                       int64_t microBatch, Clock::time_point start,
                       Clock::time_point end) {
    trace.addSlice(rank, rowOf(kind),
                   {name, categoryOf(kind),
                    microseconds(start.time_since_epoch() + untilClock_ - zero),
                    microseconds(end - start), microBatch, place});
  };
  for (const RecordedStep& step : steps_) {
    add(Kind::kStep, fmt::format("step {}", step.number), "", -1, step.start,
        step.end);
    for (const Slice& slice : step.slices) {
      const Name& name = names_[slice.name];
      add(name.kind,
          name.kind == Kind::kTask && slice.microBatch >= 0
              ? fmt::format("{} {}", name.text, slice.microBatch)
              : name.text,
          name.place, slice.microBatch, slice.start, slice.end);
    }
  }
  return trace.text();
}

}  // namespace sbp::trace
