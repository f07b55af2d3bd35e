#include "tools/lab/ChimeraCommand.h"

#include <vector>

#include "runtime/options/Checks.h"
#include "runtime/status/Status.h"

namespace sbp::search::lab {
namespace {

using schedule::lab::ChimeraConfiguration;
using schedule::lab::ChimeraSettings;

constexpr char kFooter[] = R"(
P devices are W pipelines of depth D. For each D, the largest micro-batch is taken
that fits and leaves D of them for a pipeline. The time of a step follows from
Chimera's model:

  T = (F + c) C_f + (B + c) C_b + what is not hidden of the sums of gradients

with F and B for a forward and a backward of a stage, c for a message, and C_f
and C_b forwards and backwards on the critical path. `simulated` is the time of
the schedule without sums of gradients.

Example:
  sbp-lab chimera --devices 32 --batch 512 --weights 10.7GB --activations 1.6GB
)";

Json toJson(const ChimeraConfiguration& each) {
  return {{"depth", each.depth},
          {"pipelines", each.pipelines},
          {"micro_batch", each.microBatch},
          {"micro_batches", each.microBatches},
          {"forwards", each.forwards},
          {"backwards", each.backwards},
          {"seconds", each.seconds},
          {"simulated", each.simulated},
          {"bytes", each.bytes}};
}

}  // namespace

CLI::App& addChimeraCommand(CLI::App& app, ChimeraSettings& settings) {
  CLI::App& chimera = *app.add_subcommand(
      "chimera",
      "Depth, pipelines and micro-batch by Chimera's model (section 3.4)");
  chimera.footer(kFooter);
  auto addCount = [&](const char* name, int64_t& value, const char* text) {
    chimera.add_option(name, value, text)
        ->type_name("N")
        ->check(options::integerFrom(1, 1 << 20))
        ->capture_default_str();
  };
  auto addBytes = [&](const char* name, double& value, const char* text) {
    chimera.add_option(name, value, text)
        ->type_name("BYTES")
        ->transform(options::bytes())
        ->capture_default_str();
  };
  auto addReal = [&](const char* name, double& value, const char* type,
                     const char* text) {
    chimera.add_option(name, value, text)
        ->type_name(type)
        ->check(options::notNegative())
        ->capture_default_str();
  };
  addCount("--devices", settings.devices, "P, number of devices");
  addCount("--layers", settings.layers, "Number of layers. A depth divides it");
  addCount("--batch", settings.batch, "Samples per step, of all pipelines");
  addCount("--pairs", settings.pairs,
           "f, pairs of opposite pipes in a pipeline");
  chimera
      .add_option("--variant", settings.variant,
                  "Variant of the schedule: direct, doubling or halving")
      ->type_name("NAME")
      ->check(CLI::IsMember({"direct", "doubling", "halving"}))
      ->capture_default_str();
  addBytes("--weights", settings.weightBytes,
           "Bytes of the model's weights, gradients and state");
  addBytes("--gradients", settings.gradientBytes,
           "Bytes of the model's gradients that are summed over copies");
  addBytes("--activations", settings.activationBytes,
           "Bytes that the model keeps per sample");
  addBytes("--message", settings.messageBytes,
           "Bytes between two stages per sample");
  addReal("--forward", settings.forwardSeconds, "SECONDS",
          "Time of the model's forward per sample");
  addReal("--overhead", settings.overheadSeconds, "SECONDS",
          "Time that a forward of a stage takes besides");
  addReal("--backward", settings.backwardRatio, "RATIO",
          "Time of a backward, as a multiple of a forward");
  addReal("--alpha", settings.alphaSeconds, "SECONDS", "Latency of a message");
  addReal("--beta", settings.betaSecondsPerByte, "SECONDS",
          "Time per byte of a message");
  addBytes("--memory", settings.memoryBytes, "Memory per device, such as 16GB");
  return chimera;
}

Json chimeraChoice(const ChimeraSettings& settings, std::string& error) {
  const auto all = schedule::lab::chimeraConfigurations(settings);
  if (!all.ok()) {
    error = textOf(all.status());
    return {};
  }
  const ChimeraConfiguration* best = &all->front();
  Json json, each = Json::array();
  for (const ChimeraConfiguration& configuration : *all) {
    if (configuration.seconds < best->seconds) best = &configuration;
    each.push_back(toJson(configuration));
  }
  json["best"] = toJson(*best);
  json["configurations"] = std::move(each);
  return json;
}

}  // namespace sbp::search::lab
