#include "passes/explain/PipelineExplanation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "dialects/nn/Calls.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/explain/OverlappedSteps.h"
#include "passes/explain/Pricing.h"
#include "passes/explain/WorkGraph.h"
#include "passes/stages/PipelineOrder.h"
#include "passes/stages/RepeatedTasks.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/StageTasks.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::FlatSymbolRefAttr;
using mlir::func::FuncOp;

namespace {

constexpr int64_t kNone = -1;

struct Cost {
  double computing = 0, communicating = 0;

  double seconds() const { return computing + communicating; }
  void add(const Cost& other) {
    computing += other.computing;
    communicating += other.communicating;
  }
};

/// The costs of ops that run once on one group, computed when first needed.
class Costs {
 public:
  Costs(ModuleOp module, const PlacedMeshes& meshes, const Device& device,
        const KernelShares& shares)
      : symbols_(module), pricing_(meshes, device, shares) {}

  const mlir::SymbolTable& symbols() const { return symbols_; }

  /// Fails, with a diagnostic, if the cost of an op is not known.
  LogicalResult status() const { return pricing_.status(); }

  /// Returns the cost of `op`, which must not be a box between groups. The cost
  /// of a call is that of all that its callee does.
  const Cost& of(Operation* op) {
    auto [known, isNew] = ops_.try_emplace(op);
    if (!isNew) return known->second;
    Cost cost;
    if (auto box = llvm::dyn_cast<BoxOp>(op)) {
      cost.communicating = pricing_.explain(box, 1).seconds;
    } else if (auto priced = llvm::dyn_cast<DistributedOpInterface>(op)) {
      ExplainedOp explained = pricing_.explain(priced, 1);
      cost = {explained.seconds, explained.communicating};
    } else if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
      auto callee = nn::calleeOf(call, symbols_);
      for (int64_t time = 0; time < nn::timesOf(call); ++time)
        cost.add(ofBody(callee));
    }
    return ops_[op] = cost;
  }

  const ExplainedMovement& crossing(BoxOp box) {
    auto [known, isNew] = crossings_.try_emplace(box);
    if (isNew) known->second = pricing_.explain(box, 1);
    return known->second;
  }

 private:
  const Cost& ofBody(FuncOp function) {
    auto known = functions_.find(function);
    if (known != functions_.end()) return known->second;
    Cost cost;
    for (Operation& op : function.getBody().front().without_terminator())
      cost.add(of(&op));
    return functions_[function] = cost;
  }

  mlir::SymbolTable symbols_;
  Pricing pricing_;
  std::map<Operation*, Cost> ops_;
  std::map<Operation*, Cost> functions_;
  std::map<Operation*, ExplainedMovement> crossings_;
};

/// Simulates the run of one entry.
class EntryRun {
 public:
  EntryRun(FuncOp entry, const std::vector<ExplainedGroup>& groups,
           const PlacedMeshes& meshes, const StageTasks& tasks,
           const std::optional<PipelineOrder>& order, Costs& costs)
      : entry_(entry),
        groups_(groups),
        meshes_(meshes),
        tasks_(tasks),
        order_(order),
        costs_(costs),
        clocks_(meshes.machine.numRanks(), 0) {
    run_.entry = entry.getName().str();
    run_.busy.assign(groups.size(), 0);
    run_.sent.assign(groups.size(), 0);
  }

  ExplainedRun run() {
    what_ = "before";
    mlir::Block& body = entry_.getBody().front();
    bool isTrained = !body.getOps<nn::SetOp>().empty();
    for (Operation& op : body.without_terminator()) {
      if (done_.count(&op)) continue;
      auto repeat = llvm::dyn_cast<nn::RepeatOp>(op);
      bool isRepeated = repeat && isOfStages(repeat);
      std::optional<StageTask> task = taskCalledBy(&op);
      if (isRepeated)
        runRepeat(repeat);
      else
        runOp(&op, task, kNone);
      if (isRepeated || task) what_ = isTrained ? "update" : "after";
    }
    for (double clock : clocks_) run_.seconds = std::max(run_.seconds, clock);
    run_.longestChain = graph_.longestChain();
    run_.busiestGroup =
        std::max(graph_.workersBound(), *llvm::max_element(run_.busy));
    llvm::sort(run_.slices,
               [](const ExplainedSlice& a, const ExplainedSlice& b) {
                 return std::tie(a.start, a.end, a.group) <
                        std::tie(b.start, b.end, b.group);
               });
    return std::move(run_);
  }

 private:
  /// A value, and the micro-batch for which it is made. The micro-batch is
  /// kNone if the value is made once.
  using ValueKey = std::pair<const void*, int64_t>;
  struct Availability {
    double time = 0;
    int64_t node = kNone;  // node of graph_ that makes the value
  };

