#include "runtime/plan/Check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "runtime/plan/Box.h"
#include "runtime/plan/Buckets.h"
#include "runtime/plan/CheckCollectives.h"
#include "runtime/plan/CheckLoops.h"
#include "runtime/plan/CheckPlaces.h"
#include "runtime/plan/CheckTasks.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

/// Prefixes the text of an error with the place where it was found.
absl::Status at(std::string_view where, const absl::Status& status) {
  if (status.ok()) return status;
  return error("{}: {}", where, textOf(status));
}

absl::Status checkAxes(const Group& group) {
  std::set<std::string> names;
  int64_t numRanks = 1;
  for (const Axis& axis : group.axes) {
    if (axis.name.empty()) return error("an axis without a name");
    if (!names.insert(axis.name).second)
      return error("two axes are named \"{}\"", axis.name);
    if (axis.size < 1 || axis.size > kMaxRanks)
      return error("axis \"{}\" has size {}", axis.name, axis.size);
    numRanks *= axis.size;
    if (numRanks > kMaxRanks) return error("more than {} ranks", kMaxRanks);
  }
  return absl::OkStatus();
}

absl::Status checkGroups(const Plan& plan) {
  if (plan.groups.empty()) return error("no group of ranks");
  for (size_t i = 0; i < plan.groups.size(); ++i) {
    const Group& group = plan.groups[i];
    const std::string where = fmt::format("group {} \"{}\"", i, group.name);
    SBP_RETURN_IF_ERROR(at(where, checkAxes(group)));
    if (group.ranks.empty()) {
      if (group.size() != plan.numRanks())
        return error("{}: all ranks on {} places, where there are {}", where,
                     group.size(), plan.numRanks());
      continue;
    }
    if (i == 0) return error("{}: lists ranks; the first has all", where);
    if (int64_t(group.ranks.size()) != group.size())
      return error("{}: {} ranks on {} places", where, group.ranks.size(),
                   group.size());
    std::set<int64_t> ranks;
    for (int64_t rank : group.ranks) {
      if (rank < 0 || rank >= plan.numRanks())
        return error("{}: rank {} of {}", where, rank, plan.numRanks());
      if (!ranks.insert(rank).second)
        return error("{}: rank {} twice", where, rank);
    }
  }
  return absl::OkStatus();
}

enum class Partial { kAllowed, kForbidden };

absl::Status checkTensor(const Plan& plan, const Tensor& tensor,
                         Partial partial) {
  if (tensor.name.empty()) return error("a tensor without a name");
  if (!tensorBytes(tensor.elementType, tensor.shape))
    return error("\"{}\" is {}, no tensor of at most {} bytes", tensor.name,
                 toString(tensor.elementType, tensor.shape), kMaxArenaBytes);
  if (tensor.group < 0 || tensor.group >= int64_t(plan.groups.size()))
    return error("\"{}\" is on group {} of {}", tensor.name, tensor.group,
                 plan.groups.size());
  const size_t numAxes = plan.groupOf(tensor).axes.size();
  if (tensor.placement.size() != numAxes)
    return error("\"{}\" has the placement {} on a group of {} axes",
                 tensor.name, toString(tensor.placement), numAxes);
  for (const Component& component : tensor.placement) {
    if (component.kind == Component::Kind::kSplit &&
        (component.dim < 0 || component.dim >= int64_t(tensor.shape.size())))
      return error("\"{}\" has {} dimensions and is split along {}",
                   tensor.name, tensor.shape.size(), component.dim);
    if (component.kind == Component::Kind::kPartial &&
        partial == Partial::kForbidden)
      return error("\"{}\" is a parameter or an input and has the placement {}",
                   tensor.name, toString(tensor.placement));
  }
  const bool hasIndices = tensor.elementType == ElementType::kI32 ||
                          tensor.elementType == ElementType::kI64;
  if (tensor.below && !(hasIndices && *tensor.below > 0))
    return error("\"{}\" is {} whose elements are to be below {}", tensor.name,
                 toString(tensor.elementType, tensor.shape), *tensor.below);
  return absl::OkStatus();
}

absl::Status checkTensors(const Plan& plan, const std::vector<Tensor>& tensors,
                          Partial partial) {
  std::set<std::string> names;
  for (const Tensor& tensor : tensors) {
    SBP_RETURN_IF_ERROR(checkTensor(plan, tensor, partial));
    if (!names.insert(tensor.name).second)
      return error("two tensors are named \"{}\"", tensor.name);
  }
  return absl::OkStatus();
}

