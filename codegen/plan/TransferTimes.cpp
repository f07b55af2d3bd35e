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

/// So many tasks of the pipeline before the one that takes it, a receive is
/// started. More would hide longer transfers, and keep more buffers.
constexpr int64_t kReceivesAhead = 1;

using PeersOf =
    llvm::function_ref<const TaskPeers&(const PipelineOrder::OwnStep&)>;

class TimesFinder {
 public:
  TimesFinder(const PipelineOrder& order,
              ArrayRef<PipelineOrder::OwnStep> steps, PeersOf peersOf)
      : order_(order), steps_(steps), peersOf_(peersOf) {}

  TransferTimes run() {
    findStarts();
    findFinishes();
    return std::move(times_);
  }

 private:
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
      std::vector<TransferEnd>& ends = times_.starts.emplace_back();
      for (const Start& start : together)
        ends.push_back({start.step, steps_[start.step].ahead + start.periods});
    }
  }

  /// Lets receives that start together do so as they are sent, or else as they
  /// are needed. The steps of the middle period have numbers from `begin` on.
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

  /// The messages from each group over several periods, in the order in which
  /// they are sent.
  std::vector<std::vector<Message>> channelsOver(int64_t numPeriods) const {
    llvm::MapVector<Attribute, std::vector<Message>> channels;
    const auto numSteps = static_cast<int64_t>(steps_.size());
    for (int64_t period = 0; period < numPeriods; ++period)
      for (auto [index, step] : llvm::enumerate(steps_))
        for (auto [group, producer] : peersOf_(step).producers)
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
    std::vector<std::vector<Finish>> finishes(steps_.size() + 1);
    for (auto [index, step] : llvm::enumerate(steps_)) {
      Finish finish = {lastConsumer(step), index, 0};
      const int64_t least = firstPeriod(step);
      size_t behind =
          least > 0 ? steps_.size() : firstBehind(index + 1, finish);
      while (behind == steps_.size() && order_.isPeriodic() &&
             isThere(0, finish.periods + 1)) {
        ++finish.periods;
        if (finish.periods < least) continue;
        behind = firstBehind(0, finish);
      }
      finishes[behind].push_back(finish);
    }
    for (std::vector<Finish>& together : finishes) {
      llvm::sort(together, [](const Finish& a, const Finish& b) {
        return std::make_tuple(-a.periods, a.bound, a.step) <
               std::make_tuple(-b.periods, b.bound, b.step);
      });
      std::vector<TransferEnd>& ends = times_.finishes.emplace_back();
      for (const Finish& finish : together)
        ends.push_back(
            {finish.step, steps_[finish.step].ahead - finish.periods});
    }
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

  /// In which period the last of those runs that receive what `step` sends. At
  /// the end of the period before, that may wait for what this rank sends at
  /// the end of its own.
  int64_t firstPeriod(const PipelineOrder::OwnStep& step) const {
    int64_t last = 0;
    for (StringRef consumer : peersOf_(step).consumers)
      last = std::max(last, order_.periodOf(consumer, step.time, step.ahead));
    return last;
  }

  /// Where the last of those stands that receive what `step` sends.
  int64_t lastConsumer(const PipelineOrder::OwnStep& step) const {
    int64_t last = step.position;
    for (StringRef consumer : peersOf_(step).consumers)
      if (auto position = order_.positionOf(consumer, step.time, step.ahead))
        last = std::max(last, *position);
    return last;
  }

  const PipelineOrder& order_;
  ArrayRef<PipelineOrder::OwnStep> steps_;
  PeersOf peersOf_;
  TransferTimes times_;
};

}  // namespace

TransferTimes transferTimesOf(const PipelineOrder& order,
                              ArrayRef<PipelineOrder::OwnStep> steps,
                              PeersOf peersOf) {
  return TimesFinder(order, steps, peersOf).run();
}

}  // namespace sbp
