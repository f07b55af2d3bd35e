#include "codegen/driver/PlanDifferences.h"

#include <map>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {
namespace {

bool haveAlikeGroups(const PlannedProgram& a, const PlannedProgram& b) {
  return a.groups.size() == b.groups.size() &&
         llvm::all_of(llvm::zip(a.groups, b.groups), [](auto pair) {
           return std::get<0>(pair).isAlike(std::get<1>(pair));
         });
}

bool haveAlikeStages(const PlannedProgram& a, const PlannedProgram& b) {
  return a.stages.size() == b.stages.size() &&
         llvm::all_of(llvm::zip(a.stages, b.stages), [](auto pair) {
           return std::get<0>(pair).calls == std::get<1>(pair).calls;
         });
}

/// Returns `name` with "*" for each run of digits.
std::string patternOf(const std::string& name) {
  std::string pattern;
  for (char c : name) {
    if (!llvm::isDigit(c))
      pattern += c;
    else if (pattern.empty() || pattern.back() != '*')
      pattern += '*';
  }
  return pattern;
}

/// Splits "[S(0)] on 2" after the placement.
std::pair<std::string, std::string> splitMesh(const std::string& text) {
  const size_t end = text.rfind(" on ");
  return {text.substr(0, end), text.substr(end)};
}

/// Returns the texts of two placements, without the extents of their meshes if
/// these are the same.
std::pair<std::string, std::string> textsOf(const Placements* from,
                                            const Placements* to) {
  std::set<std::string> meshes;
  for (const Placements* all : {from, to})
    if (all)
      for (const std::string& text : *all)
        meshes.insert(splitMesh(text).second);
  const auto textOf = [&](const Placements* all) -> std::string {
    if (!all) return "-";
    std::vector<std::string> texts;
    for (const std::string& text : *all)
      texts.push_back(meshes.size() == 1 ? splitMesh(text).first : text);
    return fmt::format("{}", fmt::join(texts, " and "));
  };
  return {textOf(from), textOf(to)};
}

/// Collects changes, like ones together, in the order of their first tensors.
class Changes {
 public:
  void add(const std::string& layer, const std::string& name,
           const Placements* from, const Placements* to) {
    const auto [before, after] = textsOf(from, to);
    auto [known, isNew] =
        indices_.try_emplace({layer, before, after}, changes_.size());
    if (isNew) changes_.push_back({layer, before, after});
    PlacementChange& change = changes_[known->second];
    ++change.number;
    if (!llvm::is_contained(change.names, name)) change.names.push_back(name);
  }

  std::vector<PlacementChange> take() { return std::move(changes_); }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, size_t> indices_;
  std::vector<PlacementChange> changes_;
};

/// Calls `visit` with each key of two maps whose values differ; with null for
/// the value of a map that lacks the key.
template <typename Map, typename Visit>
void forEachChange(const Map& a, const Map& b, Visit visit) {
  for (const auto& [key, value] : a) {
    auto other = b.find(key);
    if (other == b.end())
      visit(key, &value, nullptr);
    else if (other->second != value)
      visit(key, &value, &other->second);
  }
  for (const auto& [key, value] : b)
    if (a.count(key) == 0) visit(key, nullptr, &value);
}

}  // namespace

PlanDifferences differencesOf(const PlannedProgram& a,
                              const PlannedProgram& b) {
  PlanDifferences differences = {a, b};
  differences.arePipelinesAlike =
      haveAlikeGroups(a, b) && a.microBatches == b.microBatches &&
      a.rows == b.rows && a.recomputed == b.recomputed;
  differences.areStagesAlike = haveAlikeStages(a, b);
  Changes parameters, tensors;
  forEachChange(a.parameters, b.parameters,
                [&](const std::string& name, const Placements* from,
                    const Placements* to) {
                  parameters.add("", "@" + patternOf(name), from, to);
                });
  forEachChange(
      a.tensors, b.tensors,
      [&](const auto& key, const Placements* from, const Placements* to) {
        tensors.add(key.first, key.second, from, to);
      });
  differences.parameters = parameters.take();
  differences.tensors = tensors.take();
  return differences;
}

}  // namespace sbp