/// Largest Transfer::times: each micro-batch of a transfer has a cell in every
/// rank's memory.
constexpr int64_t kMaxTransfers = int64_t{1} << 20;

/// Largest number of steps that may overlap.
constexpr int64_t kMostOverlap = 64;

/// The largest number that both i32 and i64 can hold.
constexpr double kMaxInteger = 2147483647;

/// Checks parameter `index` if it is an older version of a parameter: that
/// parameter must have a smaller index, and the same type, shape and placement.
absl::Status checkEarlier(const Plan& plan, size_t index) {
  const Parameter& parameter = plan.parameters[index];
  if (!parameter.earlier) return absl::OkStatus();
  const auto [of, steps] = *parameter.earlier;
  if (of < 0 || of >= int64_t(index) || plan.parameters[of].earlier ||
      steps < 1 || steps > kMostOverlap || !parameter.isState)
    return error("\"{}\" is parameter {} of {} as it was {} steps ago",
                 parameter.tensor.name, of, index, steps);
  const Tensor& now = plan.parameters[of].tensor;
  const Tensor& before = parameter.tensor;
  if (now.elementType == before.elementType && now.shape == before.shape &&
      now.group == before.group &&
      toString(now.placement) == toString(before.placement))
    return absl::OkStatus();
  return error("\"{}\" is an earlier value of \"{}\", and not like it",
               before.name, now.name);
}

absl::Status checkParameters(const Plan& plan) {
  std::set<std::string> names;
  for (const Parameter& parameter : plan.parameters) {
    SBP_RETURN_IF_ERROR(
        checkTensor(plan, parameter.tensor, Partial::kForbidden));
    if (!names.insert(parameter.tensor.name).second)
      return error("two parameters are named \"{}\"", parameter.tensor.name);
    const Initializer& initializer = parameter.initializer;
    if (!std::isfinite(initializer.first) || !std::isfinite(initializer.second))
      return error("parameter \"{}\" starts from a value that is not finite",
                   parameter.tensor.name);
    if (!isFloat(parameter.tensor.elementType) &&
        std::max(std::abs(initializer.first), std::abs(initializer.second)) >
            kMaxInteger)
      return error("parameter \"{}\" of {} starts from {} or {}",
                   parameter.tensor.name,
                   toString(parameter.tensor.elementType), initializer.first,
                   initializer.second);
    SBP_RETURN_IF_ERROR(checkEarlier(plan, names.size() - 1));
  }
  return absl::OkStatus();
}

absl::Status checkTransfer(const Plan& plan, const Transfer& transfer) {
  for (const Tensor* end : {&transfer.source, &transfer.target})
    SBP_RETURN_IF_ERROR(checkTensor(plan, *end, Partial::kForbidden));
  const auto typeOf = [](const Tensor& tensor) {
    return toString(tensor.elementType, tensor.shape);
  };
  if (typeOf(transfer.source) != typeOf(transfer.target))
    return error("transfer of \"{}\" sends {} and receives {}",
                 transfer.source.name, typeOf(transfer.source),
                 typeOf(transfer.target));
  if (transfer.source.group == transfer.target.group)
    return error("transfer of \"{}\" from group {} to itself",
                 transfer.source.name, transfer.source.group);
  if (transfer.times < 1 || transfer.times > kMaxTransfers)
    return error("transfer of \"{}\" goes {} times, not 1 to {}",
                 transfer.source.name, transfer.times, kMaxTransfers);
  return absl::OkStatus();
}

absl::Status checkEntries(const Plan& plan) {
  std::set<std::string> names;
  for (const Entry& entry : plan.entries) {
    if (!names.insert(entry.name).second)
      return error("two entries are named \"{}\"", entry.name);
    const std::string where = fmt::format("entry \"{}\"", entry.name);
    SBP_RETURN_IF_ERROR(
        at(where, checkTensors(plan, entry.inputs, Partial::kForbidden)));
    SBP_RETURN_IF_ERROR(
        at(where, checkTensors(plan, entry.outputs, Partial::kAllowed)));
    for (const Transfer& transfer : entry.transfers)
      SBP_RETURN_IF_ERROR(at(where, checkTransfer(plan, transfer)));
    if (entry.maxSkew < 0 || entry.maxSkew > kMostOverlap)
      return error("{}: the maxSkew of its steps is {}, not 0 to {}", where,
                   entry.maxSkew, kMostOverlap);
  }
  return absl::OkStatus();
}

