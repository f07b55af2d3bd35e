#include "codegen/plan/EarlySums.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/nn/OptimizerStep.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {
namespace {

/// Moves the tasks that process sums of one loop into that loop.
class SumMover {
 public:
  SumMover(TaskList& list, size_t loop)
      : list_(list), loop_(list.loops[loop]), end_(list.firstUpdate) {
    if (loop + 1 < list.loops.size())
      end_ = std::min(end_, list.loops[loop + 1].first);
  }

  void run() {
    findLastRuns();
    findAdders();
    findMovable();
    if (moved_.empty()) return;
    addBlocks();
    moveTasks();
  }

 private:
  /// The order of the moved tasks that take the sums of a block: the position
  /// in the loop's order at which they run, then that block. New blocks are
  /// numbered in this order, since memory is laid out in the order of the list.
  using Order = std::pair<int64_t, int64_t>;

  /// Finds the position in the loop's order at which each block runs last; -1:
  /// it never runs.
  void findLastRuns() {
    lastRuns_.assign(loop_.blocks.size(), -1);
    for (auto [place, run] : llvm::enumerate(loop_.order))
      lastRuns_[run.block] = static_cast<int64_t>(place);
  }

  /// Finds the block that adds to each sum of gradients.
  void findAdders() {
    for (int64_t index = loop_.first; index < loop_.last; ++index) {
      const ListedTask& task = list_.tasks[index];
      if (task.block < 0 || !goesBack(loop_.blocks[task.block])) continue;
      for (int64_t buffer : task.inputs)
        if (llvm::is_contained(loop_.carried, buffer))
          adders_[buffer] = task.block;
    }
    for (auto [buffer, block] : adders_)
      if (lastAdder_ < 0 || lastRuns_[block] > lastRuns_[lastAdder_])
        lastAdder_ = block;
  }

  /// Returns the block after whose last run `buffer` has its final value;
  /// nullopt if `buffer` is neither a sum of this loop nor made of such sums by
  /// moved tasks.
  std::optional<int64_t> completingBlock(int64_t buffer) const {
    if (auto adder = adders_.find(buffer); adder != adders_.end())
      return adder->second;
    if (auto moved = movedTo_.find(buffer); moved != movedTo_.end())
      return moved->second;
    return std::nullopt;
  }

  /// Whether `task` may run while micro-batches of other stages are under way.
  /// In message-driven execution a collective over another group may not: only
  /// ranks of one group know which blocks all of them can run.
  bool isOfLoop(const ListedTask& task) const {
    if (task.end) return task.end->kind == plan::TransferTask::Kind::kStartSend;
    if (!task.op || nn::gradientOf(task.op)) return false;
    return !loop_.messages || !rank::isMovement(task.op) ||
           rank::meshNameOf(task.op) == loop_.messages->group;
  }

  /// Finds the tasks whose operands are sums, or made of sums by such tasks,
  /// and the block after which each can run.
  void findMovable() {
    llvm::DenseMap<int64_t, bool> isMadeAfterLoop;
    for (int64_t index = loop_.last; index < end_; ++index) {
      ListedTask& task = list_.tasks[index];
      std::optional<int64_t> block;
      bool isMovable = isOfLoop(task);
      for (int64_t input : task.inputs) {
        auto own = completingBlock(input);
        if (own && (!block || orderOf(*own) > orderOf(*block))) block = own;
        if (!own && isMadeAfterLoop.lookup(input)) isMovable = false;
      }
      for (int64_t output : task.outputs) isMadeAfterLoop[output] = true;
      if (!isMovable || !block || *block == lastAdder_) continue;
      moved_[orderOf(*block)].push_back(index);
      for (int64_t output : task.outputs) movedTo_[output] = *block;
    }
  }

  /// Whether `block` belongs to a backward or to a half of one.
  static bool goesBack(const ListedBlock& block) {
    return block.task && (block.task->kind == TaskKind::Backward ||
                          block.task->kind == TaskKind::Input ||
                          block.task->kind == TaskKind::Weight);
  }

  /// Returns the stage of block `adder`, which adds to gradients.
  int64_t stageOf(int64_t adder) const {
    return loop_.blocks[adder].task->stage;
  }

  /// Puts the moved tasks into new blocks, which run once.
  void addBlocks() {
    std::map<int64_t, std::vector<plan::Loop::BlockRun>> runs;  // by position
    for (auto& [when, tasks] : moved_) {
      auto [place, block] = when;
      const auto own = static_cast<int64_t>(loop_.blocks.size());
      loop_.blocks.push_back(
          {StageTask{stageOf(block), TaskKind::Reduce}, BlockPart::Within});
      loop_.onceBlocks.push_back(own);
      for (int64_t index : tasks) list_.tasks[index].block = own;
      // The tasks belong to no micro-batch; like tasks outside of loops, they
      // run for number 0.
      runs[place].push_back({own, /*microBatch=*/0});
    }
    if (loop_.messages) {
      // No other task of the loop waits for their results.
      std::vector<int64_t>& urgencies = loop_.messages->urgencies;
      urgencies.resize(loop_.blocks.size(), *llvm::max_element(urgencies) + 1);
    }
    std::vector<plan::Loop::BlockRun> order;
    for (size_t place = 0; place <= loop_.order.size(); ++place) {
      if (auto own = runs.find(static_cast<int64_t>(place)); own != runs.end())
        llvm::append_range(order, own->second);
      if (place < loop_.order.size()) order.push_back(loop_.order[place]);
    }
    loop_.order = std::move(order);
  }

  /// Returns the number of runs in the loop's order before the tasks that take
  /// the sums of `block`: the number that the schedule says, but at least those
  /// up to the last run of `block`.
  int64_t placeOf(int64_t block) const {
    auto known = loop_.reductions.find(stageOf(block));
    const int64_t least = lastRuns_[block] + 1;
    return known == loop_.reductions.end() ? least
                                           : std::max(least, known->second);
  }

  Order orderOf(int64_t block) const { return {placeOf(block), block}; }

  void moveTasks() {
    std::vector<ListedTask> tasks;
    for (const auto& [when, indices] : moved_)
      for (int64_t index : indices)
        tasks.push_back(std::move(list_.tasks[index]));
    const auto numMoved = static_cast<int64_t>(tasks.size());
    for (int64_t index = loop_.last; index < end_; ++index)
      if (!isMoved(index)) tasks.push_back(std::move(list_.tasks[index]));
    std::move(tasks.begin(), tasks.end(), list_.tasks.begin() + loop_.last);
    loop_.last += numMoved;
  }

  /// Whether task `index` is moved.
  bool isMoved(int64_t index) const {
    return llvm::any_of(moved_, [&](const auto& ofOrder) {
      return llvm::is_contained(ofOrder.second, index);
    });
  }

  TaskList& list_;
  ListedLoop& loop_;
  int64_t end_;                         // tasks from here on stay
  std::vector<int64_t> lastRuns_;       // by block: a position in the order
  std::map<int64_t, int64_t> adders_;   // the adding block, by sum
  int64_t lastAdder_ = -1;              // the block that is last to add
  std::map<int64_t, int64_t> movedTo_;  // the block to wait for, by buffer
  std::map<Order, std::vector<int64_t>> moved_;  // tasks, in run order
};

}  // namespace

void moveSumsForward(TaskList& list) {
  if (list.maxSkew > 0) return;
  for (size_t loop = 0; loop < list.loops.size(); ++loop)
    if (!list.loops[loop].blocks.empty()) SumMover(list, loop).run();
}

}  // namespace sbp
