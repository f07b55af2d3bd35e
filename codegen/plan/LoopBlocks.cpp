#include "codegen/plan/LoopBlocks.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "codegen/plan/ListedBlock.h"
#include "codegen/plan/TransferTimes.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace sbp {
namespace {

using EndKind = plan::TransferTask::Kind;

constexpr int64_t kNone = -1;

int64_t numberOf(BlockPart part) { return static_cast<int64_t>(part); }

/// Returns the urgency of `part` of a task of this kind. Message-driven
/// execution runs the ready block of the lowest urgency: first blocks that
/// start or finish transfers, or add to sums; then backwards, whole or of
/// inputs, for which the preceding stage waits; then forwards; then
/// recomputations, whose results take memory until the backward; last,
/// backwards of weights, for which no rank waits.
int64_t urgencyOf(TaskKind kind, BlockPart part) {
  if (part != BlockPart::Within) return 0;
  switch (kind) {
    case TaskKind::Backward:
    case TaskKind::Input:
      return 1;
    case TaskKind::Forward:
      return 2;
    case TaskKind::Recompute:
      return 3;
    case TaskKind::Weight:
      return 4;
    case TaskKind::Reduce:
    case TaskKind::Update:
      return 5;
  }
  llvm_unreachable("a task has one of seven kinds");
}

llvm::MutableArrayRef<ListedTask> tasksOf(TaskList& list,
                                          const ListedLoop& loop) {
  return llvm::MutableArrayRef(list.tasks)
      .slice(loop.first, loop.last - loop.first);
}

/// Cuts the tasks of one loop into blocks, and orders the runs of the blocks.
class BlockCutter {
 public:
  BlockCutter(const PipelineOrder& order, TaskList& list, ListedLoop& loop)
      : pipes_(loop.pipes),
        order_(order),
        loop_(loop),
        tasks_(tasksOf(list, loop)) {}

  LogicalResult run() {
    if (failed(findSteps())) return failure();
    findOrder();
    findNames();
    findSums();
    findConsumers();
    findProducers();
    numberBlocks();
    sortByBlock();
    if (failed(checkCarried())) return failure();
    orderRuns();
    if (order_.isMessageDriven())
      loop_.messages = {std::move(urgencies_), pipes_.front().tasks.group()};
    return success();
  }

 private:
  /// Returns the index in stageTasks_ of a task of the pipeline.
  size_t nameOf(const PipelineOrder::RankTaskRun& step) const {
    return firstTasks_[step.pipe] + step.index;
  }
  size_t nameOf(const ListedTask& task, size_t pipe) const {
    ArrayRef<StageTask> tasks = pipes_[pipe].tasks.tasks();
    return firstTasks_[pipe] +
           (llvm::find(tasks, *task.pipelineTask) - tasks.begin());
  }

  LogicalResult findSteps() {
    std::vector<PipelineOrder::RankTasks> shares;
    for (const ListedPipe& pipe : pipes_) {
      if (failed(order_.checkCounts(pipe.tasks.repeat(), pipe.tasks.tasks())))
        return failure();
      shares.push_back(pipe.tasks.rankTasks());
      firstTasks_.push_back(stageTasks_.size());
      for (StageTask task : shares.back().tasks) {
        stageTasks_.push_back(task);
        microBatches_.push_back(shares.back().microBatches);
      }
    }
    steps_ = order_.taskRunsOf(shares);
    isSummedApart_.resize(stageTasks_.size());
    peers_.resize(stageTasks_.size());
    return success();
  }

  /// Notes which tasks of the pipeline do not run in the order of
  /// micro-batches.
  void findOrder() {
    std::vector<int64_t> last(stageTasks_.size(), kNone);
    for (const PipelineOrder::RankTaskRun& step : steps_) {
      size_t name = nameOf(step);
      const int64_t time =
          step.stepOffset * order_.numMicroBatches() + step.microBatch;
      if (time < last[name]) isSummedApart_[name] = true;
      last[name] = time;
    }
  }

  bool isCarried(int64_t buffer) const {
    return llvm::is_contained(loop_.carried, buffer);
  }

