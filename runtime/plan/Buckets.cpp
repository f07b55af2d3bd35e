#include "runtime/plan/Buckets.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "runtime/plan/Box.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::plan {
namespace {

/// Returns the bucket of `task`; -1 if it has none.
int64_t bucketOf(const Task& task) {
  const auto* collective = std::get_if<CollectiveTask>(&task);
  return collective ? collective->bucket : -1;
}

/// Memory that a task of a bucket reads or writes.
struct Access {
  int64_t task = 0;
  int64_t begin = 0;
  int64_t end = 0;
};

Access accessOf(int64_t task, int64_t buffer, ElementType type,
                const std::vector<int64_t>& shape) {
  return {task, buffer, buffer + numElements(shape) * byteWidth(type)};
}

/// Whether two tasks agree in everything that all tasks of a bucket must share.
bool areAlike(const CollectiveTask& left, const CollectiveTask& right) {
  return left.kind == right.kind && left.group == right.group &&
         left.axes == right.axes && left.elementType == right.elementType &&
         left.reduction == right.reduction;
}

/// The bucket of tasks [first, last) of a program.
class Bucket {
 public:
  Bucket(const Plan& plan, const Entry& entry, const EntryProgram& program,
         int64_t first, int64_t last)
      : plan_(plan),
        entry_(entry),
        program_(program),
        first_(first),
        last_(last) {}

  absl::Status check() const {
    if (last_ - first_ > kMostInBucket)
      return error("{} collectives, not at most {}", last_ - first_,
                   kMostInBucket);
    SBP_RETURN_IF_ERROR(checkAlike());
    SBP_RETURN_IF_ERROR(checkRunTogether());
    return checkAreApart();
  }

 private:
  const CollectiveTask& task(int64_t index) const {
    return std::get<CollectiveTask>(program_.tasks[index]);
  }

  std::string describe(const CollectiveTask& task) const {
    return fmt::format("{} of group {}, of {} by {}",
                       nameOf(plan_.groups[task.group], task), task.group,
                       toString(task.elementType), toString(task.reduction));
  }

  absl::Status checkAlike() const {
    const CollectiveTask& first = task(first_);
    if (isLocal(first.kind))
      return error("task {} is {}, in which no others take part", first_,
                   toString(first.kind));
    for (int64_t i = first_ + 1; i < last_; ++i)
      if (!areAlike(first, task(i)))
        return error("task {} is {}, task {} is {}", first_, describe(first), i,
                     describe(task(i)));
    return absl::OkStatus();
  }

  /// Checks that the tasks of the bucket run consecutively, for the same step.
  absl::Status checkRunTogether() const {
    if (first_ < program_.firstUpdate && last_ > program_.firstUpdate)
      return error("across the first update, {}", program_.firstUpdate);
    const std::vector<int64_t> blocks = blocksOfTasks(program_);
    const auto describeBlock = [&](int64_t index) {
      return blocks[index] < 0 ? "in no loop"
                               : fmt::format("in block {}", blocks[index]);
    };
    for (int64_t i = first_ + 1; i < last_; ++i)
      if (blocks[i] != blocks[first_])
        return error("task {} stands {}, task {} {}", first_,
                     describeBlock(first_), i, describeBlock(i));
    if (blocks[first_] >= 0) return absl::OkStatus();
    const std::vector<Section> sections =
        sectionsOf(program_, entry_.maxSkew, first_, last_);
    if (sections.size() > 1)
      return error("task {} is {} steps ahead, task {} is {}",
                   sections[0].first, sections[0].stepOffset, sections[1].first,
                   sections[1].stepOffset);
    return absl::OkStatus();
  }

  /// Checks that no task reads or writes what another one writes. Slots and
  /// rotations shift the buffers of all tasks of a bucket alike, so buffers
  /// that do not overlap as the tasks name them do not overlap in memory.
  absl::Status checkAreApart() const {
    std::vector<Access> writes;  // do not overlap, ascending
    for (int64_t i = first_; i < last_; ++i) {
      const Access access =
          accessOf(i, task(i).out, task(i).elementType, task(i).outShape);
      if (access.begin < access.end) writes.push_back(access);
    }
    std::sort(writes.begin(), writes.end(),
              [](const Access& left, const Access& right) {
                return left.begin < right.begin;
              });
    for (size_t i = 1; i < writes.size(); ++i)
      if (writes[i].begin < writes[i - 1].end)
        return overlap(writes[i - 1], "writes", writes[i]);
    for (int64_t i = first_; i < last_; ++i) {
      const Access read =
          accessOf(i, task(i).in, task(i).elementType, task(i).inShape);
      auto write = std::upper_bound(writes.begin(), writes.end(), read.begin,
                                    [](int64_t begin, const Access& access) {
                                      return begin < access.end;
                                    });
      for (; write != writes.end() && write->begin < read.end; ++write)
        if (write->task != i && read.begin < read.end)
          return overlap(*write, "reads", read);
    }
    return absl::OkStatus();
  }

  static absl::Status overlap(const Access& write, std::string_view does,
                              const Access& other) {
    return error("task {} writes [{}, {}), of which task {} {} [{}, {})",
                 write.task, write.begin, write.end, other.task, does,
                 other.begin, other.end);
  }

  const Plan& plan_;
  const Entry& entry_;
  const EntryProgram& program_;
  int64_t first_ = 0;
  int64_t last_ = 0;
};

}  // namespace

int64_t bucketEnd(const std::vector<Task>& tasks, int64_t first) {
  const int64_t bucket = bucketOf(tasks[first]);
  const auto numTasks = static_cast<int64_t>(tasks.size());
  int64_t end = first + 1;
  while (bucket >= 0 && end < numTasks && bucketOf(tasks[end]) == bucket) ++end;
  return end;
}

absl::Status checkBuckets(const Plan& plan, const Entry& entry,
                          const EntryProgram& program) {
  const auto numTasks = static_cast<int64_t>(program.tasks.size());
  std::map<int64_t, int64_t> ends;  // by bucket number: end of the bucket
  for (int64_t first = 0, last = 0; first < numTasks; first = last) {
    last = bucketEnd(program.tasks, first);
    const int64_t bucket = bucketOf(program.tasks[first]);
    if (bucket < -1)
      return error("task {} is of bucket {}; none is -1", first, bucket);
    if (bucket < 0) continue;
    const auto [known, isNew] = ends.try_emplace(bucket, last);
    if (!isNew)
      return error("tasks {} and {} are of bucket {}, and task {} is not",
                   known->second - 1, first, bucket, known->second);
    const absl::Status status =
        Bucket(plan, entry, program, first, last).check();
    if (!status.ok())
      return error("bucket {} of the tasks [{}, {}): {}", bucket, first, last,
                   textOf(status));
  }
  return absl::OkStatus();
}

}  // namespace sbp::plan
