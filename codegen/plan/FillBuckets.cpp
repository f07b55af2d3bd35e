#include "codegen/plan/FillBuckets.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dialects/rank/Bucket.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {
namespace {

/// Tasks that run one right behind the other: one, or those of a bucket.
using Tasks = SmallVector<int64_t, 1>;  // indices, ascending

/// Fills the buckets of tasks [first, last) of a list, which run as often.
class SectionFiller {
 public:
  SectionFiller(TaskList& list, int64_t first, int64_t last)
      : list_(list), first_(first), last_(last) {}

  /// Numbers its buckets from `number` on, and returns the next one.
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
  /// Collectives that may be in one bucket are alike in this: op, group, axes,
  /// reduction, elements, which are unique in their context; and step.
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

  /// Finds which tasks run together.
  void group() {
    struct Open {
      size_t group = 0;
      int64_t bytes = 0;
    };
    std::map<Key, Open> open;
    groupOf_.resize(last_ - first_);
    for (int64_t index = first_; index < last_; ++index) {
      Operation* op = list_.tasks[index].op;
      std::optional<rank::Bucket> bucket =
          op ? rank::bucketOf(op) : std::nullopt;
      size_t number = groups_.size();
      if (bucket) {
        auto [known, isNew] = open.try_emplace(keyOf(op, *bucket));
        if (isNew) known->second.group = number;
        number = known->second.group;
        known->second.bytes += bucket->bytes;
        if (number == groups_.size()) groups_.emplace_back();
        if (known->second.bytes >= bucket->fullBytes ||
            groups_[number].size() + 1 == plan::kMostInBucket)
          open.erase(known);
      } else {
        groups_.emplace_back();
      }
      groups_[number].push_back(index);
      groupOf_[index - first_] = static_cast<int64_t>(number);
    }
  }

  void findWriters() {
    for (int64_t index = first_; index < last_; ++index)
      for (int64_t output : list_.tasks[index].outputs)
        writers_[output] = groupOf_[index - first_];
  }

  /// Each group stands where its last task stood, or as soon behind that as
  /// what it needs is there.
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
  std::vector<Tasks> groups_;
  std::vector<int64_t> groupOf_;              // by task
  llvm::DenseMap<int64_t, int64_t> writers_;  // groups, by buffer
  std::vector<bool> isDone_;                  // by group
  std::vector<int64_t> order_;                // of groups
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
      if (isOnce(loop, list.tasks[first])) fill(first, last);
      first = last;
    }
    next = loop.last;
  }
  fillUntil(static_cast<int64_t>(list.tasks.size()));
}

}  // namespace sbp
