#include "codegen/plan/TransferTimes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

namespace sbp {
namespace {

/// Number of steps between the start of a receive and the step that takes its
/// tensor. A larger number would hide longer transfers, and keep more buffers.
constexpr int64_t kReceivesAhead = 1;

using PeersOf =
    llvm::function_ref<const TaskPeers&(const PipelineOrder::RankTaskRun&)>;

/// Finds the transfer times of one rank.
class TimesFinder {
 public:
  TimesFinder(const PipelineOrder& order,
              ArrayRef<PipelineOrder::RankTaskRun> steps, PeersOf peersOf)
      : order_(order), steps_(steps), peersOf_(peersOf) {}

  TransferTimes run() {
    findStarts();
    findFinishes();
    return std::move(times_);
  }

 private:
  /// The receives of step `step`, started `periods` periods earlier.
  struct Start {
    size_t step = 0;
    int64_t periods = 0;
  };

  /// A message that this rank receives: the position in the sequence at which
  /// it is sent, and the step that takes it, numbered over several periods.
  struct Message {
    int64_t sent = 0;
    int64_t step = 0;
  };

  /// Finds before which step receives are started.
  void findStarts() {
    const auto numSteps = static_cast<int64_t>(steps_.size());
    // The starts found for the middle one of these periods hold for all
    // periods.
    const int64_t numPeriods = order_.isPeriodic() ? 3 : 1;
    const int64_t begin = numPeriods / 2 * numSteps;
    std::vector<int64_t> starts(numPeriods * numSteps);  // by step
    for (auto [step, start] : llvm::enumerate(starts))
      start = static_cast<int64_t>(step) - kReceivesAhead;
    std::vector<std::vector<Message>> channels = channelsOver(numPeriods);
    for (bool hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const std::vector<Message>& messages : channels) {
        int64_t latest = starts.size();  // start of the later messages
        for (const Message& message : llvm::reverse(messages)) {
          latest = std::min(latest, starts[message.step]);
          hasChanged |= starts[message.step] != latest;
          starts[message.step] = latest;
        }
      }
    }
    std::vector<std::vector<Start>> startsBefore(numSteps);
    for (int64_t step = 0; step < numSteps; ++step) {
      int64_t start = starts[begin + step] - begin;
      if (!order_.isPeriodic()) start = std::max<int64_t>(start, 0);
      const int64_t periods = start < 0 ? (numSteps - 1 - start) / numSteps : 0;
      startsBefore[start + periods * numSteps].push_back(
          {static_cast<size_t>(step), periods});
    }
    sortStarts(channels, begin, startsBefore);
    for (const std::vector<Start>& together : startsBefore) {
      std::vector<StepTransfers>& transfers = times_.starts.emplace_back();
      for (const Start& start : together)
        transfers.push_back(
            {start.step, steps_[start.step].stepOffset + start.periods});
    }
  }

  /// Sorts receives that start together by when they are sent, then by when
  /// they are needed. The steps of the middle period have indices from `begin`
  /// on.
  void sortStarts(ArrayRef<std::vector<Message>> channels, int64_t begin,
                  std::vector<std::vector<Start>>& starts) const {
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
    for (std::vector<Start>& together : starts)
      llvm::sort(together, [&](const Start& a, const Start& b) {
        return placeOf(a) < placeOf(b);
      });
  }

  /// Returns the messages from each group over `numPeriods` periods, in the
  /// order in which they are sent.
  std::vector<std::vector<Message>> channelsOver(int64_t numPeriods) const {
    llvm::MapVector<Attribute, std::vector<Message>> channels;
    const auto numSteps = static_cast<int64_t>(steps_.size());
    for (int64_t period = 0; period < numPeriods; ++period)
      for (auto [index, step] : llvm::enumerate(steps_))
        for (auto [group, producer] : peersOf_(step).producers)
          if (auto sent =
                  order_.positionOf(producer, step.microBatch,
                                    step.stepOffset + period - numPeriods / 2))
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

  /// The sends of step `step`, finished `periods` periods later.
  struct Finish {
    int64_t bound = 0;  // position of the last receiver
    size_t step = 0;
    int64_t periods = 0;
  };

  /// Finds the step before which each send is finished: the first one after all
  /// steps that receive it.
  void findFinishes() {
    std::vector<std::vector<Finish>> finishes(steps_.size() + 1);
    for (auto [index, step] : llvm::enumerate(steps_)) {
      Finish finish = {lastConsumer(step), index, 0};
      const int64_t least = firstPeriod(step);
      size_t after = least > 0 ? steps_.size() : firstAfter(index + 1, finish);
      while (after == steps_.size() && order_.isPeriodic() &&
             isThere(0, finish.periods + 1)) {
        ++finish.periods;
        if (finish.periods < least) continue;
        after = firstAfter(0, finish);
      }
      finishes[after].push_back(finish);
    }
    for (std::vector<Finish>& together : finishes) {
      llvm::sort(together, [](const Finish& a, const Finish& b) {
        return std::make_tuple(-a.periods, a.bound, a.step) <
               std::make_tuple(-b.periods, b.bound, b.step);
      });
      std::vector<StepTransfers>& transfers = times_.finishes.emplace_back();
      for (const Finish& finish : together)
        transfers.push_back(
            {finish.step, steps_[finish.step].stepOffset - finish.periods});
    }
  }

  /// Returns the position in the sequence of step `index` of the period
  /// `periods` after the middle one; nothing if the sequence ends before that.
  std::optional<int64_t> positionAfter(size_t index, int64_t periods) const {
    const PipelineOrder::RankTaskRun& step = steps_[index];
    return order_.positionOf(step.task, step.microBatch,
                             step.stepOffset + periods);
  }
  bool isThere(size_t index, int64_t periods) const {
    return positionAfter(index, periods).has_value();
  }
  /// Returns the first step, from `first` on, of period `finish.periods` that
  /// comes after all receivers of `finish`; the number of steps if there is
  /// none.
  size_t firstAfter(size_t first, const Finish& finish) const {
    auto indices = llvm::seq(first, steps_.size());
    return *std::partition_point(
        indices.begin(), indices.end(), [&](size_t index) {
          const auto position = positionAfter(index, finish.periods);
          // A step beyond the end of the sequence comes after all receivers.
          return position && *position <= finish.bound;
        });
  }

  /// Returns the period in which the last receiver of `step` runs. The send may
  /// not be finished in an earlier one: at the end of that period the receiver
  /// may wait for a send that this rank starts at the end of its own period.
  int64_t firstPeriod(const PipelineOrder::RankTaskRun& step) const {
    int64_t last = 0;
    for (StageTask consumer : peersOf_(step).consumers)
      last = std::max(
          last, order_.periodOf(consumer, step.microBatch, step.stepOffset));
    return last;
  }

  /// Returns the position in the sequence of the last step that receives from
  /// `step`, or that of `step` if none does.
  int64_t lastConsumer(const PipelineOrder::RankTaskRun& step) const {
    int64_t last = step.position;
    for (StageTask consumer : peersOf_(step).consumers)
      if (auto position =
              order_.positionOf(consumer, step.microBatch, step.stepOffset))
        last = std::max(last, *position);
    return last;
  }

  const PipelineOrder& order_;
  ArrayRef<PipelineOrder::RankTaskRun> steps_;
  PeersOf peersOf_;
  TransferTimes times_;
};

}  // namespace

TransferTimes transferTimesOf(const PipelineOrder& order,
                              ArrayRef<PipelineOrder::RankTaskRun> steps,
                              PeersOf peersOf) {
  return TimesFinder(order, steps, peersOf).run();
}

}  // namespace sbp
