#include "codegen/driver/ExplanationText.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "codegen/driver/Quantities.h"
#include "codegen/driver/SignaturesReport.h"
#include "codegen/driver/TextTable.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "passes/explain/Shares.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

/// Number of items of each list that are shown; the omitted ones take least.
struct ListLengths {
  size_t layers, parts;
  size_t pins;     // groups of tensors
  size_t choices;  // per pin
  size_t tensors;  // per group of equal ops or movements
};

// One page has less than 80 lines.
constexpr ListLengths kPage = {10, 15, 12, 3, 2};
constexpr size_t kAll = std::numeric_limits<size_t>::max();
constexpr ListLengths kFull = {kAll, kAll, kAll, kAll, kAll};

/// Returns the mesh as text: "4 ranks", or "8 ranks in a mesh of 2 x 4 (node x
/// gpu)" if axes have other names than "rank".
std::string meshText(const Mesh& mesh) {
  int64_t numRanks = 1;
  std::vector<int64_t> sizes;
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes) {
    numRanks *= axis.size;
    sizes.push_back(axis.size);
    names.push_back(axis.name);
  }
  const std::string ranks = text::counted(numRanks, "rank");
  const bool isRanks = names.size() == 1 && names[0] == "rank";
  return names.empty() || isRanks
             ? ranks
             : fmt::format("{} in a mesh of {} ({})", ranks,
                           fmt::join(sizes, " x "), fmt::join(names, " x "));
}

/// Returns a sentence on the bytes that a device sends over each level; empty
/// if it sends none.
std::string levelsText(const PlanReport& report, const ExplainedEntry& entry) {
  std::vector<std::string> texts;
  for (const LevelTraffic& traffic : entry.levels)
    if (traffic.bytes > 0)
      texts.push_back(
          fmt::format("{} over {} in {}", bytes::toText(traffic.bytes),
                      fmt::join(report.axesOn(traffic.level), " and "),
                      secondsText(traffic.seconds)));
  if (texts.empty()) return "";
  return fmt::format("A device sends {}.\n", fmt::join(texts, ", "));
}

/// Returns a sentence on the time that ops save by sharing kernels; empty if
/// they save none.
std::string savedText(const ExplainedEntry& entry) {
  // Sums of seconds in another order differ by rounding.
  if (entry.saved() <= 1e-9 * entry.computing()) return "";
  return fmt::format(
      "Element-wise ops that share kernels save {}; the search counts a kernel "
      "per op.\n",
      secondsText(entry.saved()));
}

/// Returns a sentence on the time to compute values again; empty if layers keep
/// all of them.
std::string recomputingText(const ExplainedEntry& entry) {
  if (entry.recomputing() == 0) return "";
  return fmt::format(
      "{} of this time computes values again that layers do not keep.\n",
      secondsText(entry.recomputing()));
}

/// Returns a line on the use of memory at the busiest moment.
std::string memoryText(const search::MemoryParts& memory) {
  std::vector<std::string> texts;
  for (const search::MemoryPart& part : search::kMemoryParts)
    if (double bytes = memory.*part.bytes; bytes > 0)
      texts.push_back(fmt::format("{} {}", bytes::toText(bytes), part.words));
  return fmt::format("Peak memory: {} = {}\n", bytes::toText(memory.sum()),
                     fmt::join(texts, " + "));
}

/// Returns a time as the sum of its two parts, if both are there: "3 us = 2 us
/// computing + 1 us communicating".
std::string sumText(double computing, double communicating) {
  const std::string sum = secondsText(computing + communicating);
  if (communicating == 0) return sum + ", all of it computing";
  if (computing == 0) return sum + ", all of it communicating";
  return fmt::format("{} = {} computing + {} communicating", sum,
                     secondsText(computing), secondsText(communicating));
}

/// Returns the lines on an entry's time and memory.
std::string entryText(const PlanReport& report, const ExplainedEntry& entry) {
  std::string text =
      fmt::format("\n@{}: {}\n", entry.name,
                  sumText(entry.computing(), entry.communicating()));
  text += savedText(entry);
  text += recomputingText(entry);
  text += levelsText(report, entry);
  text += report.launches.text(entry.name);
  if (const search::EntryCost* cost = report.searchedCost(entry.name)) {
    text += report.proofText(entry, *cost) + "\n";
    text += memoryText(cost->memory);
  }
  return text;
}

std::string strategiesText(const PlanReport& report) {
  const search::EntryCost& first = report.searched.front();
  TextTable table("<>><");
  auto add = [&](const std::string& name, double seconds,
                 const std::string& memory) {
    double ratio = seconds / first.seconds();
    table.add({name, secondsText(seconds),
               ratio < 1e4 ? fmt::format("{:.2f} x", ratio)
                           : fmt::format("{:.1e} x", ratio),
               memory});
  };
  add("this plan", first.seconds(), bytes::toText(first.memory.sum()));
  for (const search::NamedStrategy& named : report.alternatives.strategies) {
    double memory = named.plan.memory.bytes;
    add(named.grid.empty() ? named.name
                           : fmt::format("{}, {}", named.name, named.grid),
        named.plan.solution.cost,
        bytes::toText(memory) + (memory > report.device.memoryBytes
                                     ? ", more than a device has"
                                     : ""));
  }
  add("propagation from pins", report.propagated, "");
  return fmt::format("\nThis plan of @{} and others:\n{}\n{}", first.entry,
                     report.strategiesNote(), table.text(2));
}

