#include "tools/lab/GptCommand.h"

#include <vector>

#include "runtime/options/Checks.h"
#include "runtime/options/Lists.h"

namespace sbp::search::lab {

CLI::App& addGptCommand(CLI::App& app, GptSearch& settings) {
  CLI::App& command = *app.add_subcommand(
      "gpt", "The fastest layouts of a GPT on a large machine, proven");
  command.footer(
      "Example:\n"
      "  sbp-lab gpt --levels 8x64x8 --alpha 2e-5,1e-5,3e-6 \\\n"
      "      --beta 1.6e-10,4e-11,3.3e-12 --json");
  options::addList(
      command, "--levels", settings.levels,
      {'x', 1, 8, options::integerFrom(1, 1 << 20)},
      "Number of devices or groups in each level, the slowest first");
  auto perLevel = [&](const char* name, std::vector<double>& values,
                      const char* text) {
    options::addList(command, name, values, {',', 1, 8, options::notNegative()},
                     text);
  };
  perLevel("--alpha", settings.alphaSeconds,
           "Latency per round in seconds, for each level");
  perLevel("--beta", settings.betaSecondsPerByte,
           "Time per byte in seconds, for each level");
  auto add = [&](const char* name, int64_t& value, const char* text) {
    command.add_option(name, value, text)
        ->type_name("N")
        ->check(options::integerFrom(1))
        ->capture_default_str();
  };
  add("--layers", settings.gpt.layers,
      "Number of blocks of attention and feed-forward");
  add("--hidden", settings.gpt.hidden, "Hidden size");
  add("--heads", settings.gpt.heads, "Number of attention heads");
  add("--length", settings.gpt.length, "Tokens per sequence");
  add("--vocabulary", settings.gpt.vocabulary,
      "Number of tokens that are known");
  add("--batch", settings.gpt.batch, "Sequences per step");
  add("--micro-batches", settings.gpt.microBatches, "Number of micro-batches");
  command
      .add_option("--rate", settings.processor.flopsPerSecond,
                  "FLOP/s of a device")
      ->type_name("RATE")
      ->check(options::positive())
      ->capture_default_str();
  command
      .add_option("--bandwidth", settings.processor.bytesPerSecond,
                  "Bandwidth of a device's memory in bytes per second")
      ->type_name("RATE")
      ->check(options::positive())
      ->capture_default_str();
  command
      .add_option("--tokens", settings.gpt.tokens,
                  "Loops over sequences and positions: separate, or merged "
                  "into one over tokens")
      ->type_name("separate|merged")
      ->transform(
          options::oneOf({{"separate", static_cast<int64_t>(Tokens::Separate)},
                          {"merged", static_cast<int64_t>(Tokens::Merged)}}))
      ->default_str("separate");
  command
      .add_option(
          "--memory", settings.memoryBytes,
          "Also print the fastest plan within this memory per device, such "
          "as 80GB")
      ->type_name("BYTES")
      ->transform(options::bytes());
  command.add_flag(
      "--pareto", settings.wantsPareto,
      "Also print plans that trade time for memory, those on the convex "
      "hull");
  command.add_flag("--compare", settings.wantsComparison,
                   "Also print the times of named strategies, and of the best "
                   "plan of coordinate descent");
  add("--descents", settings.descents,
      "Number of starts of coordinate descent");
  command.add_flag(
      "--time", settings.wantsTimes,
      "Also print the time that the search took, which differs from "
      "run to run");
  return command;
}

}  // namespace sbp::search::lab
