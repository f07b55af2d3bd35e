#include "runtime/main/Introduction.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Names.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

/// The inputs of the entry that trains, else of the first, as options that feed
/// them.
std::string exampleData(const plan::Plan& plan) {
  const plan::Entry* example = nullptr;
  for (const plan::Entry& entry : plan.entries)
    if (!example || entry.name == kTrainEntry) example = &entry;
  std::string options;
  if (!example) return options;
  constexpr int64_t kNumBytes = 256;
  for (const plan::Tensor& input : example->inputs) {
    if (input.name == "tokens")
      return input.below.value_or(0) > kNumBytes ? " --tokens train.bin"
                                                 : " --text book.txt";
    if (input.name != kLearningRateInput)
      options +=
          fmt::format(" --data {0}={0}.npy", text::printable(input.name));
  }
  return options;
}

/// The entries, a line each, with the inputs that they take.
std::string entryLines(const plan::Plan& plan) {
  size_t width = 0;
  for (const plan::Entry& entry : plan.entries)
    width = std::max(width, entry.name.size());
  std::string lines;
  for (const plan::Entry& entry : plan.entries) {
    std::vector<std::string> inputs;
    for (const plan::Tensor& input : entry.inputs)
      inputs.push_back(text::printable(input.name) + " " +
                       plan::toString(input.elementType, input.shape));
    lines += fmt::format("  {:{}}  {}\n", text::printable(entry.name), width,
                         inputs.empty()
                             ? "no input"
                             : fmt::format("{}", fmt::join(inputs, ", ")));
  }
  return lines;
}

}  // namespace

std::string introduction(const plan::Plan& plan) {
  const std::string name =
      plan.model.empty() ? "program" : text::printable(plan.model);
  const int64_t numRanks = plan.numRanks();
  const std::string start =
      numRanks == 1 ? fmt::format("  ./{}", name)
                    : fmt::format("  sbprun -n {} ./{}", numRanks, name);
  const std::string data = exampleData(plan);
  const bool isText =
      data == " --text book.txt" || data == " --tokens train.bin";
  const bool trains = std::any_of(
      plan.entries.begin(), plan.entries.end(),
      [](const plan::Entry& entry) { return entry.name == kTrainEntry; });

  std::string words = fmt::format(
      "{}: a program compiled by sbpc for {}. Its entries, and what they "
      "take\nper batch:\n\n{}\n",
      name, text::counted(numRanks, "rank"), entryLines(plan));
  if (trains)
    words += fmt::format(
        "Without --entry or --sample it trains: each step runs {} on the next\n"
        "batch of the data, in an order that the seed decides.\n\n"
        "{}{} --steps 1000 --lr 1e-3 --save {}.safetensors\n",
        kTrainEntry, start, data, name);
  else
    words += fmt::format(
        "It runs an entry on each batch of the data, in its order.\n\n"
        "{}{}{}\n",
        start,
        plan.entries.size() > 1
            ? " --entry " + text::printable(plan.entries[0].name)
            : "",
        data);
  if (trains && isText)
    words +=
        fmt::format("{} --load {}.safetensors --sample 500 --prompt \"Once\"\n",
                    start, name);
  if (trains && numRanks > 1)
    words += fmt::format("  ./{} --in-process{}    (ranks as threads)\n", name,
                         data);
  return words + fmt::format(
                     "  ./{} --describe    (parameters, placements, "
                     "memory)\n",
                     name);
}

}  // namespace sbp::program
