#include "runtime/main/TraceFile.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/status/Status.h"
#include "runtime/trace/ChromeTrace.h"

namespace sbp::program {
namespace {

using communication::Communicator;

/// Returns the number of events that a step of `program` records.
int64_t numEventsOf(const plan::EntryProgram& program) {
  const std::vector<int64_t> times = plan::numRunsOfTasks(program);
  int64_t number = std::accumulate(times.begin(), times.end(), int64_t{0});
  for (const plan::Loop& loop : program.loops)
    number += int64_t(plan::runsOf(loop).size());
  constexpr int64_t kStepAndUpdate = 2;
  return number + kStepAndUpdate;
}

/// Returns the number of steps to keep, the same on all ranks.
int64_t numSteps(const plan::Plan& plan, size_t entry) {
  int64_t most = 1;
  for (const plan::Program& program : plan.programs)
    most = std::max(most, numEventsOf(program.entries[entry]));
  return std::max<int64_t>(1, kTargetNumTraceEvents / most);
}

/// Returns the title of a rank: "rank 2, @back".
std::string titleOf(const plan::Plan& plan, int64_t rank) {
  std::string title = fmt::format("rank {}", rank);
  for (const plan::Group& group : plan.groups)
    if (!group.name.empty() && group.has(rank) &&
        group.size() < plan.numRanks())
      title += fmt::format(", @{}", group.name);
  return title;
}

/// Returns the number `mine` of every rank.
absl::StatusOr<std::vector<int64_t>> numbersOf(Communicator& communicator,
                                               int64_t mine) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       communicator.allGather(fmt::format("{}", mine)));
  std::vector<int64_t> numbers;
  for (const std::string& text : texts)
    if (!absl::SimpleAtoi(text, &numbers.emplace_back()))
      return error("a rank sent \"{}\" where a number belongs", text);
  return numbers;
}

/// Writes the file, on rank 0: its own events, then the events that each other
/// rank sends, sizes[rank] bytes. If the file cannot be written, still receives
/// from all ranks, so that no rank is kept waiting.
absl::Status join(const std::string& path, std::string events,
                  const std::vector<int64_t>& sizes,
                  Communicator& communicator) {
  auto file = file::OutputFile::create(path);
  absl::Status written = file.status();
  const auto write = [&](std::string_view text) {
    if (written.ok()) written = file->write(text);
  };
  write(trace::kFileBegin);
  write(events);
  for (int64_t peer = 1; peer < communicator.size(); ++peer) {
    events.resize(size_t(sizes[peer]));
    SBP_RETURN_IF_ERROR(communicator.receive(peer, events.data(), sizes[peer]));
    write(trace::kFileBetween);
    write(events);
  }
  write(trace::kFileEnd);
  return written.ok() ? file->commit() : written;
}

}  // namespace

TraceFile::TraceFile(std::string path, const plan::Plan& plan, size_t entry,
                     execute::Executor& executor)
    : path(std::move(path)), plan(&plan) {
  if (this->path.empty()) return;
  recorder = std::make_unique<trace::Recorder>(numSteps(plan, entry));
  executor.recordTo(*recorder);
}

absl::Status TraceFile::checkWritable() const {
  return recorder ? file::checkWritable(path) : absl::OkStatus();
}

void TraceFile::beginStep(int64_t number) {
  if (recorder) recorder->beginStep(number);
}

void TraceFile::endStep() {
  if (recorder) recorder->endStep();
}

absl::Status TraceFile::write(Communicator& communicator) const {
  if (!recorder) return absl::OkStatus();
  const int64_t rank = communicator.rank();
  SBP_ASSIGN_OR_RETURN(const std::vector<int64_t> starts,
                       numbersOf(communicator, recorder->start().count()));
  const std::chrono::nanoseconds zero(
      *std::min_element(starts.begin(), starts.end()));
  std::string events = recorder->eventsOf(rank, titleOf(*plan, rank), zero);
  SBP_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                       numbersOf(communicator, int64_t(events.size())));
  if (rank == 0) return join(path, std::move(events), sizes, communicator);
  return communicator.send(0, events.data(), int64_t(events.size()));
}

}  // namespace sbp::program
