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
  /// When what takes the sums of a block runs, among all that do: its place in
  /// the order of the loop, then the block. Blocks of their own are numbered
  /// so, as memory is laid out in the order of the list.
  using Order = std::pair<int64_t, int64_t>;

  /// Where each block runs last.
  void findLastRuns() {
    lastRuns_.assign(loop_.blocks.size(), -1);
    for (auto [place, run] : llvm::enumerate(loop_.order))
      lastRuns_[run.block] = static_cast<int64_t>(place);
  }

  /// Which block adds to each sum of gradients.
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

  /// The block behind which what `buffer` holds behind the loop is there;
  /// nothing if that is not known, or if it does not come from the loop.
  std::optional<int64_t> behind(int64_t buffer) const {
    if (auto adder = adders_.find(buffer); adder != adders_.end())
      return adder->second;
    if (auto moved = movedTo_.find(buffer); moved != movedTo_.end())
      return moved->second;
    return std::nullopt;
  }

  /// Whether `task` may run while others are on their way. Where messages
  /// decide when, only ranks of one group know what all of them can run.
  bool isOfLoop(const ListedTask& task) const {
    if (task.end) return task.end->kind == plan::TransferTask::Kind::kStartSend;
    if (!task.op || nn::gradientOf(task.op)) return false;
    return !loop_.messages ||
           !llvm::isa<rank::RankDialect>(task.op->getDialect()) ||
           rank::meshNameOf(task.op) == loop_.messages->group;
  }

  /// Finds tasks whose operands are sums, or made of sums by such tasks, and
  /// the block behind which each can run.
  void findMovable() {
    llvm::DenseMap<int64_t, bool> isMadeBehind;
    for (int64_t index = loop_.last; index < end_; ++index) {
      ListedTask& task = list_.tasks[index];
      std::optional<int64_t> block;
      bool isMovable = isOfLoop(task);
      for (int64_t input : task.inputs) {
        auto own = behind(input);
        if (own && (!block || orderOf(*own) > orderOf(*block))) block = own;
        if (!own && isMadeBehind.lookup(input)) isMovable = false;
      }
      for (int64_t output : task.outputs) isMadeBehind[output] = true;
      if (!isMovable || !block || *block == lastAdder_) continue;
      moved_[orderOf(*block)].push_back(index);
      for (int64_t output : task.outputs) movedTo_[output] = *block;
    }
  }

  static size_t digitsOf(StringRef block) {
    return block.find_first_not_of("0123456789");
  }

  /// Whether a block is of a backward, or a half of one: "1B", "1W sums".
  static bool goesBack(StringRef block) {
    return block.drop_front(std::min(digitsOf(block), block.size()))
               .find_first_of("BIW") == 0;
  }

  /// "1G" of "1B", which is its stage's.
  static std::string nameOf(StringRef adder) {
    return (adder.take_front(digitsOf(adder)) + "G").str();
  }

  /// Gives the tasks blocks of their own, which run once.
  void addBlocks() {
    std::map<int64_t, std::vector<plan::Loop::BlockRun>> runs;  // by place
    for (auto& [when, tasks] : moved_) {
      auto [place, block] = when;
      const auto own = static_cast<int64_t>(loop_.blocks.size());
      loop_.blocks.push_back(nameOf(loop_.blocks[block]));
      loop_.once.push_back(own);
      for (int64_t index : tasks) list_.tasks[index].block = own;
      // What it does is of no micro-batch: as outside of the loop, it is the
      // first time.
      runs[place].push_back({own, /*microBatch=*/0});
    }
    if (loop_.messages) {
      // No other task of the loop waits for what they make.
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

  /// How many runs stand before what takes the sums of `block`: as many as the
  /// schedule says, or else those up to the last that adds.
  int64_t placeOf(int64_t block) const {
    auto known = loop_.reductions.find(nameOf(loop_.blocks[block]));
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

  bool isMoved(int64_t index) const {
    return llvm::any_of(moved_, [&](const auto& ofOrder) {
      return llvm::is_contained(ofOrder.second, index);
    });
  }

  TaskList& list_;
  ListedLoop& loop_;
  int64_t end_;                         // of what may be moved
  std::vector<int64_t> lastRuns_;       // by block, in the order
  std::map<int64_t, int64_t> adders_;   // blocks, by buffer of a sum
  int64_t lastAdder_ = -1;              // the block that adds last
  std::map<int64_t, int64_t> movedTo_;  // behind which block, by buffer
  std::map<Order, std::vector<int64_t>> moved_;  // tasks, as they run
};

}  // namespace

void moveSumsForward(TaskList& list) {
  if (list.lag > 0) return;
  for (size_t loop = 0; loop < list.loops.size(); ++loop)
    if (!list.loops[loop].blocks.empty()) SumMover(list, loop).run();
}

}  // namespace sbp
