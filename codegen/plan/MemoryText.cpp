#include "codegen/plan/MemoryText.h"

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/names/Names.h"

namespace sbp {

MemoryText::MemoryText(const EntryMemory& memory) : memory_(memory) {
  const TaskList& list = memory.list;
  auto program =
      llvm::cast<rank::ProgramOp>(list.calls.front().function->getParentOp());
  auto next = program.getBody().getOps<nn::ParameterOp>().begin();
  std::string parameter;
  for (const TaskBuffer& buffer : list.buffers) {
    if (buffer.kind != TaskBuffer::Kind::Parameter) break;
    if (buffer.stepsAgo == 0) parameter = "@" + (*next++).getSymName().str();
    parameters_.push_back(parameter);
    if (buffer.stepsAgo > 0)
      parameters_.back() += "@-" + std::to_string(buffer.stepsAgo);
  }
}

std::string MemoryText::buffer(int64_t number) const {
  std::string name;
  if (number < static_cast<int64_t>(parameters_.size()))
    name = parameters_[number];
  else if (Value value = memory_.list.buffers[number].value)
    name = nameIn(locationOf(value));
  return "%" + std::to_string(number) + (name.empty() ? "" : ":" + name);
}

std::string MemoryText::buffers(ArrayRef<int64_t> numbers) const {
  return llvm::join(
      llvm::map_range(numbers, [&](int64_t number) { return buffer(number); }),
      ", ");
}

std::string MemoryText::liveRange(int64_t index) const {
  const auto [bytes, first, last] = memory_.liveRanges[index];
  if (first > last) return "  live never";
  return "  live " + task(first) + "-" + task(last);
}

std::string MemoryText::offset(int64_t index) const {
  const std::vector<int64_t>& offsets = memory_.layout.offsets;
  return offsets.empty() ? "" : "  at " + std::to_string(offsets[index]);
}

std::string MemoryText::task(int64_t index) const {
  const std::vector<ListedTask>& tasks = memory_.list.tasks;
  return index < static_cast<int64_t>(tasks.size())
             ? std::to_string(tasks[index].number)
             : "end";
}

}  // namespace sbp
