#include "dialects/sbp/StageTask.h"

#include <charconv>
#include <tuple>
#include <utility>

namespace sbp {
namespace {

constexpr std::pair<char, TaskKind> kLetters[] = {
    {'F', TaskKind::Forward},   {'B', TaskKind::Backward},
    {'I', TaskKind::Input},     {'W', TaskKind::Weight},
    {'R', TaskKind::Recompute}, {'G', TaskKind::Reduce},
    {'U', TaskKind::Update},
};

}  // namespace

char letterOf(TaskKind kind) { return kLetters[static_cast<int>(kind)].first; }

std::optional<TaskKind> taskKindOf(char letter) {
  for (const auto& [known, kind] : kLetters)
    if (known == letter) return kind;
  return std::nullopt;
}

std::string StageTask::text() const {
  return std::to_string(stage) + letterOf(kind);
}

std::optional<StageTask> StageTask::parse(std::string_view text) {
  StageTask task;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, task.stage);
  if (error != std::errc() || task.stage < 0 || next + 1 != end)
    return std::nullopt;
  const std::optional<TaskKind> kind = taskKindOf(*next);
  if (!kind) return std::nullopt;
  task.kind = *kind;
  return task;
}

bool operator==(const StageTask& a, const StageTask& b) {
  return a.stage == b.stage && a.kind == b.kind;
}

bool operator<(const StageTask& a, const StageTask& b) {
  return std::tie(a.stage, a.kind) < std::tie(b.stage, b.kind);
}

}  // namespace sbp
