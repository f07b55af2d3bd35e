#include "runtime/execute/NotFiniteOrigin.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Buckets.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/NotFinite.h"

namespace sbp::execute {
namespace {

using tensor::NotFinite;

/// A tensor in this rank's arena.
struct Buffer {
  device::LocalTensor tensor;
  plan::LocalType type;
};

Buffer bufferAt(device::Memory& memory, int64_t offset,
                const plan::LocalType& type) {
  return {device::LocalTensor(memory, offset,
                              plan::numElements(type.shape) *
                                  plan::byteWidth(type.elementType)),
          type};
}

/// The tensors that a task reads and writes.
struct Access {
  std::string name;  // "nn.gelu"
  std::vector<Buffer> operands, results;
  /// Whether it may fill elements with infinities on its own.
  bool fillsWithInfinities = false;
};

/// A function that looks for a number of some kind in `count` elements.
using Finder = std::optional<NotFinite>(plan::ElementType,
                                        const std::byte* elements,
                                        int64_t count);

/// Returns the first number in `buffer` that `find` finds. Fails if the device
/// does.
absl::StatusOr<std::optional<NotFinite>> findIn(const Buffer& buffer,
                                                Finder* find) {
  std::optional<NotFinite> found;
  SBP_RETURN_IF_ERROR(buffer.tensor.read([&](const std::byte* elements) {
    found = find(buffer.type.elementType, elements,
                 plan::numElements(buffer.type.shape));
    return absl::OkStatus();
  }));
  return found;
}

/// The worst kind of number in a set of buffers.
enum class Worst { kFinite, kInfinite, kNan };

absl::StatusOr<Worst> worstOf(const std::vector<Buffer>& buffers) {
  Worst worst = Worst::kFinite;
  for (const Buffer& buffer : buffers) {
    SBP_ASSIGN_OR_RETURN(const auto nan, findIn(buffer, tensor::findNan));
    if (nan) return Worst::kNan;
    SBP_ASSIGN_OR_RETURN(const auto any, findIn(buffer, tensor::findNotFinite));
    if (any) worst = Worst::kInfinite;
  }
  return worst;
}

Access accessOf(const plan::Plan& plan, device::Memory& memory,
                const int64_t* buffers, const plan::KernelTask& task) {
  const plan::Kernel& kernel = plan.kernels[task.kernel];
  Access access;
  access.name = kernel.op;
  for (const plan::LocalType& type : kernel.operands)
    access.operands.push_back(bufferAt(memory, *buffers++, type));
  for (const plan::LocalType& type : kernel.results)
    access.results.push_back(bufferAt(memory, *buffers++, type));
  return access;
}

Access accessOf(const plan::Plan& plan, device::Memory& memory,
                const int64_t* buffers, const plan::CollectiveTask& task) {
  Access access;
  access.name = plan::nameOf(plan.groups[task.group], task);
  access.operands.push_back(
      bufferAt(memory, buffers[0], {task.elementType, task.inShape}));
  access.results.push_back(
      bufferAt(memory, buffers[1], {task.elementType, task.outShape}));
  access.fillsWithInfinities = task.reduction != plan::ReductionKind::kSum;
  return access;
}

/// Returns no tensors: what a transfer receives was checked on the sending
/// rank.
Access accessOf(const plan::Plan& /*plan*/, device::Memory& /*memory*/,
                const int64_t* /*buffers*/,
                const plan::TransferTask& /*task*/) {
  return {};
}

/// Returns the tensors of each task of the bucket that begins at task `index`.
std::vector<Access> accessesAt(const plan::Plan& plan,
                               const plan::EntryProgram& program,
                               Executor& executor, size_t index) {
  const std::vector<int64_t>& buffers = executor.buffersOf(index);
  const size_t last =
      plan::bucketEnd(program.tasks, static_cast<int64_t>(index));
  std::vector<Access> accesses;
  for (size_t i = index; i < last; ++i)
    accesses.push_back(std::visit(
        [&](const auto& task) {
          return accessOf(plan, executor.memory(),
                          buffers.data() + 2 * (i - index), task);
        },
        program.tasks[i]));
  return accesses;
}

/// Returns " (call 2 of 3)" if the caller of `call` calls its function several
/// times, else an empty string.
std::string numberOf(const std::vector<plan::Call>& calls, int64_t call) {
  int64_t number = 0, count = 0;
  for (int64_t other = 0; other < static_cast<int64_t>(calls.size()); ++other) {
    if (calls[other].function != calls[call].function ||
        calls[other].caller != calls[call].caller)
      continue;
    ++count;
    if (other == call) number = count;
  }
  return count > 1 ? fmt::format(" (call {} of {})", number, count) : "";
}

/// Describes the call stack of a task that comes from `origin` in `call`:
/// "@norm at gpt.mlir:12:5, called by @block at gpt.mlir:40:9, called by
/// @train_step at gpt.mlir:70:3".
std::string stackOf(const plan::Places& places,
                    const std::vector<plan::Call>& calls, int64_t call,
                    int64_t origin) {
  std::string text;
  while (true) {
    const auto& [function, caller, calledFrom] = calls[call];
    text += fmt::format("@{}{}{}", function, numberOf(calls, call),
                        places.at(origin));
    if (caller < 0) return text;
    text += ", called by ";
    call = caller;
    origin = calledFrom;
  }
}

/// The first number on a rank that is not finite. Findings with smaller numbers
/// are earlier in the program.
struct Finding {
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  int64_t number = kNone;  // of the task; -1: before all tasks
  std::string text;
};

/// Returns the first parameter or input on this rank that is not finite.
absl::StatusOr<Finding> findBeforeTasks(const plan::Plan& plan, size_t entry,
                                        int64_t rank,
                                        const Executor& executor) {
  SBP_ASSIGN_OR_RETURN(const std::string parameter,
                       parameterNotFinite(plan, rank, executor));
  if (!parameter.empty()) return Finding{-1, parameter};
  const std::vector<plan::Tensor>& inputs = plan.entries[entry].inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!executor.inputs()[i].isHere()) continue;
    const std::vector<int64_t> shape =
        plan::shapeOf(plan::localBox(plan.groupOf(inputs[i]), inputs[i], rank));
    SBP_ASSIGN_OR_RETURN(
        const auto found,
        findIn({executor.inputs()[i], {inputs[i].elementType, shape}},
               tensor::findNotFinite));
    if (found)
      return Finding{-1, fmt::format("input \"{}\" has {}", inputs[i].name,
                                     tensor::toString(*found, shape))};
  }
  return Finding();
}

