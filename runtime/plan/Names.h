// The names of the plan's types, reductions, kinds and placements in plan files
// and messages: f32, all_reduce, S(0), P(sum) ...

#ifndef RUNTIME_PLAN_NAMES_H_
#define RUNTIME_PLAN_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::plan {

std::string_view toString(ElementType type);
std::string_view toString(ReductionKind reduction);
std::string_view toString(CollectiveTask::Kind kind);
std::string_view toString(Initializer::Kind kind);
std::string_view toString(TransferTask::Kind kind);

/// Returns "B", "S(0)" with the dimension, or "P(sum)" with the reduction.
std::string toString(const Component& component);

/// Returns the components in brackets: "[S(0), B]".
std::string toString(const std::vector<Component>& placement);

/// Returns "2x3xf32"; "f32" for a scalar.
std::string toString(ElementType type, const std::vector<int64_t>& shape);

/// Returns "all_reduce over data, model" for `task`, which runs on `group`; for
/// a bucket of `numTensors` such tasks "all_reduce of 12 tensors over data,
/// model".
std::string nameOf(const Group& group, const CollectiveTask& task,
                   int64_t numTensors = 1);

// The inverses of toString; nullopt for any other text.
std::optional<ElementType> parseElementType(std::string_view text);
std::optional<ReductionKind> parseReductionKind(std::string_view text);
std::optional<CollectiveTask::Kind> parseCollectiveKind(std::string_view text);
std::optional<Initializer::Kind> parseInitializerKind(std::string_view text);
std::optional<TransferTask::Kind> parseTransferKind(std::string_view text);
std::optional<Component> parseComponent(std::string_view text);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_NAMES_H_
