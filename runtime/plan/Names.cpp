#include "runtime/plan/Names.h"

#include <charconv>

#include "fmt/format.h"
#include "runtime/plan/Words.h"

namespace sbp::plan {
namespace {

constexpr Word<ElementType> kElementTypes[] = {
    {ElementType::kF32, "f32"}, {ElementType::kBF16, "bf16"},
    {ElementType::kI32, "i32"}, {ElementType::kI64, "i64"},
    {ElementType::kI1, "i1"},
};

constexpr Word<ReductionKind> kReductions[] = {
    {ReductionKind::kSum, "sum"},
    {ReductionKind::kMax, "max"},
    {ReductionKind::kMin, "min"},
};

constexpr Word<CollectiveTask::Kind> kCollectives[] = {
    {CollectiveTask::Kind::kAllReduce, "all_reduce"},
    {CollectiveTask::Kind::kAllGather, "all_gather"},
    {CollectiveTask::Kind::kReduceScatter, "reduce_scatter"},
    {CollectiveTask::Kind::kAllToAll, "all_to_all"},
    {CollectiveTask::Kind::kHaloExchange, "halo_exchange"},
    {CollectiveTask::Kind::kSlice, "slice"},
    {CollectiveTask::Kind::kPad, "pad"},
    {CollectiveTask::Kind::kToPartial, "to_partial"},
    {CollectiveTask::Kind::kOffset, "offset"},
};

constexpr Word<Initializer::Kind> kInitializers[] = {
    {Initializer::Kind::kConstant, "constant"},
    {Initializer::Kind::kNormal, "normal"},
    {Initializer::Kind::kUniform, "uniform"},
};

constexpr Word<TransferTask::Kind> kTransfers[] = {
    {TransferTask::Kind::kStartSend, "start_send"},
    {TransferTask::Kind::kFinishSend, "finish_send"},
    {TransferTask::Kind::kStartReceive, "start_receive"},
    {TransferTask::Kind::kFinishReceive, "finish_receive"},
};

/// Returns the text between "<head>(" and ")".
std::optional<std::string_view> argumentOf(char head, std::string_view text) {
  if (text.size() < 3 || text[0] != head || text[1] != '(' ||
      text.back() != ')')
    return std::nullopt;
  return text.substr(2, text.size() - 3);
}

}  // namespace

std::string_view toString(ElementType type) {
  return textOf(kElementTypes, type);
}

std::string_view toString(ReductionKind reduction) {
  return textOf(kReductions, reduction);
}

std::string_view toString(CollectiveTask::Kind kind) {
  return textOf(kCollectives, kind);
}

std::string_view toString(Initializer::Kind kind) {
  return textOf(kInitializers, kind);
}

std::string_view toString(TransferTask::Kind kind) {
  return textOf(kTransfers, kind);
}

std::string toString(const Component& component) {
  switch (component.kind) {
    case Component::Kind::kBroadcast:
      return "B";
    case Component::Kind::kSplit:
      return fmt::format("S({})", component.dim);
    case Component::Kind::kPartial:
      return fmt::format("P({})", toString(component.reduction));
  }
  return "?";
}

std::string toString(const std::vector<Component>& placement) {
  std::vector<std::string> texts;
  for (const Component& component : placement)
    texts.push_back(toString(component));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string toString(ElementType type, const std::vector<int64_t>& shape) {
  std::string text;
  for (int64_t extent : shape) text += fmt::format("{}x", extent);
  text += toString(type);
  return text;
}

std::string nameOf(const Group& group, const CollectiveTask& task,
                   int64_t numTensors) {
  std::vector<std::string_view> axes;
  for (int64_t axis : task.axes) axes.push_back(group.axes[axis].name);
  const std::string what =
      numTensors == 1 ? "" : fmt::format(" of {} tensors", numTensors);
  return fmt::format("{}{} over {}", toString(task.kind), what,
                     fmt::join(axes, ", "));
}

std::optional<ElementType> parseElementType(std::string_view text) {
  return valueOf(kElementTypes, text);
}

std::optional<ReductionKind> parseReductionKind(std::string_view text) {
  return valueOf(kReductions, text);
}

std::optional<CollectiveTask::Kind> parseCollectiveKind(std::string_view text) {
  return valueOf(kCollectives, text);
}

std::optional<Initializer::Kind> parseInitializerKind(std::string_view text) {
  return valueOf(kInitializers, text);
}

std::optional<TransferTask::Kind> parseTransferKind(std::string_view text) {
  return valueOf(kTransfers, text);
}

std::optional<Component> parseComponent(std::string_view text) {
  Component component;
  if (text == "B") return component;
  if (auto argument = argumentOf('S', text)) {
    component.kind = Component::Kind::kSplit;
    const char* end = argument->data() + argument->size();
    const auto parsed = std::from_chars(argument->data(), end, component.dim);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return component;
  }
  if (auto argument = argumentOf('P', text)) {
    component.kind = Component::Kind::kPartial;
    const auto reduction = parseReductionKind(*argument);
    if (!reduction) return std::nullopt;
    component.reduction = *reduction;
    return component;
  }
  return std::nullopt;
}

}  // namespace sbp::plan