  /// Finds the task of the pipeline that each task of the list belongs to. A
  /// copy at the end of an iteration belongs to the first task of the pipeline
  /// that reads its result, or if there is none, to the one that makes its
  /// operand.
  void findNames() {
    nameOf_.assign(tasks_.size(), 0);
    llvm::DenseMap<int64_t, int64_t> reader, maker;  // names, by buffer
    auto read = [&](int64_t buffer, int64_t name) {
      auto [known, isNew] = reader.try_emplace(buffer, name);
      known->second = std::min(known->second, name);
    };
    size_t pipe = 0;
    for (auto [index, task] : llvm::enumerate(tasks_)) {
      while (pipe + 1 < pipes_.size() &&
             loop_.first + static_cast<int64_t>(index) >=
                 pipes_[pipe + 1].first)
        ++pipe;
      nameOf_[index] = static_cast<int64_t>(task.op ? nameOf(task, pipe)
                                                    : firstTasks_[pipe]);
      if (!task.op) continue;
      for (int64_t input : task.inputs) read(input, nameOf_[index]);
      for (int64_t output : task.outputs) maker[output] = nameOf_[index];
    }
    for (auto [name, task] : llvm::reverse(llvm::zip(nameOf_, tasks_))) {
      if (task.op) continue;
      if (auto known = reader.find(task.outputs[0]); known != reader.end())
        name = known->second;
      else if (auto made = maker.find(task.inputs[0]); made != maker.end())
        name = made->second;
      read(task.inputs[0], name);
    }
  }

  /// Finds the tasks that read or write carried buffers, or values made of
  /// them.
  void findSums() {
    llvm::DenseSet<int64_t> summed(loop_.carried.begin(), loop_.carried.end());
    auto isSummed = [&](int64_t buffer) { return summed.contains(buffer); };
    for (const ListedTask& task : tasks_) {
      isOfSums_.push_back(llvm::any_of(task.inputs, isSummed) ||
                          llvm::any_of(task.outputs, isSummed));
      if (isOfSums_.back())
        summed.insert(task.outputs.begin(), task.outputs.end());
    }
  }

  /// Finds for each task of the pipeline the tasks that receive its tensors.
  void findConsumers() {
    for (auto [index, task] : llvm::enumerate(tasks_)) {
      if (!task.end || task.end->kind != EndKind::kStartSend) continue;
      if (auto consumer = rank::transferOf(task.op)->getAttrOfType<TaskAttr>(
              rank::kTaskAttrName))
        peers_[nameOf_[index]].consumers.push_back(consumer.getTask());
    }
  }

  /// The sender of a tensor: a task of the pipeline, and the index of the send
  /// among all sends in the text of the module. The sends of one task stand in
  /// the text in the order in which they run.
  struct Sender {
    StageTask task;
    int64_t place = 0;
  };

  llvm::StringMap<Sender> sendersByTransfer(ModuleOp module) {
    llvm::StringMap<Sender> senders;
    int64_t place = 0;
    module.walk([&](rank::SendOp send) {
      if (auto task = send->getAttrOfType<TaskAttr>(rank::kTaskAttrName))
        senders.try_emplace(send.getTransfer(),
                            Sender{task.getTask(), place++});
    });
    return senders;
  }

  /// Finds for each task of the pipeline the tasks that send its tensors, and
  /// their groups.
  void findProducers() {
    llvm::StringMap<Sender> senders;
    sentPlaces_.assign(tasks_.size(), 0);
    for (auto [index, task] : llvm::enumerate(tasks_)) {
      if (!task.end || task.end->kind != EndKind::kStartReceive) continue;
      if (senders.empty())
        senders = sendersByTransfer(task.op->getParentOfType<ModuleOp>());
      rank::TransferOp transfer = rank::transferOf(task.op);
      auto sender = senders.find(transfer.getSymName());
      if (sender == senders.end()) continue;
      sentPlaces_[index] = sender->second.place;
      Attribute group = NdSbpAttr::of(transfer.getSource()).getMesh();
      peers_[nameOf_[index]].producers.push_back({group, sender->second.task});
    }
  }

