#include "runtime/main/Saver.h"

#include <utility>

#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/file/OutputFile.h"
#include "runtime/status/Status.h"

namespace sbp::program {

Saver::Saver(const Options& options, const plan::Plan& plan,
             checkpoint::RunRecord record)
    : plan(plan), record(std::move(record)) {
  if (!options.savePath.empty())
    series.emplace(options.savePath, options.saveEvery, options.numKept);
}

absl::Status Saver::reserve(int64_t lastStep) {
  if (!series) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(file::checkWritable(series->path()));
  SBP_ASSIGN_OR_RETURN(file::FileLock taken,
                       file::FileLock::take(series->path()));
  lock.emplace(std::move(taken));
  return series->check(record.step, lastStep, checkpoint::dataBytes(plan));
}

absl::Status Saver::noteStep(int64_t step, int64_t sample,
                             const execute::Executor& executor,
                             communication::Communicator& communicator) {
  record.step = step;
  record.sample = sample;
  if (!isDue(step)) return absl::OkStatus();
  latestFailure = checkpoint::save(series->pathOf(step), plan,
                                   executor.parameters(), record, communicator);
  if (latestFailure.ok() && communicator.rank() == 0)
    latestFailure = series->noteWritten(step);
  savedStep = step;
  return communicator.abortStatus();
}

absl::Status Saver::saveLast(const execute::Executor& executor,
                             communication::Communicator& communicator) {
  absl::Status status = latestFailure;
  if (series && savedStep != record.step)
    status.Update(checkpoint::save(series->path(), plan, executor.parameters(),
                                   record, communicator));
  return status;
}

}  // namespace sbp::program
