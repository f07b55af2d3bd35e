#include "runtime/main/Introduction.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"
#include "runtime/main/EntryNames.h"
#include "runtime/main/StartExample.h"
#include "runtime/plan/Names.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

/// Lists the entries, a line each, with the inputs that they take.
std::string entryLines(const plan::Plan& plan) {
  size_t width = 0;
  for (const plan::Entry& entry : plan.entries)
    width = std::max(width, text::printable(entry.name).size());
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
  const StartExample example = startExampleOf(plan, name);
  const std::string start = "  " + example.launch;
  const std::string& data = example.data;
  const bool trains = std::any_of(
      plan.entries.begin(), plan.entries.end(),
      [](const plan::Entry& entry) { return entry.name == kTrainEntry; });

  std::string words = fmt::format(
      "{}: a program compiled by sbpc for {}. Its entries, and their inputs "
      "per\nbatch:\n\n{}\n",
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
  if (trains && example.readsTokens)
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