  BlockPart partOf(size_t index) const {
    const ListedTask& task = tasks_[index];
    if (task.end && task.end->kind == EndKind::kStartReceive)
      return BlockPart::Before;
    if (task.end && task.end->kind == EndKind::kFinishSend)
      return BlockPart::After;
    if (isSummedApart_[nameOf_[index]] && isOfSums_[index])
      return BlockPart::Sums;
    return BlockPart::Within;
  }

  void numberBlocks() {
    std::vector<int64_t> places(tasks_.size());  // by task: name and part
    std::vector<bool> isThere(stageTasks_.size() * kNumBlockParts);
    for (size_t name = 0; name < stageTasks_.size(); ++name)
      isThere[name * kNumBlockParts + numberOf(BlockPart::Within)] = true;
    for (size_t index = 0; index < tasks_.size(); ++index) {
      places[index] = nameOf_[index] * kNumBlockParts + numberOf(partOf(index));
      isThere[places[index]] = true;
    }
    blockOf_.assign(isThere.size(), kNone);
    for (size_t place = 0; place < isThere.size(); ++place) {
      if (!isThere[place]) continue;
      blockOf_[place] = static_cast<int64_t>(loop_.blocks.size());
      const StageTask task = stageTasks_[place / kNumBlockParts];
      auto part = static_cast<BlockPart>(place % kNumBlockParts);
      loop_.blocks.push_back({task, part});
      urgencies_.push_back(urgencyOf(task.kind, part));
    }
    for (auto [index, task] : llvm::enumerate(tasks_))
      task.block = blockOf_[places[index]];
  }

  void sortByBlock() {
    std::vector<std::vector<size_t>> byBlock(loop_.blocks.size());
    for (auto [index, task] : llvm::enumerate(tasks_))
      byBlock[task.block].push_back(index);
    std::vector<ListedTask> sorted;
    for (std::vector<size_t>& ofBlock : byBlock) {
      // Receives start in the order in which their tensors are sent.
      if (!ofBlock.empty() && partOf(ofBlock.front()) == BlockPart::Before)
        llvm::sort(ofBlock, [&](size_t a, size_t b) {
          return std::make_pair(sentPlaces_[a], a) <
                 std::make_pair(sentPlaces_[b], b);
        });
      for (size_t index : ofBlock) sorted.push_back(std::move(tasks_[index]));
    }
    std::move(sorted.begin(), sorted.end(), tasks_.begin());
  }

  /// Fails unless each carried tensor is used by one block alone. That block
  /// runs in the order of micro-batches, so the blocks that run in between do
  /// not matter.
  LogicalResult checkCarried() {
    llvm::DenseMap<int64_t, int64_t> block;
    for (const ListedTask& task : tasks_)
      for (int64_t buffer :
           llvm::concat<const int64_t>(task.inputs, task.outputs)) {
        if (!isCarried(buffer)) continue;
        auto [known, isNew] = block.try_emplace(buffer, task.block);
        if (known->second != task.block)
          return pipes_.front().tasks.repeat()->emitOpError()
                 << "carries a tensor from one micro-batch to the next that "
                 << loop_.blocks[known->second].text() << " and "
                 << loop_.blocks[task.block].text()
                 << " use; with a schedule only a sum can be carried, to which "
                    "one task of the pipeline adds";
      }
    for (auto [buffer, user] : block)
      if (failed(checkSumsAreApart(user))) return failure();
    return success();
  }

  /// Fails if block `block` adds to the sum of the next step before the sum of
  /// this step is complete.
  LogicalResult checkSumsAreApart(int64_t block) {
    for (const PipelineOrder::RankTaskRun& step : steps_) {
      const size_t place = nameOf(step) * kNumBlockParts;
      const bool adds = blockOf_[place + numberOf(BlockPart::Sums)] == block ||
                        blockOf_[place + numberOf(BlockPart::Within)] == block;
      if (adds && step.stepOffset > 0)
        return pipes_.front().tasks.repeat()->emitOpError()
               << "adds up the results of " << step.task.text()
               << ", which runs for the next step before the sum of this step "
                  "is complete; the last stage must not run ahead of its "
                  "update";
    }
    return success();
  }