  static FlatSymbolRefAttr meshOf(Operation* op) {
    for (Type type :
         llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
      if (auto placed = NdSbpAttr::of(type)) return placed.getMesh();
    return {};
  }

  int64_t groupOf(FlatSymbolRefAttr mesh) const {
    auto known = llvm::find_if(groups_, [&](const ExplainedGroup& group) {
      return mesh && group.name == mesh.getValue();
    });
    return known == groups_.end() ? kNone : known - groups_.begin();
  }

  bool isOfStages(nn::RepeatOp repeat) const {
    return !RepeatedTasks(repeat, costs_.symbols()).tasks().empty();
  }

  /// Returns the task that `op` calls; nullopt if it calls none. If the
  /// function of a stage has no task, it counts as a forward.
  std::optional<StageTask> taskCalledBy(Operation* op) const {
    auto call = llvm::dyn_cast<mlir::CallOpInterface>(op);
    if (!call) return std::nullopt;
    auto callee = nn::calleeOf(call, costs_.symbols());
    if (std::optional<StageTask> task = taskOf(callee)) return task;
    auto stage = stageOf(callee);
    if (!stage) return std::nullopt;
    return StageTask{*stage, TaskKind::Forward};
  }

  /// Returns the time at which `value` is available for `microBatch`. Ignores
  /// `microBatch` if `value` is made once.
  Availability madeAt(Value value, int64_t microBatch) const {
    for (int64_t of : {microBatch, kNone})
      if (auto known = made_.find({value.getAsOpaquePointer(), of});
          known != made_.end())
        return known->second;
    return {};
  }

  void setMade(Operation* op, int64_t microBatch, Availability when) {
    for (Value result : op->getResults())
      made_[{result.getAsOpaquePointer(), microBatch}] = when;
  }

  /// Returns when all operands of `op` are available. Adds a node to the graph:
  /// after that time it takes `seconds` of `worker`.
  Availability afterOperands(Operation* op, int64_t microBatch, double seconds,
                             int64_t worker) {
    double time = 0;
    std::vector<int64_t> before;
    for (Value operand : op->getOperands()) {
      Availability made = madeAt(operand, microBatch);
      time = std::max(time, made.time);
      if (made.node != kNone) before.push_back(made.node);
    }
    return {time, graph_.add(seconds, worker, before)};
  }

  /// Returns the ranks of `mesh`.
  std::vector<int64_t> ranksOn(FlatSymbolRefAttr mesh) const {
    std::vector<int64_t> ranks;
    const Mesh& on = meshes_.of(mesh);
    for (int64_t place = 0; place < on.numRanks(); ++place)
      ranks.push_back(on.rankAt(place));
    return ranks;
  }

  /// Runs `op`, as a part of `task` if there is one.
  void runOp(Operation* op, std::optional<StageTask> task, int64_t microBatch) {
    FlatSymbolRefAttr mesh = meshOf(op);
    if (!mesh) return;
    if (auto box = llvm::dyn_cast<BoxOp>(op); box && box.crosses()) {
      cross(box, task, microBatch);
      return;
    }
    const Cost& cost = costs_.of(op);
    int64_t group = groupOf(mesh);
    bool isCall = taskCalledBy(op).has_value();
    Availability when = afterOperands(op, microBatch, cost.seconds(),
                                      isCall ? group : WorkGraph::kNoWorker);
    if (group == kNone) {
      runEverywhere(op, microBatch, when, cost);
      return;
    }
    double start = when.time;
    for (int64_t rank : groups_[group].ranks)
      start = std::max(start, clocks_[rank]);
    when.time = start + cost.seconds();
    for (int64_t rank : groups_[group].ranks) clocks_[rank] = when.time;
    setMade(op, microBatch, when);
    if (cost.seconds() == 0) return;
    note(group, task, microBatch, start, when.time);
    if (!task) return;
    ExplainedTask& explained = explainedTask(group, *task);
    auto called = called_.try_emplace({group, *task}, kNone - 1).first;
    if (isCall) {
      ++explained.runs;
      called->second = microBatch;
    } else if (called->second == microBatch) {
      explained.secondsAfterCall += cost.seconds();
    }
    explained.computing += cost.computing;
    explained.communicating += cost.communicating;
  }

  /// Runs `op` on every rank of the machine. No rank waits for another one.
  void runEverywhere(Operation* op, int64_t microBatch, Availability when,
                     const Cost& cost) {
    for (double& clock : clocks_)
      clock = std::max(clock, when.time) + cost.seconds();
    when.time += cost.seconds();
    setMade(op, microBatch, when);
    if (cost.seconds() == 0) return;
    for (auto [number, group] : llvm::enumerate(groups_)) {
      // A group on which no tensor lies has no mesh in `meshes`, and so no
      // ranks.
      if (group.ranks.empty()) continue;
      double end = clocks_[group.ranks.front()];
      note(static_cast<int64_t>(number), {}, kNone, end - cost.seconds(), end);
    }
  }

  void cross(BoxOp box, std::optional<StageTask> task, int64_t microBatch) {
    const ExplainedMovement& movement = costs_.crossing(box);
    Availability when =
        afterOperands(box, microBatch, movement.seconds, WorkGraph::kNoWorker);
    when.time += movement.seconds;
    setMade(box, microBatch, when);
    if (movement.seconds == 0) return;
    auto [known, isNew] = crossings_.try_emplace(box, run_.crossings.size());
    if (isNew) {
      auto side = [](FlatSymbolRefAttr mesh, const std::string& lies) {
        return "@" + mesh.getValue().str() + " " + lies;
      };
      run_.crossings.push_back(
          {task,
           side(NdSbpAttr::of(box.getInput().getType()).getMesh(),
                movement.from),
           side(NdSbpAttr::of(box.getResult().getType()).getMesh(),
                movement.to),
           movement.tensor, movement.place, movement.type});
    }
    ExplainedCrossing& crossing = run_.crossings[known->second];
    ++crossing.number;
    crossing.bytes += movement.crossingBytes;
    crossing.seconds += movement.seconds;
    FlatSymbolRefAttr from = NdSbpAttr::of(box.getInput().getType()).getMesh();
    if (int64_t sender = groupOf(from); sender != kNone)
      run_.sent[sender] += movement.crossingBytes;
  }

  /// Extends the last slice of `group` if the new work is of the same kind and
  /// micro-batch; otherwise begins a new slice.
  void note(int64_t group, std::optional<StageTask> task, int64_t microBatch,
            double start, double end) {
    run_.busy[group] += end - start;
    std::string what = task ? task->text() : what_;
    auto [last, isNew] = last_.try_emplace(group, run_.slices.size());
    if (!isNew) {
      ExplainedSlice& slice = run_.slices[last->second];
      if (slice.what == what && slice.microBatch == microBatch) {
        // As in runtime/trace: if the wait after the slice is longer than the
        // slice, the slice starts again after the wait.
        if (start - slice.end > slice.end - slice.start) slice.start = start;
        slice.end = end;
        return;
      }
      last->second = run_.slices.size();
    }
    run_.slices.push_back({group, std::move(what), microBatch, start, end});
  }

  ExplainedTask& explainedTask(int64_t group, StageTask task) {
    auto [known, isNew] =
        taskNumbers_.try_emplace({group, task}, run_.tasks.size());
    if (isNew) run_.tasks.push_back({task, group});
    return run_.tasks[known->second];
  }

  /// Runs `repeat` together with the other pipes of its schedule.
  void runRepeat(nn::RepeatOp repeat) {
    SmallVector<nn::RepeatOp> pipes = pipesFrom(repeat);
    run_.numMicroBatches =
        std::max(run_.numMicroBatches, int64_t(repeat.getTimes()));
    for (nn::RepeatOp pipe : pipes) {
      done_.insert(pipe);
      awaitOperands(pipe);
    }
    if (order_)
      runScheduled(pipes);
    else
      for (nn::RepeatOp pipe : pipes)
        for (int64_t number : pipe.numbers())
          for (Operation& op : bodyOf(pipe).without_terminator())
            runTaskOp(&op, number);
    for (nn::RepeatOp pipe : pipes) finish(pipe);
  }

  /// Makes each result of `repeat` available at the time at which the ranks
  /// that hold it are done.
  void finish(nn::RepeatOp repeat) {
    Operation* returned = bodyOf(repeat).getTerminator();
    for (auto [result, sum] :
         llvm::zip(repeat.getResults(), returned->getOperands())) {
      std::vector<int64_t> before;
      for (int64_t number : repeat.numbers())
        if (Availability made = madeAt(sum, number); made.node != kNone)
          before.push_back(made.node);
      Availability when = {0, graph_.add(0, WorkGraph::kNoWorker, before)};
      for (int64_t rank : ranksOn(NdSbpAttr::of(result.getType()).getMesh()))
        when.time = std::max(when.time, clocks_[rank]);
      made_[{result.getAsOpaquePointer(), kNone}] = when;
    }
  }

  mlir::Block& bodyOf(nn::RepeatOp repeat) const {
    return nn::calleeOf(repeat, costs_.symbols()).getBody().front();
  }

  /// Makes the ranks that hold operands of `repeat` wait until these operands
  /// are available.
  void awaitOperands(nn::RepeatOp repeat) {
    for (Value operand : repeat->getOperands())
      if (auto placed = NdSbpAttr::of(operand.getType()))
        for (int64_t rank : ranksOn(placed.getMesh()))
          clocks_[rank] = std::max(clocks_[rank], madeAt(operand, kNone).time);
  }

  void runTaskOp(Operation* op, int64_t microBatch) {
    runOp(op, tasks_.of(op), microBatch);
  }

  /// Runs the tasks in an order in which each task comes after all tasks that
  /// it waits for.
  void runScheduled(ArrayRef<nn::RepeatOp> pipes) {
    SmallVector<RepeatedTasks> repeated;
    std::vector<PipelineOrder::RankTasks> shares;
    std::vector<std::map<StageTask, std::vector<Operation*>>> ops;
    for (nn::RepeatOp pipe : pipes) {
      repeated.emplace_back(pipe, costs_.symbols());
      ops.emplace_back();
      for (Operation& op : bodyOf(pipe).without_terminator())
        if (std::optional<StageTask> task = tasks_.of(&op))
          ops.back()[*task].push_back(&op);
    }
    for (const RepeatedTasks& tasks : repeated)
      shares.push_back(tasks.rankTasks());
    for (const PipelineOrder::RankTaskRun& run : order_->taskRunsOf(shares))
      for (Operation* op : ops[run.pipe][run.task])
        runTaskOp(op, run.microBatch);
  }

  FuncOp entry_;
  const std::vector<ExplainedGroup>& groups_;
  const PlacedMeshes& meshes_;
  const StageTasks& tasks_;
  const std::optional<PipelineOrder>& order_;
  Costs& costs_;
  std::vector<double> clocks_;  // when each rank is done, in seconds
  WorkGraph graph_;             // all work that has run; its workers are groups
  std::map<ValueKey, Availability> made_;
  std::set<Operation*> done_;
  std::map<Operation*, size_t> crossings_;
  std::map<std::pair<int64_t, StageTask>, size_t> taskNumbers_;
  /// Micro-batch of the last call of a task on a group.
  std::map<std::pair<int64_t, StageTask>, int64_t> called_;
  std::map<int64_t, size_t> last_;  // last slice of each group
  /// Label of the current work outside tasks: "before", "update" or "after".
  std::string what_;
  ExplainedRun run_;
};

std::vector<ExplainedGroup> groupsOf(StagesOp stages,
                                     const PlacedMeshes& meshes) {
  StageWorkers workers = workersOf(stages);
  std::vector<ExplainedGroup> groups;
  for (FlatSymbolRefAttr name : workers.groups) {
    ExplainedGroup group;
    group.name = name.getValue().str();
    if (meshes.byName.count(name.getValue())) {
      const Mesh& mesh = meshes.of(name);
      for (int64_t place = 0; place < mesh.numRanks(); ++place)
        group.ranks.push_back(mesh.rankAt(place));
    }
    groups.push_back(std::move(group));
  }
  for (auto [stage, worker] : llvm::enumerate(workers.workerOfStage))
    groups[worker].stages.push_back(static_cast<int64_t>(stage));
  return groups;
}

}  // namespace

