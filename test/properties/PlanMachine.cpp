#include "test/properties/PlanMachine.h"

#include <algorithm>
#include <utility>

#include "runtime/communication/GroupTransfer.h"
#include "runtime/plan/Box.h"
#include "test/properties/RankSteps.h"

namespace sbp::properties {
namespace {

using EndKind = plan::TransferTask::Kind;

/// The send or the receive of a transfer on one rank, in one iteration.
struct End {
  bool isStarted = false;
  bool isFinished = false;
  Bytes bytes;
  Term term = 0;  // of the tensor that is sent
};

/// The arrival of one rank at a collective.
struct Arrival {
  int64_t rank = 0;
  const plan::CollectiveTask* task = nullptr;
  int64_t collective = -1;
  Term term = 0;
};

/// The state of one rank.
struct Rank {
  const plan::Program* program = nullptr;
  const plan::EntryProgram* tasks = nullptr;
  int64_t number = 0;  // of the program
  std::vector<RankStep> steps;
  size_t next = 0;
  bool hasCome = false;      // whether it has arrived at its next collective
  bool hasRecorded = false;  // whether recordVisible() has recorded its tensors
  TermMemory memory{0};
  std::map<Occurrence, End> sent, received;
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> numCollectives;
};

/// All ranks of one entry of a plan.
class Machines {
 public:
  Machines(const plan::Plan& plan, size_t entry, const Origins& origins,
           Messages messages)
      : plan_(plan),
        entry_(plan.entries[entry]),
        origins_(origins),
        channels_(messages) {
    ranks_.resize(plan.numRanks());
    for (size_t i = 0; i < plan.programs.size(); ++i)
      for (int64_t number : plan.programs[i].ranks) {
        Rank& rank = ranks_[number];
        rank.program = &plan.programs[i];
        rank.tasks = &plan.programs[i].entries[entry];
        rank.number = static_cast<int64_t>(i);
        rank.memory = TermMemory(rank.tasks->arenaBytes);
        auto [steps, fault] = stepsOf(*rank.tasks);
        rank.steps = std::move(steps);
        if (!fault.empty()) fail(std::move(fault));
        initialize(number);
      }
  }

