#include "codegen/plan/LoopBlocks.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"

namespace sbp {
namespace {

using EndKind = plan::TransferTask::Kind;

/// So many tasks of the pipeline before the one that takes it, a receive is
/// started. More would hide longer transfers, and keep more buffers.
constexpr int64_t kReceivesAhead = 1;

/// The parts of a task of the pipeline, in their order.
enum Part { kBefore, kWithin, kSums, kBehind, kNumParts };
constexpr const char* kPartNames[] = {" before", "", " sums", " behind"};

constexpr int64_t kNone = -1;

/// Message-driven execution runs the ready block of the lowest number: first
/// those that start or finish transfers, or add to sums; then backwards, whole
/// or of inputs, for which the preceding stage waits; forwards; recomputations,
/// whose results take memory until the backward; last, backwards of weights,
/// for which no rank waits.
constexpr StringRef kByUrgency[] = {"", "BI", "F", "R", "W"};

int64_t urgencyOf(StringRef name, Part part) {
  if (part != kWithin) return 0;
  for (auto [urgency, kinds] : llvm::enumerate(kByUrgency))
    if (kinds.contains(name.back())) return static_cast<int64_t>(urgency);
  return std::size(kByUrgency);
}

class BlockCutter {
 public:
  BlockCutter(ArrayRef<ListedPipe> pipes, const PipelineOrder& order,
              TaskList& list, ListedLoop& loop)
      : pipes_(pipes),
        order_(order),
        loop_(loop),
        tasks_(llvm::MutableArrayRef(list.tasks).drop_front(loop.first)) {}

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
    if (order_.isByMessages())
      loop_.messages = {std::move(urgencies_), pipes_.front().tasks.group(),
                        /*buffer=*/0};
    return success();
  }

 private:
  /// The number of a task of the pipeline in names_.
  size_t nameOf(const PipelineOrder::OwnStep& step) const {
    return firstNames_[step.share] + step.index;
  }
  size_t nameOf(const ListedTask& task, size_t pipe) const {
    ArrayRef<StringRef> names = pipes_[pipe].tasks.names();
    return firstNames_[pipe] +
           (llvm::find(names, task.pipelineTask) - names.begin());
  }

  LogicalResult findSteps() {
    std::vector<PipelineOrder::Share> shares;
    for (const ListedPipe& pipe : pipes_) {
      if (failed(order_.checkTimes(pipe.tasks.repeat(), pipe.tasks.names())))
        return failure();
      shares.push_back(pipe.tasks.share());
      firstNames_.push_back(names_.size());
      for (StringRef name : shares.back().tasks) {
        names_.push_back(name);
        times_.push_back(shares.back().times);
      }
    }
    steps_ = order_.stepsOf(shares);
    isSummedApart_.resize(names_.size());
    consumers_.resize(names_.size());
    producers_.resize(names_.size());
    return success();
  }

  /// Notes which tasks do not run in the order of micro-batches.
  void findOrder() {
    std::vector<int64_t> last(names_.size(), kNone);
    for (const PipelineOrder::OwnStep& step : steps_) {
      size_t name = nameOf(step);
      const int64_t time = step.ahead * order_.numMicroBatches() + step.time;
      if (time < last[name]) isSummedApart_[name] = true;
      last[name] = time;
    }
  }

  bool isCarried(int64_t buffer) const {
    return llvm::is_contained(loop_.carried, buffer);
  }

  /// Finds of which task of the pipeline each task is. The copies at the end
  /// are of the first that reads what they write, or else of the one that makes
  /// what they copy.
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
                                                    : firstNames_[pipe]);
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

  /// Finds which tasks take what is carried, or what is made of it.
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

  /// Finds which tasks of the pipeline receive what each sends.
  void findConsumers() {
    for (auto [index, task] : llvm::enumerate(tasks_)) {
      if (!task.end || task.end->kind != EndKind::kStartSend) continue;
      if (auto consumer =
              rank::transferOf(task.op)->getAttrOfType<mlir::StringAttr>(
                  rank::kTaskAttrName))
        consumers_[nameOf_[index]].push_back(consumer.getValue());
    }
  }

  /// Who sends a tensor: a task of the pipeline, and which of all sends it is
  /// in the text, which has those of a task in their order.
  struct Sender {
    StringRef task;
    int64_t place = 0;
  };

  llvm::StringMap<Sender> sendersByTransfer(ModuleOp module) {
    llvm::StringMap<Sender> senders;
    int64_t place = 0;
    module.walk([&](rank::SendOp send) {
      if (auto task =
              send->getAttrOfType<mlir::StringAttr>(rank::kTaskAttrName))
        senders.try_emplace(send.getTransfer(),
                            Sender{task.getValue(), place++});
    });
    return senders;
  }

