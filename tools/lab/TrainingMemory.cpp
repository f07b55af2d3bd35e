#include "tools/lab/TrainingMemory.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fmt/format.h"

namespace sbp::search::lab {
namespace {

double real(int64_t number) { return static_cast<double>(number); }

}  // namespace

double TrainingMemory::numParameters() const {
  if (parameters > 0) return parameters;
  const double l = real(layers), h = real(hidden);
  return 12 * l * h * h *
         (1 + 13 / (12 * h) + real(vocabulary + length) / (12 * l * h));
}

double TrainingMemory::flopsPerStep() const {
  const double l = real(layers), h = real(hidden), s = real(length);
  return 96 * real(batch) * s * l * h * h *
         (1 + s / (6 * h) + real(vocabulary) / (16 * l * h));
}

int64_t TrainingMemory::intervalFor(int64_t stages) const {
  if (interval > 0) return interval;
  const int64_t ofStage = layers / stages;
  const double wanted = std::sqrt(real(layers));
  int64_t nearest = 1;
  for (int64_t factor = 1; factor <= ofStage; ++factor)
    if (ofStage % factor == 0 &&
        std::abs(real(factor) - wanted) < std::abs(real(nearest) - wanted))
      nearest = factor;
  return nearest;
}

double TrainingMemory::offloadedBytes(int64_t stages) const {
  return 4 * numParameters() / real(stages) + 16 * real(bucket);
}

double TrainingMemory::outputBytes() const {
  return 2 * real(microBatch) * real(length) * real(hidden);
}

double TrainingMemory::layerBytes() const {
  return real(microBatch) * real(length) *
         (34 * real(hidden) + 5 * real(heads) * real(length));
}

double TrainingMemory::activationBytes(int64_t stages) const {
  const double ac = real(intervalFor(stages));
  const double outputs =
      real(stages) * (real(layers) / (real(stages) * ac) + 1);
  return outputs * outputBytes() + ac * layerBytes();
}

int64_t TrainingMemory::chosenStages() const {
  for (int64_t count = 1; count <= std::min(devices, layers); ++count)
    if (devices % count == 0 && layers % count == 0 &&
        bytesWith(count) <= memoryBytes)
      return count;
  return 0;
}

std::string TrainingMemory::check() const {
  if (stages > 0 && devices % stages != 0)
    return fmt::format("{} devices cannot be divided into {} stages", devices,
                       stages);
  if (stages > 0 && layers % stages != 0)
    return fmt::format("{} layers cannot be divided into {} equal stages",
                       layers, stages);
  if (interval > layers)
    return fmt::format("--interval is {}, but there are {} layers", interval,
                       layers);
  if (stages == 0 && chosenStages() == 0)
    return fmt::format(
        "no number of stages that divides {} devices and {} layers fits into "
        "{:.6g} bytes; {} stages, the most, need {:.6g}",
        devices, layers, memoryBytes, std::gcd(devices, layers),
        bytesWith(std::gcd(devices, layers)));
  return {};
}

Json trainingMemory(const TrainingMemory& settings, std::string& error) {
  error = settings.check();
  if (!error.empty()) return {};
  const int64_t stages =
      settings.stages > 0 ? settings.stages : settings.chosenStages();
  const int64_t copies = settings.devices / stages;
  const double phi = settings.numParameters() / real(stages);
  const double p = real(copies);
  Json json{{"parameters", std::round(settings.numParameters())},
            {"grid",
             {{"stages", stages},
              {"copies", copies},
              {"chosen", settings.stages == 0}}}};
  json["bytes_per_device"] = {
      {"weights_gradients_state", std::round(20 * phi)},
      {"offloaded", std::round(settings.offloadedBytes(stages))},
      {"activations", std::round(settings.activationBytes(stages))},
      {"all_offloaded", std::round(settings.bytesWith(stages))},
      {"memory", settings.memoryBytes},
      {"fits", settings.bytesWith(stages) <= settings.memoryBytes}};
  const double ac = real(settings.intervalFor(stages));
  json["checkpoints"] = {
      {"interval", settings.intervalFor(stages)},
      {"output_bytes", settings.outputBytes()},
      {"layer_bytes", settings.layerBytes()},
      {"outputs_as_printed",
       real(stages) * (real(settings.layers) / (real(stages) * ac) + 1 + ac)}};
  // Mixed precision with gradients in 16 bits, as in ZeRO's figure 1.
  json["zero_bytes_per_device"] = {
      {"data_parallel", std::round(16 * phi)},
      {"stage_1", std::round(4 * phi + 12 * phi / p)},
      {"stage_2", std::round(2 * phi + 14 * phi / p)},
      {"stage_3", std::round(16 * phi / p)}};
  const double peak = real(settings.devices) * settings.flopsPerSecond;
  const double flops = settings.flopsPerStep();
  const double seconds = settings.seconds > 0
                             ? settings.seconds
                             : flops / (peak * settings.efficiency);
  json["time"] = {
      {"flops_per_step", flops},
      {"seconds_per_step", seconds},
      {"part_of_peak", flops / (peak * seconds)},
      {"days", settings.tokens * seconds /
                   (real(settings.batch) * real(settings.length)) / 86400}};
  return json;
}

}  // namespace sbp::search::lab
