#include "passes/explain/Shares.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

using Key =
    std::tuple<std::string, std::string, std::string, std::string, std::string>;

/// Returns the properties that all members of one share agree in.
Key keyOf(const PartShare& part) {
  return {part.layer, part.what, part.type, part.from, part.to};
}

/// Collects shares by key, in the order in which they are first added.
class ShareCollector {
 public:
  void add(const ExplainedFunction& function, const ExplainedOp& op) {
    PartShare& part =
        find(function, op.name, op.type, "", op.placement, op.tensor, op.place);
    part.computing += op.seconds;
    part.communicating += op.communicating;
    addSteps(part, op.steps);
  }

  void add(const ExplainedFunction& function,
           const ExplainedMovement& movement) {
    PartShare& part = find(function, "move", movement.type, movement.from,
                           movement.to, movement.tensor, movement.place);
    part.communicating += movement.seconds;
    addSteps(part, movement.steps);
  }

  std::vector<PartShare> take() { return std::move(parts_); }

 private:
  /// Returns the share of an op or a movement of `function`, and adds it to the
  /// number of executions.
  PartShare& find(const ExplainedFunction& function, const std::string& what,
                  const std::string& type, const std::string& from,
                  const std::string& to, const std::string& tensor,
                  const std::string& place) {
    auto [known, isNew] = numbers_.try_emplace(
        {function.layer, what, type, from, to}, parts_.size());
    size_t number = known->second;
    if (isNew)
      parts_.push_back(
          {function.layer, what, type, from, to, {}, place, 0, 0, 0, {}});
    PartShare& part = parts_[number];
    part.number += function.times;
    if (!tensor.empty() && tensors_.insert({number, tensor}).second)
      part.tensors.push_back(tensor);
    return part;
  }

  static void addSteps(PartShare& part,
                       const std::vector<ExplainedStep>& steps) {
    for (const ExplainedStep& step : steps) {
      if (step.seconds == 0) continue;
      auto known = llvm::find_if(part.steps, [&](const ExplainedStep& other) {
        return other.what == step.what && other.axes == step.axes &&
               other.partBytes == step.partBytes &&
               other.bucketBytes == step.bucketBytes;
      });
      if (known == part.steps.end()) {
        part.steps.push_back(step);
        continue;
      }
      known->number += step.number;
      known->bytes += step.bytes;
      known->seconds += step.seconds;
    }
  }

  std::map<Key, size_t> numbers_;
  std::set<std::pair<size_t, std::string>> tensors_;  // by index of the share
  std::vector<PartShare> parts_;
};

}  // namespace

std::vector<LayerShare> sharesOfLayers(const ExplainedEntry& entry) {
  std::vector<LayerShare> layers;
  for (const ExplainedFunction& function : entry.functions) {
    auto layer = llvm::find_if(layers, [&](const LayerShare& known) {
      return known.layer == function.layer;
    });
    if (layer == layers.end())
      layer = layers.insert(layers.end(), {function.layer, 0, 0, 0});
    layer->number += function.times;
    layer->computing += function.computing();
    layer->communicating += function.communicating();
  }
  llvm::sort(layers, [](const LayerShare& a, const LayerShare& b) {
    double aTakes = a.computing + a.communicating;
    double bTakes = b.computing + b.communicating;
    return std::tie(bTakes, a.layer) < std::tie(aTakes, b.layer);
  });
  return layers;
}

std::vector<PartShare> sharesOfParts(const ExplainedEntry& entry) {
  ShareCollector parts;
  for (const ExplainedFunction& function : entry.functions) {
    for (const ExplainedOp& op : function.ops) parts.add(function, op);
    for (const ExplainedMovement& movement : function.movements)
      parts.add(function, movement);
  }
  std::vector<PartShare> shares = parts.take();
  llvm::erase_if(shares,
                 [](const PartShare& part) { return part.seconds() == 0; });
  llvm::sort(shares, [](const PartShare& a, const PartShare& b) {
    return a.seconds() != b.seconds() ? a.seconds() > b.seconds()
                                      : keyOf(a) < keyOf(b);
  });
  return shares;
}

}  // namespace sbp