  /// Finds which tasks of the pipeline send what each receives, and where from.
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
      producers_[nameOf_[index]].push_back({group, sender->second.task});
    }
  }

  Part partOf(size_t index) const {
    const ListedTask& task = tasks_[index];
    if (task.end && task.end->kind == EndKind::kStartReceive) return kBefore;
    if (task.end && task.end->kind == EndKind::kFinishSend) return kBehind;
    if (isSummedApart_[nameOf_[index]] && isOfSums_[index]) return kSums;
    return kWithin;
  }

  void numberBlocks() {
    std::vector<int64_t> places(tasks_.size());  // by task, of all blocks
    std::vector<bool> isThere(names_.size() * kNumParts);
    for (size_t name = 0; name < names_.size(); ++name)
      isThere[name * kNumParts + kWithin] = true;
    for (size_t index = 0; index < tasks_.size(); ++index) {
      places[index] = nameOf_[index] * kNumParts + partOf(index);
      isThere[places[index]] = true;
    }
    blockOf_.assign(isThere.size(), kNone);
    for (size_t place = 0; place < isThere.size(); ++place) {
      if (!isThere[place]) continue;
      blockOf_[place] = static_cast<int64_t>(loop_.blocks.size());
      StringRef name = names_[place / kNumParts];
      auto part = static_cast<Part>(place % kNumParts);
      loop_.blocks.push_back((name + kPartNames[part]).str());
      urgencies_.push_back(urgencyOf(name, part));
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
      // Receives start in the order in which they are sent.
      if (!ofBlock.empty() && partOf(ofBlock.front()) == kBefore)
        llvm::sort(ofBlock, [&](size_t a, size_t b) {
          return std::make_pair(sentPlaces_[a], a) <
                 std::make_pair(sentPlaces_[b], b);
        });
      for (size_t index : ofBlock) sorted.push_back(std::move(tasks_[index]));
    }
    std::move(sorted.begin(), sorted.end(), tasks_.begin());
  }

  /// What is carried must be read and written in one block, which runs for one
  /// micro-batch after the other: so it does not matter what runs in between.
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
                 << loop_.blocks[known->second] << " and "
                 << loop_.blocks[task.block]
                 << " use; by a schedule a sum can be carried, which one task "
                    "of the pipeline adds to";
      }
    for (auto [buffer, user] : block)
      if (failed(checkSumsAreApart(user))) return failure();
    return success();
  }

  /// Sums of one step must be over before those of another begin.
  LogicalResult checkSumsAreApart(int64_t block) {
    for (const PipelineOrder::OwnStep& step : steps_) {
      const size_t place = nameOf(step) * kNumParts;
      const bool adds = blockOf_[place + kSums] == block ||
                        blockOf_[place + kWithin] == block;
      if (adds && step.ahead > 0)
        return pipes_.front().tasks.repeat()->emitOpError()
               << "adds up what " << step.task
               << " makes, which begins that of the next step before this one "
                  "is over; the last stage is not to run ahead of its update";
    }
    return success();
  }

  void orderRuns() {
    findFinishes();
    findStarts();
    std::vector<std::set<int64_t>> unsummed(names_.size());  // times
    std::vector<size_t> nextSum(names_.size(), 0);           // of times_
    const size_t numSteps = steps_.size();
    for (auto [index, step] : llvm::enumerate(steps_)) {
      placeReductions(step.position);
      addFinishes(index);
      for (const Start& start : starts_[index])
        addStep(start.step, kBefore, steps_[start.step].ahead + start.periods);
      addStep(index, kWithin, step.ahead);
      size_t name = nameOf(step);
      unsummed[name].insert(step.time);
      for (size_t& next = nextSum[name];
           next < times_[name].size() &&
           unsummed[name].erase(times_[name][next]);
           ++next)
        addRun(name, times_[name][next], kSums, step.ahead);
    }
    placeReductions(std::numeric_limits<int64_t>::max());
    addFinishes(numSteps);
  }

  /// Notes which sums of gradients the schedule has before `position`, and not
  /// yet before the last one.
  void placeReductions(int64_t position) {
    for (StringRef name : names_) {
      std::string reduction =
          (name.take_front(name.find_first_not_of("0123456789")) + "G").str();
      auto place = order_.positionOf(reduction, order_.numMicroBatches() - 1,
                                     /*ahead=*/0);
      if (place && *place < position)
        loop_.reductions.try_emplace(reduction, loop_.order.size());
    }
  }

  void addRun(size_t name, int64_t time, Part part, int64_t ahead) {
    int64_t block = blockOf_[name * kNumParts + part];
    if (block != kNone) loop_.order.push_back({block, time, ahead});
  }
  void addStep(size_t index, Part part, int64_t ahead) {
    addRun(nameOf(steps_[index]), steps_[index].time, part, ahead);
  }

  /// What step `step` receives, to be started so many periods earlier.
  struct Start {
    size_t step = 0;
    int64_t periods = 0;
  };

  /// A message that this rank receives: when it is sent, and which step takes
  /// it, as steps are numbered over several periods.
  struct Message {
    int64_t sent = 0;
    int64_t step = 0;
  };

  /// Finds before which step receives are started.
  void findStarts() {
    const auto numSteps = static_cast<int64_t>(steps_.size());
    // Those of the middle one of these periods hold for all.
    const int64_t numPeriods = order_.isPeriodic() ? 3 : 1;
    const int64_t begin = numPeriods / 2 * numSteps;
    std::vector<int64_t> starts(numPeriods * numSteps);  // by step
    for (auto [step, start] : llvm::enumerate(starts))
      start = static_cast<int64_t>(step) - kReceivesAhead;
    std::vector<std::vector<Message>> channels = channelsOver(numPeriods);
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const std::vector<Message>& messages : channels) {
        int64_t latest = starts.size();  // start of what is sent behind
        for (const Message& message : llvm::reverse(messages)) {
          latest = std::min(latest, starts[message.step]);
          hasChanged |= starts[message.step] != latest;
          starts[message.step] = latest;
        }
      }
    }
    starts_.resize(steps_.size());
    for (int64_t step = 0; step < numSteps; ++step) {
      int64_t start = starts[begin + step] - begin;
      if (!order_.isPeriodic()) start = std::max<int64_t>(start, 0);
      const int64_t periods = start < 0 ? (numSteps - 1 - start) / numSteps : 0;
      starts_[start + periods * numSteps].push_back(
          {static_cast<size_t>(step), periods});
    }
    sortStarts(channels, begin);
  }

  /// Lets receives that start together do so as they are sent, or else as they
  /// are needed. The steps of the middle period have numbers from `begin` on.
  void sortStarts(ArrayRef<std::vector<Message>> channels, int64_t begin) {
    const auto numSteps = static_cast<int64_t>(steps_.size());
    constexpr int64_t kLast = std::numeric_limits<int64_t>::max() / 2;
    std::vector<int64_t> sent(numSteps, kLast);
    for (const std::vector<Message>& messages : channels)
      for (const Message& message : messages)
        if (message.step >= begin && message.step < begin + numSteps)
          sent[message.step - begin] =
              std::min(sent[message.step - begin], message.sent);
    const int64_t period =
        begin > 0 ? *positionAfter(0, 1) - *positionAfter(0, 0) : 0;
    const auto placeOf = [&](const Start& start) {
      return std::make_tuple(sent[start.step] + start.periods * period,
                             start.periods, start.step);
    };
    for (std::vector<Start>& together : starts_)
      llvm::sort(together, [&](const Start& a, const Start& b) {
        return placeOf(a) < placeOf(b);
      });
  }

  /// The messages from each group over several periods, in the order in which
  /// they are sent.
  std::vector<std::vector<Message>> channelsOver(int64_t numPeriods) const {
    llvm::MapVector<Attribute, std::vector<Message>> channels;
    const auto numSteps = static_cast<int64_t>(steps_.size());
    for (int64_t period = 0; period < numPeriods; ++period)
      for (auto [index, step] : llvm::enumerate(steps_))
        for (auto [group, producer] : producers_[nameOf(step)])
          if (auto sent = order_.positionOf(
                  producer, step.time, step.ahead + period - numPeriods / 2))
            channels[group].push_back(
                {*sent, period * numSteps + static_cast<int64_t>(index)});
    std::vector<std::vector<Message>> sorted;
    for (auto& [group, messages] : channels) {
      llvm::sort(messages, [](const Message& a, const Message& b) {
        return std::make_pair(a.sent, a.step) < std::make_pair(b.sent, b.step);
      });
      sorted.push_back(std::move(messages));
    }
    return sorted;
  }

  /// What step `step` has sent, to be finished so many periods later.
  struct Finish {
    int64_t bound = 0;  // where the last of the receivers stands
    size_t step = 0;
    int64_t periods = 0;
  };

  /// Finds before which step each send is finished: the first behind all that
  /// receive it.
  void findFinishes() {
    finishes_.resize(steps_.size() + 1);
    for (auto [index, step] : llvm::enumerate(steps_)) {
      size_t name = nameOf(step);
      if (blockOf_[name * kNumParts + kBehind] == kNone) continue;
      Finish finish = {lastConsumer(name, step), index, 0};
      const int64_t least = firstPeriod(name, step);
      size_t behind =
          least > 0 ? steps_.size() : firstBehind(index + 1, finish);
      while (behind == steps_.size() && order_.isPeriodic() &&
             isThere(0, finish.periods + 1)) {
        ++finish.periods;
        if (finish.periods < least) continue;
        behind = firstBehind(0, finish);
      }
      finishes_[behind].push_back(finish);
    }
    for (std::vector<Finish>& before : finishes_)
      llvm::sort(before, [](const Finish& a, const Finish& b) {
        return std::make_tuple(-a.periods, a.bound, a.step) <
               std::make_tuple(-b.periods, b.bound, b.step);
      });
  }

  std::optional<int64_t> positionAfter(size_t index, int64_t periods) const {
    const PipelineOrder::OwnStep& step = steps_[index];
    return order_.positionOf(step.task, step.time, step.ahead + periods);
  }
  bool isThere(size_t index, int64_t periods) const {
    return positionAfter(index, periods).has_value();
  }
  /// The first step, from `first` on, of a later period that stands behind all
  /// that receive.
  size_t firstBehind(size_t first, const Finish& finish) const {
    auto indices = llvm::seq(first, steps_.size());
    return *std::partition_point(
        indices.begin(), indices.end(), [&](size_t index) {
          const auto position = positionAfter(index, finish.periods);
          // Behind the end of the sequence stands what is behind all.
          return position && *position <= finish.bound;
        });
  }

  void addFinishes(size_t index) {
    for (const Finish& finish : finishes_[index])
      addStep(finish.step, kBehind, steps_[finish.step].ahead - finish.periods);
  }

  /// In which period the last of those runs that receive what `step` sends. At
  /// the end of the period before, that may wait for what this rank sends at
  /// the end of its own.
  int64_t firstPeriod(size_t name, const PipelineOrder::Step& step) const {
    int64_t last = 0;
    for (StringRef consumer : consumers_[name])
      last = std::max(last, order_.periodOf(consumer, step.time, step.ahead));
    return last;
  }

  /// Where the last of those stands that receive what `step` sends.
  int64_t lastConsumer(size_t name, const PipelineOrder::Step& step) const {
    int64_t last = step.position;
    for (StringRef consumer : consumers_[name])
      if (auto position = order_.positionOf(consumer, step.time, step.ahead))
        last = std::max(last, *position);
    return last;
  }

  ArrayRef<ListedPipe> pipes_;
  const PipelineOrder& order_;
  ListedLoop& loop_;
  llvm::MutableArrayRef<ListedTask> tasks_;
  // Tasks of the pipeline, those of each pipe behind one another.
  std::vector<StringRef> names_;
  std::vector<SmallVector<int64_t>> times_;  // by name: micro-batches
  std::vector<size_t> firstNames_;           // by pipe
  std::vector<PipelineOrder::OwnStep> steps_;
  std::vector<bool> isSummedApart_;                // by name
  std::vector<SmallVector<StringRef>> consumers_;  // by name
  /// By name: groups, and their tasks.
  std::vector<SmallVector<std::pair<Attribute, StringRef>>> producers_;
  std::vector<int64_t> nameOf_;      // by task, an index into names_
  std::vector<int64_t> sentPlaces_;  // by task that receives (Sender::place)
  std::vector<bool> isOfSums_;       // by task
  std::vector<int64_t> blockOf_;     // by name and part
  std::vector<int64_t> urgencies_;   // by block
  // By the step that they precede:
  std::vector<std::vector<Finish>> finishes_;
  std::vector<std::vector<Start>> starts_;
};

}  // namespace

LogicalResult cutIntoBlocks(ArrayRef<ListedPipe> pipes,
                            const PipelineOrder& order, TaskList& list,
                            ListedLoop& loop) {
  return BlockCutter(pipes, order, list, loop).run();
}

void runOnly(nn::RepeatOp repeat, TaskList& list, ListedLoop& loop) {
  loop.blocks.push_back("");
  for (int64_t number : repeat.numbers()) loop.order.push_back({0, number});
  for (ListedTask& task :
       llvm::MutableArrayRef(list.tasks).drop_front(loop.first))
    task.block = 0;
}

}  // namespace sbp
