#include "runtime/main/Selection.h"

#include <string>
#include <vector>

#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

using plan::ElementType;
using plan::Entry;
using plan::Plan;
using plan::Tensor;

/// Whether `entry` can sample: it takes tokens, [length] or [1, length], and
/// gives logits, [..., length, vocabulary].
bool canSample(const Entry& entry) {
  if (entry.inputs.size() != 1 || entry.outputs.size() != 1) return false;
  const Tensor& tokens = entry.inputs[0];
  const Tensor& logits = entry.outputs[0];
  const bool isText = tokens.elementType == ElementType::kI32 ||
                      tokens.elementType == ElementType::kI64;
  const bool isSingle = tokens.shape.size() == 1 ||
                        (tokens.shape.size() == 2 && tokens.shape[0] == 1);
  if (!isText || !isSingle || !plan::isFloat(logits.elementType) ||
      logits.shape.size() < 2)
    return false;
  const size_t numDims = logits.shape.size();
  for (size_t dim = 0; dim + 2 < numDims; ++dim)
    if (logits.shape[dim] != 1) return false;
  return tokens.shape.back() > 0 &&
         logits.shape[numDims - 2] == tokens.shape.back() &&
         logits.shape[numDims - 1] > 0;
}

std::string namesOf(const Plan& plan) {
  std::string names;
  for (const Entry& entry : plan.entries)
    names += (names.empty() ? "" : ", ") + entry.name;
  return names.empty() ? "none" : names;
}

std::optional<size_t> entryNamed(const Plan& plan, std::string_view name) {
  for (size_t i = 0; i < plan.entries.size(); ++i)
    if (plan.entries[i].name == name) return i;
  return std::nullopt;
}

constexpr std::string_view kSampleNeeds =
    "one input of tokens, [length] or [1, length], and one output of logits, "
    "[..., length, vocabulary]";

absl::StatusOr<Selection> selectSample(const Plan& plan,
                                       std::optional<size_t> named) {
  if (named && !canSample(plan.entries[*named]))
    return error("entry \"{}\" cannot sample: that takes {}",
                 plan.entries[*named].name, kSampleNeeds);
  for (size_t i = 0; !named && i < plan.entries.size(); ++i)
    if (canSample(plan.entries[i])) named = i;
  if (!named)
    return error("no entry can sample ({}): that takes {}", namesOf(plan),
                 kSampleNeeds);
  return Selection{*named, Action::kSample};
}

}  // namespace

absl::StatusOr<Selection> select(const Options& options, const Plan& plan) {
  std::optional<size_t> named;
  if (!options.entry.empty()) {
    named = entryNamed(plan, options.entry);
    if (!named)
      return error("there is no entry \"{}\"; the program has: {}",
                   options.entry, namesOf(plan));
  }
  if (options.sampleLength > 0) return selectSample(plan, named);
  if (!named) named = entryNamed(plan, kTrainEntry);
  if (!named && plan.entries.size() == 1) named = 0;
  if (!named)
    return error("which entry? --entry NAME, with one of: {}", namesOf(plan));
  return Selection{*named, learningRateInput(plan.entries[*named])
                               ? Action::kTrain
                               : Action::kEvaluate};
}

std::optional<size_t> learningRateInput(const Entry& entry) {
  for (size_t i = 0; i < entry.inputs.size(); ++i)
    if (entry.inputs[i].name == kLearningRateInput &&
        entry.inputs[i].shape.empty() &&
        entry.inputs[i].elementType == ElementType::kF32)
      return i;
  return std::nullopt;
}

std::optional<size_t> lossOutput(const Entry& entry) {
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (entry.outputs[i].shape.empty() &&
        plan::isFloat(entry.outputs[i].elementType))
      return i;
  return std::nullopt;
}

}  // namespace sbp::program
