#include "passes/schedule/lab/ChimeraChoice.h"

#include <algorithm>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/lab/ChimeraModel.h"
#include "runtime/status/Status.h"

namespace sbp::schedule::lab {
namespace {

double real(int64_t number) { return static_cast<double>(number); }

/// Returns the configuration of depth `depth` with micro-batches of
/// `microBatch` samples; none if there is no table for it or if it does not
/// fit.
std::optional<ChimeraConfiguration> configurationOf(
    const ChimeraSettings& settings, int64_t depth, int64_t microBatch) {
  ChimeraConfiguration found;
  found.depth = depth;
  found.pipelines = settings.devices / depth;
  found.microBatch = microBatch;
  found.microBatches = settings.batch / found.pipelines / microBatch;
  Shape shape;
  shape.depth = depth;
  shape.microBatches = found.microBatches;
  shape.pairs = settings.pairs;
  shape.variant = settings.variant;
  const absl::StatusOr<Table> table = tableOf("chimera", shape);
  if (!table.ok()) return std::nullopt;

  const double parts = real(depth);
  double kept = 0;  // micro-batches
  for (const WorkerPeak& peak : peaksOf(*table))
    kept = std::max(kept, peak.inFlight);
  found.bytes = (2 * real(settings.pairs) * settings.weightBytes +
                 kept * real(microBatch) * settings.activationBytes) /
                parts;
  if (found.bytes > settings.memoryBytes) return std::nullopt;

  Durations durations;
  StageTimes times;
  times.forward = settings.overheadSeconds +
                  real(microBatch) * settings.forwardSeconds / parts;
  times.backward = settings.backwardRatio * times.forward;
  times.reduce =
      allReduceTime(real(2 * settings.pairs * found.pipelines),
                    settings.gradientBytes / parts, settings.alphaSeconds,
                    settings.betaSecondsPerByte);
  durations.stages.assign(depth, times);
  durations.latency = settings.alphaSeconds + settings.betaSecondsPerByte *
                                                  settings.messageBytes *
                                                  real(microBatch);
  const ChimeraModel model = chimeraModelOf(*table, durations);
  found.forwards = model.forwards;
  found.backwards = model.backwards;
  found.seconds = model.makespan;
  found.simulated = simulate(Dependencies(*table), durations).makespan;
  return found;
}

}  // namespace

absl::StatusOr<std::vector<ChimeraConfiguration>> chimeraConfigurations(
    const ChimeraSettings& settings) {
  std::vector<ChimeraConfiguration> all;
  for (int64_t depth = 2; depth <= settings.devices; depth += 2) {
    if (settings.devices % depth != 0 || settings.layers % depth != 0) continue;
    const int64_t pipelines = settings.devices / depth;
    if (settings.batch % pipelines != 0) continue;
    const int64_t ofPipeline = settings.batch / pipelines;
    for (int64_t microBatch = ofPipeline; microBatch > 0; --microBatch) {
      // Fewer than D micro-batches leave pipes idle.
      if (ofPipeline % microBatch != 0 ||
          ofPipeline / microBatch < std::min(depth, ofPipeline))
        continue;
      const auto found = configurationOf(settings, depth, microBatch);
      if (!found) continue;
      all.push_back(*found);
      break;
    }
  }
  if (all.empty())
    return error(
        "no even depth that divides {} devices and {} layers fits into {:.6g} "
        "bytes per device",
        settings.devices, settings.layers, settings.memoryBytes);
  return all;
}

}  // namespace sbp::schedule::lab