std::string frontText(const std::vector<search::FrontPlan>& front) {
  TextTable table(">><");
  for (const search::FrontPlan& plan : front)
    table.add({bytes::toText(plan.memory), secondsText(plan.seconds),
               plan.lowerBound == plan.seconds
                   ? ""
                   : "no less than " + secondsText(plan.lowerBound)});
  return "\nFastest plans by memory:\n" + table.text(2);
}

/// Returns "72 x nn.einsum" for 72 of `what`, and `what` itself for one.
std::string numberText(int64_t number, const std::string& what) {
  return number == 1 ? what : fmt::format("{} x {}", number, what);
}

std::string shareText(double seconds, double total) {
  return fmt::format("{:.1f} %", total > 0 ? 100 * seconds / total : 0.0);
}

/// Returns a line on the omitted items of a list; empty if there are none.
std::string restText(size_t number, const std::string& takes) {
  return number == 0 ? "" : fmt::format("  and {} more{}\n", number, takes);
}

/// Returns a location without the folders of its file.
std::string shortPlace(const std::string& place) {
  return llvm::sys::path::filename(place).str();
}

/// Returns the first tensors of a part, and the number of the others.
std::string tensorsText(const std::vector<std::string>& tensors,
                        const ListLengths& limits) {
  size_t shown = std::min(tensors.size(), limits.tensors);
  std::string text = fmt::format(
      "{}", fmt::join(tensors.begin(), tensors.begin() + shown, ", "));
  if (tensors.size() > shown)
    text += fmt::format(" and {} more", tensors.size() - shown);
  return text;
}

std::string layersText(const ExplainedEntry& entry, double total,
                       const ListLengths& limits) {
  TextTable table(">><><><");
  std::vector<LayerShare> layers = sharesOfLayers(entry);
  size_t shown = std::min(layers.size(), limits.layers);
  double rest = 0;
  for (auto [i, share] : llvm::enumerate(layers)) {
    double seconds = share.computing + share.communicating;
    if (i >= shown) {
      rest += seconds;
      continue;
    }
    table.add({secondsText(seconds), shareText(seconds, total),
               numberText(share.number, "@" + share.layer),
               secondsText(share.computing), "computing",
               secondsText(share.communicating), "communicating"});
  }
  return fmt::format(
      "\nTime of @{} by layer:\n{}{}", entry.name, table.text(2),
      restText(layers.size() - shown, ", which take " + secondsText(rest)));
}

/// Returns the name of an op, or the collectives of a movement.
std::string whatText(const PartShare& part) {
  if (part.from.empty()) return part.what;
  std::vector<std::string> steps;
  for (const ExplainedStep& step : part.steps)
    if (steps.empty() || steps.back() != step.what) steps.push_back(step.what);
  return fmt::format("{}", fmt::join(steps, ", "));
}

std::string partsText(const ExplainedEntry& entry, double total,
                      const ListLengths& limits) {
  TextTable table(">><<<<<");
  std::vector<PartShare> parts = sharesOfParts(entry);
  size_t shown = std::min(parts.size(), limits.parts);
  double rest = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (i >= shown) {
      rest += part.seconds();
      continue;
    }
    table.add({secondsText(part.seconds()), shareText(part.seconds(), total),
               numberText(part.number, whatText(part)),
               tensorsText(part.tensors, limits),
               part.from.empty() ? part.to : part.from + " to " + part.to,
               "@" + part.layer, shortPlace(part.place)});
  }
  return fmt::format(
      "\nOps and movements that take most time:\n{}{}", table.text(2),
      restText(parts.size() - shown, ", which take " + secondsText(rest)));
}

std::string choicesText(const search::PinChoices& pin, size_t shown,
                        bool isExact) {
  std::vector<std::string> texts;
  for (const search::PinChoices::Choice& choice : pin.choices)
    if (choice.placement != pin.planned)
      texts.push_back(fmt::format(
          "{} {}{}", stringOf(choice.placement), isExact ? "+" : ">= ",
          choice.moreSeconds == 0 ? "0" : secondsText(choice.moreSeconds)));
  size_t left = texts.size() - std::min(texts.size(), shown);
  texts.resize(texts.size() - left);
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     left ? fmt::format(", and {} more", left) : "");
}

