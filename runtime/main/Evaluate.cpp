#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "runtime/file/Show.h"
#include "runtime/json/Cursor.h"
#include "runtime/main/Actions.h"
#include "runtime/math/Nan.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

/// An output that is a scalar, with its value in the last batch.
struct Scalar {
  std::string name;
  double value = 0;
  double sum = 0;  // over all batches so far
};

/// Gathers on rank 0 the outputs that are scalars into `scalars`, which has an
/// element for each.
absl::Status gatherScalars(Session& session, std::vector<Scalar>& scalars) {
  size_t next = 0;
  const plan::Entry& entry = session.run.entry();
  for (size_t i = 0; i < entry.outputs.size(); ++i) {
    if (!entry.outputs[i].shape.empty()) continue;
    SBP_ASSIGN_OR_RETURN(
        const tensor::HostTensor whole,
        tensor::gather(session.communicator,
                       session.run.plan.groupOf(entry.outputs[i]),
                       entry.outputs[i], session.executor.outputs()[i]));
    Scalar& scalar = scalars[next++];
    if (!session.isFirstRank()) continue;
    scalar.value = whole.number(0);
    scalar.sum += scalar.value;
  }
  return absl::OkStatus();
}

void show(const Session& session, int64_t batch,
          const std::vector<Scalar>& scalars) {
  if (session.run.options.isJson) {
    std::string line = fmt::format("{{\"batch\": {}", batch);
    for (const Scalar& scalar : scalars)
      line += fmt::format(", {}: {}", json::Value(scalar.name).dump(),
                          std::isfinite(scalar.value)
                              ? fmt::format("{:.9g}", scalar.value)
                              : "null");
    file::show(stdout, line + "}\n");
  } else if (!scalars.empty()) {
    std::string line = fmt::format("batch {}", batch);
    for (const Scalar& scalar : scalars)
      line += fmt::format("  {} {:.9g}", text::printable(scalar.name),
                          math::withoutSignOfNan(scalar.value));
    file::show(stdout, line + "\n");
  }
}

}  // namespace

absl::Status evaluate(Session& session) {
  std::vector<Scalar> scalars;
  for (const plan::Tensor& output : session.run.entry().outputs)
    if (output.shape.empty()) scalars.push_back({output.name});

  const int64_t numBatches = session.numBatches();
  if (session.isFirstRank() && session.run.options.numSteps == 0 &&
      session.feed.numLeftOver() > 0)
    file::show(
        stderr,
        fmt::format("note: {} left over, less than a batch of {}\n",
                    text::counted(session.feed.numLeftOver(), "sample") +
                        (session.feed.numLeftOver() == 1 ? " is" : " are"),
                    session.feed.batch()));
  for (int64_t batch = 0; batch < numBatches; ++batch) {
    session.trace.beginStep(batch + 1);
    SBP_RETURN_IF_ERROR(session.feed.load(batch, session.executor.inputs()));
    SBP_RETURN_IF_ERROR(session.feed.checkWhole());
    SBP_RETURN_IF_ERROR(
        session.executor.run(session.run.interruption.mustStopNow));
    session.trace.endStep();
    SBP_RETURN_IF_ERROR(gatherScalars(session, scalars));
    if (session.isFirstRank()) show(session, batch + 1, scalars);
    SBP_RETURN_IF_ERROR(
        session.dumps.collect(session.executor, session.communicator));
  }
  const bool showsMean = session.isFirstRank() && numBatches > 1 &&
                         !session.run.options.isJson && !scalars.empty();
  if (showsMean) {
    std::string line = "mean";
    for (const Scalar& scalar : scalars)
      line +=
          fmt::format("  {} {:.9g}", text::printable(scalar.name),
                      math::withoutSignOfNan(scalar.sum / double(numBatches)));
    file::show(stdout, line + "\n");
  }
  return absl::OkStatus();
}

}  // namespace sbp::program