/// Describes the first bad number of a task that has run, if the results are
/// worse than the operands were (`before`); otherwise returns an empty string.
absl::StatusOr<std::string> blame(const Access& access, Worst before) {
  if (access.operands.empty() || access.fillsWithInfinities) return "";
  SBP_ASSIGN_OR_RETURN(const Worst after, worstOf(access.results));
  if (after <= before) return "";
  for (const Buffer& result : access.results) {
    SBP_ASSIGN_OR_RETURN(
        const auto found,
        findIn(result,
               after == Worst::kNan ? tensor::findNan : tensor::findNotFinite));
    if (!found) continue;
    return fmt::format(
        "{} gives {} of {}, though its operands are {}", access.name,
        tensor::toString(*found, result.type.shape),
        plan::toString(result.type.elementType, result.type.shape),
        before == Worst::kFinite ? "finite" : "not nan");
  }
  return "";
}

/// Runs task `index` and the other tasks of its bucket. Returns a finding for
/// the first of these tasks that makes a number that is not finite.
/// Finding::number is the position of this task in the bucket.
absl::StatusOr<Finding> runAndLook(const std::vector<Access>& accesses,
                                   Executor& executor, size_t index) {
  std::vector<Worst> before;
  for (const Access& access : accesses) {
    SBP_ASSIGN_OR_RETURN(before.emplace_back(), worstOf(access.operands));
  }
  SBP_RETURN_IF_ERROR(executor.runTask(index));
  for (size_t i = 0; i < accesses.size(); ++i) {
    SBP_ASSIGN_OR_RETURN(std::string text, blame(accesses[i], before[i]));
    if (!text.empty()) return Finding{static_cast<int64_t>(i), std::move(text)};
  }
  return Finding();
}

/// Returns the earliest finding over all ranks, on every rank.
absl::StatusOr<std::string> firstOfRanks(
    communication::Communicator& communicator, const Finding& mine) {
  SBP_ASSIGN_OR_RETURN(
      const std::vector<std::string> texts,
      communicator.allGather(fmt::format("{} {}", mine.number, mine.text)));
  Finding first;
  for (size_t rank = 0; rank < texts.size(); ++rank) {
    const size_t space = texts[rank].find(' ');
    int64_t number = 0;
    if (!absl::SimpleAtoi(texts[rank].substr(0, space), &number) ||
        number >= first.number)
      continue;
    first = {number, texts[rank].substr(space + 1)};
    if (texts.size() > 1) first.text += fmt::format(", on rank {}", rank);
  }
  return first.text;
}

}  // namespace

absl::StatusOr<std::string> parameterNotFinite(const plan::Plan& plan,
                                               int64_t rank,
                                               const Executor& executor) {
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const plan::Tensor& tensor = plan.parameters[i].tensor;
    if (!executor.parameters()[i].isHere()) continue;
    const std::vector<int64_t> shape =
        plan::shapeOf(plan::localBox(plan.groupOf(tensor), tensor, rank));
    SBP_ASSIGN_OR_RETURN(const auto found, findIn({executor.parameters()[i],
                                                   {tensor.elementType, shape}},
                                                  tensor::findNotFinite));
    if (found)
      return fmt::format("parameter \"{}\" has {}", tensor.name,
                         tensor::toString(*found, shape));
  }
  return "";
}

absl::StatusOr<std::string> originOfNotFinite(
    const plan::Plan& plan, size_t entry, Executor& executor,
    communication::Communicator& communicator,
    const std::atomic<bool>& isStopped) {
  const int64_t rank = communicator.rank();
  const plan::EntryProgram& program = plan.programOf(rank).entries[entry];
  SBP_ASSIGN_OR_RETURN(Finding first,
                       findBeforeTasks(plan, entry, rank, executor));
  int64_t number = 0;  // of tasks run so far
  const auto run = [&](size_t index) -> absl::Status {
    // Go on after a finding, because other ranks may need this one in
    // collectives.
    if (first.number != Finding::kNone) return executor.runTask(index);
    const std::vector<Access> accesses =
        accessesAt(plan, program, executor, index);
    SBP_ASSIGN_OR_RETURN(first, runAndLook(accesses, executor, index));
    if (first.number != Finding::kNone) {
      const size_t found = index + first.number;
      first.number += number;
      const int64_t call = std::visit(
          [](const auto& task) { return task.call; }, program.tasks[found]);
      first.text += ", in " + stackOf(plan.places, program.calls, call,
                                      program.originOf(found));
    }
    number += static_cast<int64_t>(accesses.size());
    return absl::OkStatus();
  };
  SBP_RETURN_IF_ERROR(executor.forEachUntilUpdate(isStopped, run));
  return firstOfRanks(communicator, first);
}

}  // namespace sbp::execute