/// Returns the tensors that may be pinned, grouped by equal choices.
std::string pinsText(const PlanReport& report, const ListLengths& limits) {
  const search::Alternatives& alternatives = report.alternatives;
  struct Group {
    const search::PinChoices* first;
    size_t number;
  };
  std::vector<Group> groups;
  std::map<std::string, size_t> known;
  for (const search::PinChoices& pin : alternatives.pins) {
    if (pin.choices.size() < 2) continue;
    std::string key = stringOf(pin.planned) +
                      choicesText(pin, kAll, alternatives.arePinsExact);
    auto [group, isNew] = known.try_emplace(std::move(key), groups.size());
    if (isNew) groups.push_back({&pin, 0});
    ++groups[group->second].number;
  }
  if (groups.empty()) return "";

  TextTable table("<<<");
  size_t shown = std::min(groups.size(), limits.pins);
  for (const Group& group : llvm::ArrayRef(groups).take_front(shown))
    table.add(
        {group.number == 1 ? group.first->name
                           : fmt::format("{} and {} like it", group.first->name,
                                         group.number - 1),
         stringOf(group.first->planned) + " now",
         choicesText(*group.first, limits.choices, alternatives.arePinsExact)});
  return fmt::format(
      "\nCost of pinning one tensor to another placement:\n{}\n{}{}",
      report.pinsNote(), table.text(2), restText(groups.size() - shown, ""));
}

/// Returns ascending numbers as ranges: "0, 2 to 5, 9".
std::string rangesText(const std::vector<int64_t>& numbers) {
  std::vector<std::string> ranges;
  for (size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
    for (end = begin + 1;
         end < numbers.size() && numbers[end] == numbers[end - 1] + 1;)
      ++end;
    ranges.push_back(end - begin == 1 ? fmt::format("{}", numbers[begin])
                                      : fmt::format("{} to {}", numbers[begin],
                                                    numbers[end - 1]));
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

/// Returns the calls of the layer that run the function: "@attention call 3",
/// "@attention calls 0 to 2", or, for all of them, "24 x @attention".
std::string callsText(const ExplainedFunction& function) {
  if (function.calls.empty())
    return numberText(function.times, "@" + function.name);
  return fmt::format("@{} {} {}", function.layer,
                     function.calls.size() == 1 ? "call" : "calls",
                     rangesText(function.calls));
}

std::string bucketText(const ExplainedStep& step) {
  if (step.bucketBytes == 0) return "";
  return fmt::format(", {} in a bucket of {}", bytes::toText(step.partBytes),
                     bytes::toText(step.bucketBytes));
}

void addSteps(TextTable& table, const std::vector<ExplainedStep>& steps) {
  for (const ExplainedStep& step : steps)
    if (step.seconds > 0)
      table.add(
          {"  " + numberText(step.number, step.what),
           fmt::format("over {}, {} sent{}", fmt::join(step.axes, " and "),
                       bytes::toText(step.bytes), bucketText(step)),
           "", secondsText(step.seconds)});
}

std::string functionText(const ExplainedFunction& function) {
  TextTable table("<<<><");
  for (const ExplainedOp& op : function.ops) {
    table.add({op.name, op.tensor,
               fmt::format("{} {} of {}", op.placement, op.localType, op.type),
               secondsText(op.seconds + op.communicating),
               shortPlace(op.place)});
    addSteps(table, op.steps);
  }
  for (const ExplainedMovement& movement : function.movements) {
    if (movement.seconds == 0) continue;
    table.add({"move", movement.tensor,
               fmt::format("{} to {} of {}", movement.from, movement.to,
                           movement.type),
               secondsText(movement.seconds), shortPlace(movement.place)});
    addSteps(table, movement.steps);
  }
  return fmt::format("\n  {}\n{}", callsText(function), table.text(4));
}

}  // namespace

std::string textOf(const PlanReport& report, TextLength length) {
  const ListLengths& limits = length == TextLength::Page ? kPage : kFull;
  std::string text = fmt::format(
      "{} on {}\n"
      "Times and bytes are those of one run of an entry. All calls of a "
      "function are added up.\n",
      report.model, meshText(report.mesh));
  const ExplainedEntry& main = report.mainEntry();
  text += entryText(report, main);
  for (const ExplainedEntry& entry : report.explanation.entries)
    if (&entry != &main) text += entryText(report, entry);

  const ExplainedMemory& memory = report.explanation.memory;
  text += fmt::format(
      "\nKept between runs on each device: {} of parameters, {} of optimiser "
      "state{}\n",
      bytes::toText(memory.parameters), bytes::toText(memory.state),
      std::isfinite(report.device.memoryBytes)
          ? fmt::format("; a device has {}",
                        bytes::toText(report.device.memoryBytes))
          : "");
  if (!report.searched.empty()) text += strategiesText(report);
  if (!report.alternatives.front.empty())
    text += frontText(report.alternatives.front);

  double total = main.computing() + main.communicating();
  text += layersText(main, total, limits) + partsText(main, total, limits);
  text += pinsText(report, limits);
  if (report.choices) text += textOf(*report.choices);
  if (length == TextLength::Page)
    return text +
           "\n--details shows every op and movement, and the signatures of "
           "ops.\n";
  for (const ExplainedEntry& entry : report.explanation.entries) {
    text += fmt::format("\nAll of @{}:\n", entry.name);
    for (const ExplainedFunction& function : entry.functions)
      text += functionText(function);
  }
  return text + textOf(report.signatures);
}

}  // namespace sbp