double ExplainedRun::lowerBound() const {
  return std::max(longestChain, busiestGroup);
}

double ExplainedRun::bubbleOf(size_t group) const {
  return seconds > 0 ? 1 - busy[group] / seconds : 0;
}

double ExplainedRun::bubble() const {
  double sum = 0;
  for (size_t group = 0; group < busy.size(); ++group) sum += bubbleOf(group);
  return busy.empty() ? 0 : sum / static_cast<double>(busy.size());
}

FailureOr<PipelineExplanation> explainPipeline(ModuleOp boxed,
                                               const PlacedMeshes& meshes,
                                               const Device& device,
                                               const KernelShares& shares) {
  auto table = scheduleOf(boxed);
  if (failed(table)) return failure();
  std::optional<PipelineOrder> order;
  if (*table) order = PipelineOrder(**table).forOneStep();
  PipelineExplanation explanation;
  explanation.groups = groupsOf(stagesOf(boxed), meshes);
  Costs costs(boxed, meshes, device, shares);
  StageTasks tasks(boxed);
  for (auto entry : boxed.getOps<FuncOp>())
    if (entry.isPublic()) {
      explanation.runs.push_back(
          EntryRun(entry, explanation.groups, meshes, tasks, order, costs)
              .run());
      if (*table && schedule::numOverlappedSteps(**table) > 0 &&
          entry->hasAttr(nn::kTrainedByAttrName))
        overlapSteps(**table, explanation.runs.back());
    }
  if (failed(costs.status())) return failure();
  return explanation;
}

}  // namespace sbp