  PlanRun run(Choices& choices) {
    std::vector<int64_t> order(ranks_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (bool isMoving = true; isMoving;) {
      isMoving = false;
      choices.shuffle(order);
      for (int64_t rank : order) {
        // Some ranks run far ahead of others.
        for (int64_t most = choices.between(1, 30); most > 0 && runStep(rank);
             --most)
          isMoving = true;
      }
    }
    for (const Rank& rank : ranks_)
      if (rank.next < rank.steps.size()) run_.hangs = true;
    if (run_.hangs)
      fail("ranks wait for ever");
    else
      finish();
    return std::move(run_);
  }

 private:
  void fail(std::string text) {
    if (run_.fault.empty()) run_.fault = std::move(text);
  }

  // ---- Preparation -----------------------------------------------------

  int64_t bytesOf(const plan::Tensor& tensor, int64_t rank) const {
    return plan::localBytes(plan_.groupOf(tensor), tensor, rank);
  }

  void initialize(int64_t number) {
    Rank& rank = ranks_[number];
    for (size_t i = 0; i < plan_.parameters.size(); ++i)
      if (rank.program->parameters[i] != plan::kAbsent)
        rank.memory.write({rank.program->parameters[i],
                           bytesOf(plan_.parameters[i].tensor, number)},
                          termOf("parameter", i, number));
    for (size_t i = 0; i < entry_.inputs.size(); ++i)
      if (rank.tasks->inputs[i] != plan::kAbsent)
        rank.memory.write(
            {rank.tasks->inputs[i], bytesOf(entry_.inputs[i], number)},
            termOf("input", i, number));
  }

  // ---- Memory ----------------------------------------------------------

  int64_t shifted(const Rank& rank, const RankStep& step,
                  int64_t buffer) const {
    if (step.loop < 0) return buffer;
    const std::vector<plan::Loop::Slots>& all =
        rank.tasks->loops[step.loop].slots;
    for (size_t i = 0; i < all.size(); ++i)
      if (buffer >= all[i].buffer && buffer < all[i].buffer + all[i].bytes)
        return buffer + step.shifts[i];
    return buffer;
  }

  void write(Rank& rank, Bytes bytes, Term term) {
    if (!rank.memory.has(bytes)) return fail("writes outside of the arena");
    for (const auto* ends : {&rank.sent, &rank.received})
      for (const auto& [occurrence, end] : *ends)
        if (end.isStarted && !end.isFinished && end.bytes.overlaps(bytes))
          fail("writes to what is under way");
    rank.memory.write(bytes, term);
  }

  Term read(const Rank& rank, Bytes bytes) {
    if (rank.memory.has(bytes)) return rank.memory.read(bytes);
    fail("reads outside of the arena");
    return kUnknown;
  }

  // ---- Steps -----------------------------------------------------------

  const Origin& originOf(const Rank& rank, const RankStep& step) const {
    return origins_[rank.number][step.task];
  }

  /// Returns the iteration in which a task counts as run. A task that was moved
  /// out of its loop counts as run in the loop's last iteration.
  int64_t iterationOf(const Rank& rank, const RankStep& step) const {
    const int64_t home = originOf(rank, step).loop;
    if (home < 0) return 0;
    if (home == step.loop && !step.isOnce) return step.iteration;
    return home < static_cast<int64_t>(rank.tasks->loops.size())
               ? rank.tasks->loops[home].numMicroBatches - 1
               : 0;
  }

  void record(int64_t number, const RankStep& step, std::vector<Term> terms) {
    const Rank& rank = ranks_[number];
    const Origin& origin = originOf(rank, step);
    if (std::count(terms.begin(), terms.end(), kEmpty) ==
        static_cast<int64_t>(terms.size()))
      return;
    const auto [known, isNew] = run_.operandsOf.try_emplace(
        {number, origin.program, origin.task, iterationOf(rank, step)}, terms);
    if (!isNew && known->second != terms)
      fail("a task takes one thing and another");
  }

  /// Returns the term of result `result` of a task with the operands `terms`.
  Term made(const Rank& rank, const RankStep& step, size_t result,
            const std::vector<Term>& terms) const {
    const Origin& origin = originOf(rank, step);
    return termOf(origin.program, origin.task, iterationOf(rank, step), result,
                  termOfAll(terms));
  }

  /// Runs the next step of rank `number`, and returns whether it could be run.
  bool runStep(int64_t number) {
    Rank& rank = ranks_[number];
    if (rank.next == rank.steps.size()) return false;
    const RankStep step = rank.steps[rank.next];
    bool isRun = true;
    if (step.kind == RankStep::Kind::Write) {
      write(rank, step.bytes, step.term);
    } else if (step.kind == RankStep::Kind::Record) {
      recordVisible(number);
    } else {
      const plan::Task& task = rank.tasks->tasks[step.task];
      if (const auto* kernel = std::get_if<plan::KernelTask>(&task))
        compute(number, step, *kernel);
      else if (const auto* end = std::get_if<plan::TransferTask>(&task))
        isRun = runTransfer(number, step, *end);
      else
        isRun =
            runCollective(number, step, std::get<plan::CollectiveTask>(task));
    }
    if (isRun) ++rank.next;
    return isRun;
  }

  void compute(int64_t number, const RankStep& step,
               const plan::KernelTask& task) {
    Rank& rank = ranks_[number];
    const plan::Kernel& kernel = plan_.kernels[task.kernel];
    size_t next = 0;
    const auto bytesOfNext = [&](const plan::LocalType& type) {
      return Bytes{
          shifted(rank, step, task.buffers[next++]),
          plan::byteWidth(type.elementType) * plan::numElements(type.shape)};
    };
    std::vector<Term> terms;
    for (const plan::LocalType& type : kernel.operands)
      terms.push_back(read(rank, bytesOfNext(type)));
    record(number, step, terms);
    std::vector<Bytes> results;
    for (const plan::LocalType& type : kernel.results)
      results.push_back(bytesOfNext(type));
    if (next < task.buffers.size())
      write(rank,
            {shifted(rank, step, task.buffers[next]),
             originOf(rank, step).scratchBytes},
            kUnknown);
    for (size_t i = 0; i < results.size(); ++i)
      write(rank, results[i], made(rank, step, i, terms));
  }

  // ---- Transfers -------------------------------------------------------

  /// Returns the messages that rank `number` sends (`isSent`) or receives for a
  /// transfer in one iteration.
  std::vector<Message> messagesOf(const Occurrence& occurrence, int64_t number,
                                  bool isSent) {
    const int64_t transfer = occurrence.first;
    auto [known, isNew] = prepared_.try_emplace({transfer, number});
    if (isNew)
      known->second = communication::prepareTransfer(entry_.transfers[transfer],
                                                     plan_.groups, number);
    std::vector<Message> messages;
    for (const communication::Parcel& parcel :
         isSent ? known->second.sent : known->second.received)
      messages.push_back(isSent ? Message{occurrence, number, parcel.peer}
                                : Message{occurrence, parcel.peer, number});
    return messages;
  }

  bool runTransfer(int64_t number, const RankStep& step,
                   const plan::TransferTask& task) {
    Rank& rank = ranks_[number];
    const bool isSent =
        task.kind == EndKind::kStartSend || task.kind == EndKind::kFinishSend;
    const plan::Transfer& transfer = entry_.transfers[task.transfer];
    const plan::Tensor& tensor = isSent ? transfer.source : transfer.target;
    if (!plan_.groupOf(tensor).has(number)) {
      fail("a rank has an end of a transfer that is not its own");
      return true;
    }
    const Bytes bytes = {shifted(rank, step, task.buffer),
                         bytesOf(tensor, number)};
    const Occurrence occurrence(task.transfer, step.iteration);
    End& end = (isSent ? rank.sent : rank.received)[occurrence];
    const std::vector<Message> messages =
        messagesOf(occurrence, number, isSent);
    if (task.kind == EndKind::kStartSend ||
        task.kind == EndKind::kStartReceive) {
      if (end.isStarted) fail("starts what it has started before");
      if (!isSent) write(rank, bytes, kUnknown);
      end.bytes = bytes;
      end.isStarted = true;
      if (isSent) {
        end.term = read(rank, bytes);
        record(number, step, {end.term});
      }
      for (const Message& message : messages) channels_.start(message, isSent);
      return true;
    }
    if (!end.isStarted || end.isFinished) {
      fail("finishes what it has not started");
      return true;
    }
    for (const Message& message : messages)
      if (!channels_.isTransferred(message)) return false;
    end.isFinished = true;
    if (isSent) return true;
    if (end.bytes.begin != bytes.begin) fail("finishes in another buffer");
    std::vector<Term> terms;
    for (const Message& message : messages)
      terms.push_back(ranks_[message.from].sent[occurrence].term);
    record(number, step, terms);
    write(rank, bytes,
          termOf("transfer", task.transfer, step.iteration, number,
                 termOfAll(terms)));
    return true;
  }

  // ---- Collectives -----------------------------------------------------

  std::vector<int64_t> membersOf(const plan::CollectiveTask& task,
                                 int64_t number) const {
    const plan::Group& group = plan_.groups[task.group];
    auto own = plan::coordinatesOf(group, number);
    std::vector<int64_t> members;
    for (int64_t place = 0; place < group.size(); ++place) {
      auto other = plan::coordinatesOf(group, group.rankAt(place));
      for (int64_t axis : task.axes) other[axis] = own[axis];
      if (other == own) members.push_back(group.rankAt(place));
    }
    return members;
  }

  bool runCollective(int64_t number, const RankStep& step,
                     const plan::CollectiveTask& task) {
    Rank& rank = ranks_[number];
    if (!plan_.groups[task.group].has(number)) {
      fail("a rank takes part in what others do");
      return true;
    }
    const auto bytesIn = [&](int64_t buffer,
                             const std::vector<int64_t>& shape) {
      return Bytes{
          shifted(rank, step, buffer),
          plan::byteWidth(task.elementType) * plan::numElements(shape)};
    };
    const bool hasOperand = task.kind != plan::CollectiveTask::Kind::kOffset;
    std::vector<Term> terms;
    if (hasOperand) terms = {read(rank, bytesIn(task.in, task.inShape))};
    const Bytes out = bytesIn(task.out, task.outShape);
    if (plan::isLocal(task.kind)) {
      record(number, step, terms);
      write(rank, out,
            task.axes.empty() ? terms[0]
                              : termOf(made(rank, step, 0, terms), number));
      return true;
    }
    const std::vector<int64_t> members = membersOf(task, number);
    const auto way = std::pair(task.group, task.axes);
    auto& arrivals = rendezvous_[{task.group, task.axes, members[0],
                                  rank.numCollectives[way]}];
    const int64_t collective = originOf(rank, step).collective;
    if (!rank.hasCome)
      arrivals.push_back({number, &task, collective, terms[0]});
    rank.hasCome = true;
    if (arrivals.size() < members.size()) return false;
    rank.hasCome = false;
    ++rank.numCollectives[way];
    std::sort(
        arrivals.begin(), arrivals.end(),
        [](const Arrival& a, const Arrival& b) { return a.rank < b.rank; });
    std::vector<Term> all;
    for (const Arrival& arrival : arrivals) {
      // Checks the origins, because a swap of two collectives with equal
      // operands would not show in the terms.
      if (arrival.collective != collective)
        fail("two different collectives meet");
      all.push_back(arrival.term);
    }
    record(number, step, all);
    write(rank, out, termOf(made(rank, step, 0, all), number));
    return true;
  }

  // ---- The end ---------------------------------------------------------

  /// Records the parameters, outputs and gradients of a rank before its first
  /// update. Later calls have no effect.
  void recordVisible(int64_t number) {
    Rank& rank = ranks_[number];
    if (std::exchange(rank.hasRecorded, true)) return;
    for (const auto* ends : {&rank.sent, &rank.received})
      for (const auto& [occurrence, end] : *ends)
        if (end.isStarted != end.isFinished)
          fail("a transfer is under way at the first update");
    std::vector<Term>& terms = looked_[number];
    addParameters(number, terms);
    addTensors(number, entry_.outputs, rank.tasks->outputs, terms);
    for (const plan::Gradient& gradient : rank.tasks->gradients)
      terms.push_back(read(rank, {gradient.buffer, 4 * gradient.numElements}));
  }

  void addParameters(int64_t number, std::vector<Term>& terms) {
    std::vector<plan::Tensor> tensors;
    for (const plan::Parameter& parameter : plan_.parameters)
      tensors.push_back(parameter.tensor);
    addTensors(number, tensors, ranks_[number].program->parameters, terms);
  }

  void addTensors(int64_t number, const std::vector<plan::Tensor>& tensors,
                  const std::vector<int64_t>& buffers,
                  std::vector<Term>& terms) {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (buffers[i] != plan::kAbsent)
        terms.push_back(
            read(ranks_[number], {buffers[i], bytesOf(tensors[i], number)}));
  }

  void finish() {
    for (size_t number = 0; number < ranks_.size(); ++number) {
      Rank& rank = ranks_[number];
      for (const auto* ends : {&rank.sent, &rank.received})
        for (const auto& [occurrence, end] : *ends)
          if (end.isStarted != end.isFinished)
            return fail("a transfer is never finished");
      for (Term term : looked_[number]) run_.results.push_back(term);
      addParameters(number, run_.results);
      addTensors(number, entry_.outputs, rank.tasks->outputs, run_.results);
      addTensors(number, entry_.inputs, rank.tasks->inputs, run_.results);
    }
  }

  const plan::Plan& plan_;
  const plan::Entry& entry_;
  const Origins& origins_;
  MessageChannels channels_;
  std::vector<Rank> ranks_;
  std::map<std::pair<int64_t, int64_t>, communication::PreparedTransfer>
      prepared_;
  std::map<std::tuple<int64_t, std::vector<int64_t>, int64_t, int64_t>,
           std::vector<Arrival>>
      rendezvous_;
  std::map<int64_t, std::vector<Term>> looked_;
  PlanRun run_;
};

}  // namespace

PlanRun runOnMachines(const plan::Plan& plan, size_t entry,
                      const Origins& origins, Messages messages,
                      Choices& choices) {
  return Machines(plan, entry, origins, messages).run(choices);
}

bool runsElsewhere(const PlanRun& run, const PlanRun& expected) {
  return std::any_of(run.operandsOf.begin(), run.operandsOf.end(),
                     [&](const auto& task) {
                       return expected.operandsOf.count(task.first) == 0;
                     });
}

std::string differenceOf(const PlanRun& run, const PlanRun& expected) {
  if (!run.fault.empty()) return run.fault;
  for (const auto& [key, terms] : run.operandsOf) {
    const auto known = expected.operandsOf.find(key);
    if (known != expected.operandsOf.end() && known->second != terms)
      return "a task takes something else";
  }
  if (run.results != expected.results) return "something else comes out";
  return "";
}

}  // namespace sbp::properties