  void orderRuns() {
    const TransferTimes transfers = transferTimesOf(
        order_, steps_,
        [this](const PipelineOrder::RankTaskRun& step) -> const TaskPeers& {
          return peers_[nameOf(step)];
        });
    std::vector<std::set<int64_t>> unsummed(
        stageTasks_.size());  // micro-batches
    std::vector<size_t> nextSum(stageTasks_.size(),
                                0);  // index into microBatches_
    for (auto [index, step] : llvm::enumerate(steps_)) {
      const size_t name = nameOf(step);
      placeReductions(step.position);
      addTransfers(transfers.finishes[index], BlockPart::After);
      addTransfers(transfers.starts[index], BlockPart::Before);
      addRun(name, step.microBatch, BlockPart::Within, step.stepOffset);
      unsummed[name].insert(step.microBatch);
      for (size_t& next = nextSum[name];
           next < microBatches_[name].size() &&
           unsummed[name].erase(microBatches_[name][next]);
           ++next)
        addRun(name, microBatches_[name][next], BlockPart::Sums,
               step.stepOffset);
    }
    placeReductions(std::numeric_limits<int64_t>::max());
    addTransfers(transfers.finishes.back(), BlockPart::After);
  }

  /// Sets loop_.reductions to the present length of the loop's order, for each
  /// stage whose gradients the schedule reduces before `position` and that is
  /// not set yet.
  void placeReductions(int64_t position) {
    for (StageTask task : stageTasks_) {
      auto reduced = order_.positionOf({task.stage, TaskKind::Reduce},
                                       order_.numMicroBatches() - 1,
                                       /*stepOffset=*/0);
      if (reduced && *reduced < position)
        loop_.reductions.try_emplace(task.stage, loop_.order.size());
    }
  }

  void addRun(size_t name, int64_t microBatch, BlockPart part,
              int64_t stepOffset) {
    int64_t block = blockOf_[name * kNumBlockParts + numberOf(part)];
    if (block != kNone) loop_.order.push_back({block, microBatch, stepOffset});
  }
  void addTransfers(ArrayRef<StepTransfers> transfers, BlockPart part) {
    for (const StepTransfers& each : transfers) {
      const PipelineOrder::RankTaskRun& step = steps_[each.step];
      addRun(nameOf(step), step.microBatch, part, each.stepOffset);
    }
  }

  ArrayRef<ListedPipe> pipes_;
  const PipelineOrder& order_;
  ListedLoop& loop_;
  llvm::MutableArrayRef<ListedTask> tasks_;
  // Tasks of the pipeline, one pipe after the other.
  std::vector<StageTask> stageTasks_;
  std::vector<SmallVector<int64_t>> microBatches_;  // micro-batches, by name
  std::vector<size_t> firstTasks_;                  // by pipe
  std::vector<PipelineOrder::RankTaskRun> steps_;
  std::vector<bool> isSummedApart_;  // by name
  std::vector<TaskPeers> peers_;     // by name
  std::vector<int64_t> nameOf_;      // index into stageTasks_, by task
  std::vector<int64_t> sentPlaces_;  // Sender::place, by receiving task
  std::vector<bool> isOfSums_;       // by task
  std::vector<int64_t> blockOf_;     // by name and part
  std::vector<int64_t> urgencies_;   // by block
};

/// Makes `loop` a single block, which runs for the micro-batches of `repeat`.
/// `loop` is the loop of `repeat`, and no schedule orders it.
void runOnly(nn::RepeatOp repeat, TaskList& list, ListedLoop& loop) {
  loop.blocks.push_back({});
  for (int64_t number : repeat.numbers()) loop.order.push_back({0, number});
  for (ListedTask& task : tasksOf(list, loop)) task.block = 0;
}

}  // namespace

LogicalResult cutIntoBlocks(TaskList& list,
                            const std::optional<PipelineOrder>& order) {
  for (ListedLoop& loop : list.loops) {
    const RepeatedTasks& tasks = loop.pipes.front().tasks;
    if (order && !tasks.tasks().empty()) {
      if (failed(BlockCutter(*order, list, loop).run())) return failure();
    } else if (nn::RepeatOp repeat = tasks.repeat(); repeat.getOnly()) {
      runOnly(repeat, list, loop);
    }
  }
  return success();
}

}  // namespace sbp