/// Checks a launch of `what`.
absl::Status checkLaunch(const Launch& launch, const std::string& what) {
  // Limits of every GPU that CUDA supports.
  constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;
  constexpr int64_t kMostThreads = 1024;
  if (launch.function.empty()) return error("{} launches no function", what);
  if (launch.blocks < 1 || launch.blocks > kMostBlocks || launch.threads < 1 ||
      launch.threads > kMostThreads || launch.sharedBytes < 0)
    return error(
        "{} is launched with {} blocks of {} threads and {} bytes of shared "
        "memory; a GPU takes 1 to {} blocks of 1 to {} threads",
        what, launch.blocks, launch.threads, launch.sharedBytes, kMostBlocks,
        kMostThreads);
  return absl::OkStatus();
}

absl::Status checkKernel(const Kernel& kernel) {
  if (kernel.scratchBytes < 0)
    return error("kernel \"{}\" has {} bytes of scratch memory", kernel.name,
                 kernel.scratchBytes);
  for (const Launch& launch : kernel.launches)
    SBP_RETURN_IF_ERROR(
        checkLaunch(launch, fmt::format("kernel \"{}\"", kernel.name)));
  return absl::OkStatus();
}

/// Checks that `buffers` hold `tensors` on every rank of `program` and lie in
/// [begin, end).
absl::Status checkBuffers(const Plan& plan, const Program& program,
                          const std::vector<const Tensor*>& tensors,
                          const std::vector<int64_t>& buffers, int64_t begin,
                          int64_t end) {
  if (tensors.size() != buffers.size())
    return error("{} buffers for {} tensors", buffers.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    for (int64_t rank : program.ranks) {
      const Group& group = plan.groupOf(*tensors[i]);
      if (group.has(rank) != (buffers[i] != kAbsent))
        return error("\"{}\" is on group \"{}\", and rank {} {} it",
                     tensors[i]->name, group.name, rank,
                     buffers[i] == kAbsent ? "lacks" : "has");
      if (buffers[i] == kAbsent) continue;
      const int64_t bytes = localBytes(group, *tensors[i], rank);
      if (!isBufferWithin(buffers[i], bytes, begin, end))
        return error(
            "\"{}\" of {} bytes on rank {} is at {}, not in [{}, {}) at a "
            "multiple of {}",
            tensors[i]->name, bytes, rank, buffers[i], begin, end,
            kBufferAlignment);
    }
  return absl::OkStatus();
}

absl::Status checkParametersAreApart(const Plan& plan, const Program& program) {
  for (int64_t rank : program.ranks) {
    std::set<std::pair<int64_t, size_t>> byBuffer;
    for (size_t i = 0; i < plan.parameters.size(); ++i)
      if (localBytes(plan.groupOf(plan.parameters[i].tensor),
                     plan.parameters[i].tensor, rank) > 0)
        byBuffer.insert({program.parameters[i], i});
    const Tensor* previous = nullptr;
    int64_t previousEnd = 0;
    for (const auto& [buffer, i] : byBuffer) {
      const Tensor& tensor = plan.parameters[i].tensor;
      if (previous && buffer < previousEnd)
        return error("parameters \"{}\" and \"{}\" overlap on rank {}",
                     previous->name, tensor.name, rank);
      previous = &tensor;
      previousEnd = buffer + localBytes(plan.groupOf(tensor), tensor, rank);
    }
  }
  return absl::OkStatus();
}

template <typename List, typename ToTensor>
std::vector<const Tensor*> tensorsOf(const List& list, ToTensor toTensor) {
  std::vector<const Tensor*> result;
  for (const auto& element : list) result.push_back(&toTensor(element));
  return result;
}

std::vector<const Tensor*> tensorsOf(const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> result;
  for (const Tensor& tensor : tensors) result.push_back(&tensor);
  return result;
}

absl::Status checkUpdates(const Plan& plan, const EntryProgram& program) {
  const int64_t numTasks = program.tasks.size();
  if (program.firstUpdate < 0 || program.firstUpdate > numTasks)
    return error("the first update is task {} of {}", program.firstUpdate,
                 numTasks);
  for (const Gradient& gradient : program.gradients) {
    if (!isFloat(gradient.elementType))
      return error("a gradient of {}; gradients are floats",
                   toString(gradient.elementType));
    const auto bytes =
        tensorBytes(gradient.elementType, {gradient.numElements});
    if (!bytes ||
        !isBufferWithin(gradient.buffer, *bytes, 0, program.arenaBytes))
      return error("a gradient of {} elements at {} in an arena of {} bytes",
                   gradient.numElements, gradient.buffer, program.arenaBytes);
    if (gradient.squares.has_value() != plan.isForGpus())
      return error(
          "a gradient has {} that adds up its squares, but kernels are for {}",
          gradient.squares ? "a launch" : "no launch",
          plan.isForGpus() ? "GPUs" : "CPUs");
    if (gradient.squares)
      SBP_RETURN_IF_ERROR(
          checkLaunch(*gradient.squares, "the sum of squares of a gradient"));
    if (gradient.group < 0 || gradient.group >= int64_t(plan.groups.size()))
      return error("a gradient is on group {} of {}", gradient.group,
                   plan.groups.size());
    const size_t numAxes = plan.groups[gradient.group].axes.size();
    for (int64_t axis : gradient.copyAxes)
      if (axis < 0 || axis >= int64_t(numAxes))
        return error(
            "a gradient has copies along axis {} of a group of {} axes", axis,
            numAxes);
  }
  return absl::OkStatus();
}

/// Checks that every task belongs to a call, and that every call comes after
/// its caller.
absl::Status checkCalls(const EntryProgram& program) {
  const int64_t numCalls = program.calls.size();
  for (int64_t i = 0; i < numCalls; ++i)
    if (program.calls[i].caller < -1 || program.calls[i].caller >= i)
      return error("call {} stands in call {}", i, program.calls[i].caller);
  for (const Task& task : program.tasks) {
    const int64_t call = std::visit([](const auto& t) { return t.call; }, task);
    if (call < 0 || call >= numCalls)
      return error("a task stands in call {} of {}", call, numCalls);
  }
  return absl::OkStatus();
}

/// Checks step offsets, late tasks and rotations, which serve overlapping steps
/// (Entry::maxSkew). Step offsets must be 0 unless steps overlap.
absl::Status checkOverlap(const Entry& entry, const EntryProgram& program) {
  const int64_t numTasks = program.tasks.size();
  if (program.headStepOffset < 0 || program.headStepOffset > entry.maxSkew)
    return error("tasks are {} steps ahead, where maxSkew is {}",
                 program.headStepOffset, entry.maxSkew);
  if (program.headStepOffset > 0 && program.loops.empty())
    return error("tasks are {} steps ahead before the first of {} loops",
                 program.headStepOffset, program.loops.size());
  for (const Loop& loop : program.loops) {
    const auto [least, most] = stepOffsetsOf(loop);
    if (std::max(most, -least) > 2 * entry.maxSkew)
      return error("blocks are from {} to {} steps ahead, where maxSkew is {}",
                   least, most, entry.maxSkew);
    if (least < most && &loop != &program.loops.front())
      return error("steps overlap in another loop than the first");
  }
  if (program.firstLate >= 0 &&
      (program.firstLate > numTasks || program.firstLate < program.firstUpdate))
    return error("late tasks from {} on, of {} with the first update {}",
                 program.firstLate, numTasks, program.firstUpdate);
  int64_t end = 0;
  for (const Rotation& rotation : program.rotations) {
    if (rotation.count < 1 || rotation.bytes < 0 ||
        rotation.bytes % kBufferAlignment != 0 || rotation.buffer < end ||
        rotation.bytes > kMaxArenaBytes / rotation.count ||
        !isBufferWithin(rotation.buffer, rotation.bytes * rotation.count, 0,
                        program.arenaBytes))
      return error(
          "a rotation of {} slots of {} bytes at {}, after {}, in an arena of "
          "{}, alignment {}",
          rotation.count, rotation.bytes, rotation.buffer, end,
          program.arenaBytes, kBufferAlignment);
    end = rotation.buffer + rotation.bytes * rotation.count;
  }
  return absl::OkStatus();
}

absl::Status checkEntryProgram(const Plan& plan, const Program& program,
                               size_t index) {
  const Entry& entry = plan.entries[index];
  const EntryProgram& entryProgram = program.entries[index];
  const int64_t arenaBytes = entryProgram.arenaBytes;
  if (arenaBytes < program.persistentBytes || arenaBytes > kMaxArenaBytes)
    return error("an arena of {} bytes, {} of them persistent", arenaBytes,
                 program.persistentBytes);
  SBP_RETURN_IF_ERROR(checkBuffers(plan, program, tensorsOf(entry.inputs),
                                   entryProgram.inputs, program.persistentBytes,
                                   arenaBytes));
  SBP_RETURN_IF_ERROR(checkBuffers(plan, program, tensorsOf(entry.outputs),
                                   entryProgram.outputs, 0, arenaBytes));
  for (size_t i = 0; i < entryProgram.tasks.size(); ++i)
    SBP_RETURN_IF_ERROR(at(fmt::format("task {}", i),
                           checkTask(plan, entry, program.ranks, arenaBytes,
                                     entryProgram.tasks[i])));
  SBP_RETURN_IF_ERROR(checkLoops(plan, program, entryProgram));
  SBP_RETURN_IF_ERROR(checkTransferEnds(plan, entry, program, entryProgram));
  SBP_RETURN_IF_ERROR(checkUpdates(plan, entryProgram));
  SBP_RETURN_IF_ERROR(checkOverlap(entry, entryProgram));
  SBP_RETURN_IF_ERROR(checkBuckets(plan, entry, entryProgram));
  SBP_RETURN_IF_ERROR(checkCalls(entryProgram));
  return checkOrigins(plan.places, entryProgram);
}

absl::Status checkProgram(const Plan& plan, const Program& program) {
  if (program.ranks.empty()) return error("no rank runs it");
  for (const Group& group : plan.groups)
    for (int64_t rank : program.ranks)
      if (group.has(rank) != group.has(program.ranks[0]))
        return error("of its ranks {} and {}, one is of group \"{}\"",
                     program.ranks[0], rank, group.name);
  if (program.persistentBytes < 0 || program.persistentBytes > kMaxArenaBytes)
    return error("{} persistent bytes", program.persistentBytes);
  SBP_RETURN_IF_ERROR(checkBuffers(
      plan, program,
      tensorsOf(plan.parameters,
                [](const Parameter& p) -> const Tensor& { return p.tensor; }),
      program.parameters, 0, program.persistentBytes));
  SBP_RETURN_IF_ERROR(checkParametersAreApart(plan, program));
  if (program.entries.size() != plan.entries.size())
    return error("{} entries where the plan has {}", program.entries.size(),
                 plan.entries.size());
  for (size_t i = 0; i < plan.entries.size(); ++i)
    SBP_RETURN_IF_ERROR(at(fmt::format("entry \"{}\"", plan.entries[i].name),
                           checkEntryProgram(plan, program, i)));
  return absl::OkStatus();
}

/// Checks that every rank of the mesh is in exactly one program.
absl::Status checkRanks(const Plan& plan) {
  const int64_t numRanks = plan.numRanks();
  std::vector<int64_t> programOf(numRanks, -1);
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    int64_t previous = -1;
    for (int64_t rank : plan.programs[i].ranks) {
      if (rank <= previous)
        return error("program {} lists rank {} after rank {}: they must ascend",
                     i, rank, previous);
      if (rank >= numRanks)
        return error("program {} lists rank {} of {} ranks", i, rank, numRanks);
      if (programOf[rank] >= 0)
        return error("rank {} is in programs {} and {}", rank, programOf[rank],
                     i);
      programOf[rank] = int64_t(i);
      previous = rank;
    }
  }
  for (int64_t rank = 0; rank < numRanks; ++rank)
    if (programOf[rank] < 0)
      return error("rank {} of {} is in no program", rank, numRanks);
  return absl::OkStatus();
}

}  // namespace

absl::Status check(const Plan& plan) {
  SBP_RETURN_IF_ERROR(checkGroups(plan));
  SBP_RETURN_IF_ERROR(checkPlaces(plan.places));
  SBP_RETURN_IF_ERROR(checkParameters(plan));
  SBP_RETURN_IF_ERROR(checkEntries(plan));
  for (const Kernel& kernel : plan.kernels)
    SBP_RETURN_IF_ERROR(checkKernel(kernel));
  SBP_RETURN_IF_ERROR(checkRanks(plan));
  for (size_t i = 0; i < plan.programs.size(); ++i)
    SBP_RETURN_IF_ERROR(
        at(fmt::format("program {}", i), checkProgram(plan, plan.programs[i])));
  for (size_t group = 0; group < plan.groups.size(); ++group)
    for (size_t entry = 0; entry < plan.entries.size(); ++entry)
      SBP_RETURN_IF_ERROR(
          at(fmt::format("entry \"{}\"", plan.entries[entry].name),
             checkSameCollectives(plan, int64_t(group), entry)));
  return absl::OkStatus();
}

}  // namespace sbp::plan
