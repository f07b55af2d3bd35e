#include "tools/lab/vtrain/MegatronModel.h"

#include <algorithm>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/families/Family.h"

namespace sbp::vtrain {
namespace {

/// Number of known tokens of the models, of which the runs' files do not tell.
constexpr double kVocabulary = 51200;
constexpr double kElementBytes = 2;

double real(int64_t number) { return static_cast<double>(number); }

double allReduceSeconds(int64_t gpus, double bytes,
                        const MachineNumbers& numbers,
                        const AllReduces& allReduces) {
  if (gpus == 1) return 0;
  return numbers.allReduce * allReduces.at(gpus).seconds(bytes);
}

}  // namespace

std::vector<schedule::PipeStage> stagesOf(const MeasuredRun& run,
                                          const MachineNumbers& numbers,
                                          const AllReduces& allReduces) {
  const double b = real(run.microBatch), s = real(run.length),
               h = real(run.hidden), t = real(run.tensor);
  const double layers = real(run.layers) / real(run.pipeline);
  const double flops = (24 * b * s * h * h + 4 * b * s * s * h) / t;
  // Element-wise ops read and write b s h elements some eight times, those of
  // the divided products a t-th of them; attention's scores four times.
  const double bytes = kElementBytes * (8 * b * s * h * (1 + 2 / t) +
                                        4 * b * real(run.heads) * s * s / t);
  const double work =
      (flops + numbers.half) / numbers.rate + bytes * numbers.memory;
  const double output = b * s * h * kElementBytes;
  const double sums =
      2 * allReduceSeconds(run.tensor, output, numbers, allReduces);
  const double forward = std::max(numbers.launch, work) + sums;
  const double backward = std::max(numbers.launch, 2 * work) + sums;
  const double head = 2 * b * s * h * kVocabulary / t / numbers.rate;

  std::vector<schedule::PipeStage> stages;
  for (int64_t i = 0; i < run.pipeline; ++i) {
    schedule::PipeStage& stage = stages.emplace_back();
    const bool isFirst = i == 0, isLast = i + 1 == run.pipeline;
    stage.forward = layers * forward + (isLast ? head : 0);
    stage.input = layers * backward + (isLast ? 2 * head : 0);
    const double parameters =
        (12 * h * h * layers + (isFirst || isLast ? kVocabulary * h : 0)) / t;
    stage.once = allReduceSeconds(run.data, kElementBytes * parameters, numbers,
                                  allReduces);
    stage.message = isLast ? 0 : numbers.message * output;
    stage.beforeInput = stage.inFlight = real(run.pipeline - i);
  }
  return stages;
}

double estimatedSeconds(const MeasuredRun& run, const MachineNumbers& numbers,
                        const AllReduces& allReduces) {
  return numbers.constant +
         schedule::boundOfPipe(stagesOf(run, numbers, allReduces),
                               run.numMicroBatches());
}

double simulatedSeconds(const MeasuredRun& run, const MachineNumbers& numbers,
                        const AllReduces& allReduces) {
  schedule::Shape shape;
  shape.depth = run.pipeline;
  shape.microBatches = run.numMicroBatches();
  schedule::Table table = *schedule::tableOf("1f1b", shape);
  schedule::Durations durations;
  for (const schedule::PipeStage& stage : stagesOf(run, numbers, allReduces)) {
    schedule::StageTimes& times = durations.stages.emplace_back();
    times.forward = stage.forward;
    times.backward = stage.input;
    times.update = stage.once;
    durations.boundaryLatencies.push_back(stage.message);
  }
  for (int64_t stage = 0; stage < run.pipeline; ++stage)
    table.workers[stage].push_back(
        {schedule::Kind::Update, stage, 0, table.numParts()});
  return numbers.constant +
         schedule::simulate(schedule::Dependencies(table), durations).makespan;
}

}  // namespace sbp::vtrain
