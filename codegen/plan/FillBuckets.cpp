#include "codegen/plan/FillBuckets.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dialects/rank/Bucket.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {
namespace {

/// Indices of tasks that run right after one another: of a single task, or of
/// the tasks of a bucket.
using Tasks = SmallVector<int64_t, 1>;  // indices, ascending

/// Fills the buckets of tasks [first, last) of a list, all of which run equally
/// often.
class SectionFiller {
 public:
  SectionFiller(TaskList& list, int64_t first, int64_t last)
      : list_(list), first_(first), last_(last) {}

  /// Fills buckets, numbers them from `number` on, and returns the next free
  /// number.
  int64_t run(int64_t number) {
    group();
    if (llvm::none_of(groups_, isBucket)) return number;
    findWriters();
    order();
    std::vector<ListedTask> ordered;
    for (int64_t group : order_) {
      const bool areTogether = isBucket(groups_[group]);
      for (int64_t index : groups_[group]) {
        ordered.push_back(std::move(list_.tasks[index]));
        if (areTogether) ordered.back().bucket = number;
      }
      if (areTogether) ++number;
    }
    std::move(ordered.begin(), ordered.end(), list_.tasks.begin() + first_);
    return number;
  }

 private:
  using Numbers = std::set<int64_t>;

  /// Common properties of the collectives of a bucket: op, group, axes,
  /// reduction and element type, as addresses that are unique in an
  /// MLIRContext; and the step of rank::Bucket.
  using Key = std::pair<std::array<const void*, 5>, int64_t>;

  static bool isBucket(const Tasks& tasks) { return tasks.size() > 1; }

  static Key keyOf(Operation* op, const rank::Bucket& bucket) {
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    return {{op->getName().getAsOpaquePointer(),
             rank::meshNameOf(op).getAsOpaquePointer(),
             op->getAttr("axes").getAsOpaquePointer(),
             op->getAttr("reduction").getAsOpaquePointer(),
             type.getElementType().getAsOpaquePointer()},
            bucket.step};
  }

  /// Divides the tasks into groups, each a bucket or a single task.
  void group() {
    struct Open {
      int64_t group = 0;
      int64_t bytes = 0;
    };
    std::map<Key, Open> open;
    for (int64_t index = first_; index < last_; ++index) {
      const ListedTask& task = list_.tasks[index];
      const Numbers needed = bucketsNeededBy(task);
      std::optional<rank::Bucket> bucket =
          task.op ? rank::bucketOf(task.op) : std::nullopt;
      if (!bucket) {
        addTo(newGroup(), index, {});
        for (int64_t output : task.outputs) neededBuckets_[output] = needed;
        continue;
      }
      auto [known, isNew] = open.try_emplace(keyOf(task.op, *bucket));
      Open& filled = known->second;
      if (isNew || bucket->bytes > bucket->fullBytes - filled.bytes ||
          groups_[filled.group].size() == plan::kMostInBucket ||
          dependOn(needed, filled.group))
        filled = {newGroup(), 0};
      filled.bytes += bucket->bytes;
      addTo(filled.group, index, needed);
      for (int64_t output : task.outputs)
        neededBuckets_[output] = {filled.group};
    }
  }

  int64_t newGroup() {
    groups_.emplace_back();
    needs_.emplace_back();
    return static_cast<int64_t>(groups_.size()) - 1;
  }

  void addTo(int64_t group, int64_t index, const Numbers& needed) {
    groups_[group].push_back(index);
    groupOf_.push_back(group);
    needs_[group].insert(needed.begin(), needed.end());
  }

  /// Returns the buckets whose results `task` needs, directly or through tasks
  /// that are in no bucket.
  Numbers bucketsNeededBy(const ListedTask& task) const {
    Numbers groups;
    for (int64_t input : task.inputs)
      if (auto known = neededBuckets_.find(input);
          known != neededBuckets_.end())
        groups.insert(known->second.begin(), known->second.end());
    return groups;
  }

  /// Whether one of `groups` is `group`, or depends on it.
  bool dependOn(const Numbers& groups, int64_t group) const {
    Numbers seen;
    SmallVector<int64_t> next(groups.begin(), groups.end());
    while (!next.empty()) {
      const int64_t one = next.pop_back_val();
      if (one == group) return true;
      if (seen.insert(one).second)
        next.append(needs_[one].begin(), needs_[one].end());
    }
    return false;
  }

  void findWriters() {
    for (int64_t index = first_; index < last_; ++index)
      for (int64_t output : list_.tasks[index].outputs)
        writers_[output] = groupOf_[index - first_];
  }

  /// Orders the groups: each stands where its last task stood, or if its
  /// operands are not complete there, as soon as they are.
  void order() {
    isDone_.assign(groups_.size(), false);
    SmallVector<int64_t> waiting;
    for (int64_t index = first_; index < last_; ++index) {
      const int64_t group = groupOf_[index - first_];
      if (groups_[group].back() != index) continue;
      waiting.push_back(group);
      while (true) {
        auto* ready = llvm::find_if(
            waiting, [&](int64_t candidate) { return isReady(candidate); });
        if (ready == waiting.end()) break;
        isDone_[*ready] = true;
        order_.push_back(*ready);
        waiting.erase(ready);
      }
    }
  }

  bool isReady(int64_t group) const {
    return llvm::all_of(groups_[group], [&](int64_t index) {
      return llvm::all_of(list_.tasks[index].inputs, [&](int64_t input) {
        auto writer = writers_.find(input);
        return writer == writers_.end() || writer->second == group ||
               isDone_[writer->second];
      });
    });
  }

  TaskList& list_;
  int64_t first_, last_;
  std::vector<Tasks> groups_;                 // by their first task
  std::vector<int64_t> groupOf_;              // by task
  std::vector<Numbers> needs_;                // by group: buckets that it needs
  std::map<int64_t, Numbers> neededBuckets_;  // by buffer
  llvm::DenseMap<int64_t, int64_t> writers_;  // the writing group, by buffer
  std::vector<bool> isDone_;                  // by group
  std::vector<int64_t> order_;                // groups
};

}  // namespace

void fillBuckets(TaskList& list) {
  int64_t number = 0;
  int64_t next = 0;
  auto fill = [&](int64_t first, int64_t last) {
    number = SectionFiller(list, first, last).run(number);
  };
  auto fillUntil = [&](int64_t end) {
    const int64_t bar = std::clamp(list.firstUpdate, next, end);
    fill(next, bar);
    fill(bar, end);
  };
  for (const ListedLoop& loop : list.loops) {
    fillUntil(loop.first);
    for (int64_t first = loop.first; first < loop.last;) {
      int64_t last = first;
      while (last < loop.last &&
             list.tasks[last].block == list.tasks[first].block)
        ++last;
      if (runsOnce(loop, list.tasks[first])) fill(first, last);
      first = last;
    }
    next = loop.last;
  }
  fillUntil(static_cast<int64_t>(list.tasks.size()));
}

}  // namespace sbp
