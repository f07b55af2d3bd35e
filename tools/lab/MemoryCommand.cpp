#include "tools/lab/MemoryCommand.h"

#include "runtime/options/Checks.h"

namespace sbp::search::lab {
namespace {

constexpr char kFooter[] = R"(
All in mixed precision with Adam. A grid has G_inter stages of phi parameters
each, and G_data copies of each stage.

  weights_gradients_state  20 phi bytes: 4 + 2 of weights, 4 + 2 of gradients, 8
                           of state
  offloaded                4 phi + 16 bsize, with master weights and state in the
                           host's memory, fetched in buckets of bsize parameters
  activations              an output of a layer per checkpoint and micro-batch in
                           flight, and all activations of the layers between two
                           checkpoints while they are recomputed
  zero_bytes_per_device    16 phi, and less with state, gradients and weights
                           divided among the copies
  days                     tokens * seconds_per_step / (batch * length) / 86400

Without --stages, the least G_inter that divides devices and layers and fits is
taken (Myelin, section V-B).

Examples:
  sbp-lab memory --parameters 12e9 --devices 6 --stages 6
  sbp-lab memory --layers 48 --hidden 4512 --heads 24 --devices 48 \
      --micro-batch 8 --memory 16GB --efficiency 0.494
)";

}  // namespace

CLI::App& addMemoryCommand(CLI::App& app, TrainingMemory& settings) {
  CLI::App& memory = *app.add_subcommand(
      "memory",
      "Memory and time to train a transformer on a grid of stages and copies "
      "(Myelin, ZeRO)");
  memory.footer(kFooter);
  auto addCount = [&](const char* name, int64_t& value, const char* text) {
    return memory.add_option(name, value, text)
        ->type_name("N")
        ->check(options::integerFrom(1))
        ->capture_default_str();
  };
  auto addReal = [&](const char* name, double& value, const char* type,
                     const char* text) {
    return memory.add_option(name, value, text)
        ->type_name(type)
        ->check(options::positive())
        ->capture_default_str();
  };
  addReal("--parameters", settings.parameters, "NUMBER",
          "Number of parameters of the model")
      ->default_str("those of the layers and the embedding");
  addCount("--layers", settings.layers, "Number of blocks, l");
  addCount("--hidden", settings.hidden, "Hidden size, h");
  addCount("--heads", settings.heads, "Number of attention heads, a");
  addCount("--vocabulary", settings.vocabulary,
           "Number of tokens that are known, V");
  addCount("--length", settings.length, "Tokens per sequence, s");
  addCount("--batch", settings.batch, "Sequences per step, b");
  addCount("--micro-batch", settings.microBatch, "Sequences per micro-batch");
  addCount("--devices", settings.devices, "Number of devices");
  addCount("--stages", settings.stages, "G_inter, number of stages")
      ->default_str("the least that fits");
  addCount("--bucket", settings.bucket,
           "bsize, number of parameters that the optimiser has on the device "
           "at once");
  addCount("--interval", settings.interval,
           "ac, number of layers from one checkpoint to the next")
      ->default_str("the factor of l / G_inter nearest to the root of l");
  memory
      .add_option("--memory", settings.memoryBytes,
                  "Memory per device, such as 16GB")
      ->type_name("BYTES")
      ->transform(options::bytes())
      ->capture_default_str();
  addReal("--rate", settings.flopsPerSecond, "RATE", "Peak FLOP/s of a device");
  addReal("--efficiency", settings.efficiency, "FLOAT",
          "Part of the peak that is reached");
  addReal("--seconds", settings.seconds, "SECONDS",
          "Time of a step, as measured")
      ->default_str("by the efficiency");
  addReal("--tokens", settings.tokens, "NUMBER", "Tokens of the training");
  return memory;
}

}  // namespace sbp::search::lab
