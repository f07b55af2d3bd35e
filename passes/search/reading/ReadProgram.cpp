#include "passes/search/reading/ReadProgram.h"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SmallSet.h"
#include "passes/boxing/Cost.h"
#include "passes/boxing/FunctionBucketing.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/plan/PinnedSignature.h"
#include "passes/search/reading/CertainLives.h"
#include "passes/search/reading/Correspondence.h"
#include "passes/search/reading/Follow.h"
#include "passes/search/reading/Holds.h"
#include "passes/search/reading/KernelRoom.h"
#include "passes/search/reading/MaxAxes.h"
#include "passes/search/reading/OpenDecisions.h"
#include "passes/search/reading/PlacementSpace.h"
#include "passes/search/reading/Sites.h"
#include "passes/search/reading/States.h"

namespace sbp::search {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Returns the placements that may be useful in the functions of
/// `correspondence`.
PlacementSpace spaceOf(const Correspondence& correspondence, const Mesh& mesh,
                       AxisTies ties) {
  PlacementSpace space(mesh, ties);
  for (auto [function, times] : correspondence.functions())
    for (auto op : function.getBody().front().getOps<DistributedOpInterface>())
      for (const Loop& loop : op.getLoopNest().loops)
        if (loop.kind == Loop::Kind::Reduction)
          space.addReduction(loop.reduction);
  return space;
}

/// Most signatures of all ops together that can be read. Each takes a kilobyte
/// or more, and their number grows exponentially with the axes.
constexpr double kMaxWays = 4e6;

/// Fraction of the time left for reading a program, before it is read anew with
/// more axes tied.
constexpr double kReadingShare = 0.4;

/// Returns an upper bound of the number of signatures of all ops of these
/// functions, if axes are tied by `ties`.
double numWays(const Correspondence& correspondence, const Mesh& mesh,
               const Plan& plan, AxisTies ties) {
  llvm::SmallSet<int64_t, 8> free;
  for (auto [axis, group] : llvm::zip(mesh.axes, groupsOf(mesh, ties)))
    if (axis.size > 1) free.insert(group);
  double total = 0;
  for (auto [function, times] : correspondence.functions())
    for (auto op :
         function.getBody().front().getOps<DistributedOpInterface>()) {
      if (plan.ops.contains(op) || hasPinnedSignature(op) ||
          correspondence.isFollower(op))
        continue;
      auto signatures =
          static_cast<double>(signaturesOf(loopNestOf(op)).size());
      total += std::pow(signatures, static_cast<double>(free.size()));
    }
  return total;
}

/// Reads the flows between decisions whose states are known.
class FlowReader {
 public:
  FlowReader(FuncOp entry, const Sites& sites, CertainLives& lives,
             ProgramDecisions& program)
      : entry_(entry), sites_(sites), lives_(lives), program_(program) {
    for (auto [function, times] : sites.correspondence.functions())
      numbers_[function] = static_cast<int64_t>(numbers_.size());
  }

  void read(FuncOp function);

  /// Returns the member for `op`, whose function must have been read.
  Decision::Member memberOf(Operation* op) const {
    return {numbers_.lookup(op->getParentOfType<FuncOp>()),
            numbers_.lookup(op)};
  }

 private:
  void addFrame(FuncOp function);
  void read(FuncOp function, Value value, const FunctionBucketing& bucketing);
  /// Sets `waitsUntil` of the flows of `function` that move in buckets.
  /// Gradients wait for each other, and so do updates.
  void addWaits(int64_t function);
  void addUse(Flow& flow, Slot slot, mlir::OpOperand& use);
  bool isAsMade(const Flow& flow, Slot slot, mlir::OpOperand& use) const;
  bool isStored(mlir::OpOperand& use) const;
  SmallVector<mlir::OpOperand*> usesOf(Value value);
  Slot slotOf(Touch touch);

  FuncOp entry_;
  const Sites& sites_;
  CertainLives& lives_;
  ProgramDecisions& program_;
  std::map<std::pair<int64_t, int64_t>, Slot> gradients_;
  /// Indices of functions, and of ops in their function.
  llvm::DenseMap<Operation*, int64_t> numbers_;
  /// Indices of pins among the uses of their flow.
  llvm::DenseMap<Operation*, int64_t> pinNumbers_;
};

/// Returns the slot of `touch`. The slot of a gradient is added on first use.
Slot FlowReader::slotOf(Touch touch) {
  if (!touch.isGradient) return touch.slot;
  auto [known, isNew] =
      gradients_.try_emplace({touch.slot.decision, touch.slot.index}, Slot());
  if (!isNew) return known->second;
  DecisionGraph& graph = program_.graph;
  Decision& decision = graph.decisions[touch.slot.decision];
  auto number = static_cast<int64_t>(decision.states.front().placements.size());
  for (Decision::State& state : decision.states)
    state.placements.push_back(graph.placements.numberOf(
        gradientOf(graph.placements[state.placements[touch.slot.index]])));
  return known->second = {touch.slot.decision, number};
}

/// Whether `pin` has a use. A pin without uses has no effect.
bool isOfUse(PinOp pin) {
  return llvm::any_of(pin->getUsers(), [](Operation* user) {
    auto next = llvm::dyn_cast<PinOp>(user);
    return !next || isOfUse(next);
  });
}

/// Returns all uses of `value` in order: its own uses, with pins among them,
/// and the uses of the results of these pins.
SmallVector<mlir::OpOperand*> FlowReader::usesOf(Value value) {
  SmallVector<mlir::OpOperand*> uses;
  SmallVector<Value> versions = {value};
  while (!versions.empty())
    for (mlir::OpOperand& use : versions.pop_back_val().getUses()) {
      auto pin = llvm::dyn_cast<PinOp>(use.getOwner());
      if (pin && !isOfUse(pin)) continue;
      uses.push_back(&use);
      if (pin) versions.push_back(pin);
    }
  llvm::sort(uses, [](mlir::OpOperand* a, mlir::OpOperand* b) {
    if (a->getOwner() == b->getOwner())
      return a->getOperandNumber() < b->getOperandNumber();
    return a->getOwner()->isBeforeInBlock(b->getOwner());
  });
  return uses;
}

void FlowReader::addFrame(FuncOp function) {
  Frame& frame = program_.graph.functions.emplace_back();
  for (Operation& op : function.getBody().front()) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      frame.calls.push_back(
          {frame.numOps,
           numbers_.lookup(sites_.correspondence.calleeOf(call))});
    numbers_[&op] = frame.numOps++;
  }
  frame.holds = holdsOf(function, sites_.correspondence);
}

/// Whether `use`, in `slot`, uses the tensor as it was made, without a pin
/// before it. A use after a pin refers to the pin as one of the uses, so a pin
/// is never used as made.
bool FlowReader::isAsMade(const Flow& flow, Slot slot,
                          mlir::OpOperand& use) const {
  return slot == flow.made && !use.get().getDefiningOp<PinOp>() &&
         !llvm::isa<PinOp>(use.getOwner());
}

/// Whether `use` writes the tensor to memory that outlives the call: of a
/// parameter, or of a value that is carried to the next call.
bool FlowReader::isStored(mlir::OpOperand& use) const {
  Operation* user = use.getOwner();
  return llvm::isa<nn::SetOp>(user) ||
         (llvm::isa<ReturnOp>(user) &&
          sites_.correspondence.carriedAs(user->getParentOfType<FuncOp>(),
                                          use.getOperandNumber()));
}

void FlowReader::addUse(Flow& flow, Slot slot, mlir::OpOperand& use) {
  Operation* user = use.getOwner();
  int64_t op = numbers_.lookup(user);
  using Keeps = CertainLives::Keeps;
  Keeps keeps = lives_.keeps(use);
  int64_t certainUntil = keeps == Keeps::During ? op
                         : keeps == Keeps::Not  ? -1
                                                : op - 1;
  if (isAsMade(flow, slot, use)) {
    flow.keptUntil = std::max(flow.keptUntil, op);
    flow.certainUntil = std::max(flow.certainUntil, certainUntil);
    return;
  }
  // A tensor for an op that is not in front may be moved later than just before
  // it.
  if (keeps == Keeps::Behind) certainUntil = -1;
  Flow::Use entry = {slot, isStored(use), op, op};
  entry.certainUntil = certainUntil;
  if (auto pin = use.get().getDefiningOp<PinOp>())
    entry.behind = pinNumbers_.lookup(pin);
  auto known = llvm::find_if(
      flow.uses, [&](const Flow::Use& use) { return use.isLike(entry); });
  if (llvm::isa<PinOp>(user)) pinNumbers_[user] = known - flow.uses.begin();
  if (known == flow.uses.end()) {
    flow.uses.push_back(entry);
  } else {
    known->last = op;
    known->certainUntil = std::max(known->certainUntil, certainUntil);
  }
}

void FlowReader::read(FuncOp function, Value value,
                      const FunctionBucketing& bucketing) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  Flow flow;
  flow.shape = llvm::to_vector<4>(type.getShape());
  flow.elementBytes = elementBytes(type.getElementType());
  flow.bucketing = bucketing.of(value);
  flow.keepsTerms = sites_.correspondence.keepsTerms(value);
  flow.times =
      static_cast<double>(sites_.correspondence.functions().lookup(function));
  Touch made = sites_.made(value);
  flow.made = slotOf(made);
  flow.function = numbers_.lookup(function);
  bool isEntry = function == entry_;
  Operation* maker = value.getDefiningOp();
  if (maker) {
    // The result of a call is in the memory of the callee while it runs; but a
    // carried result is in the memory of the caller.
    flow.madeAt = numbers_.lookup(maker) +
                  static_cast<int64_t>(llvm::isa<mlir::func::CallOp>(maker));
    flow.isLent = llvm::isa<nn::GetOp>(maker);
  } else {
    flow.isLent = !isEntry;
  }
  if (made.isGradient || (maker && maker->hasAttr(nn::kAdjointOfAttrName)) ||
      sites_.correspondence.isSumOfGradients(value))
    flow.kind = Flow::Kind::Gradient;
  else if (!maker && isEntry)
    flow.kind = Flow::Kind::Input;
  flow.keptUntil = flow.madeAt;
  // Inputs stay in memory: the entry may run again with the same inputs.
  if (!maker && isEntry)
    flow.keptUntil = program_.graph.functions.front().numOps - 1;
  // The op that makes the tensor may write it over an operand.
  bool isOfOp = maker && !llvm::isa<mlir::CallOpInterface>(maker);
  flow.certainFrom = flow.madeAt + static_cast<int64_t>(isOfOp);
  for (mlir::OpOperand* use : usesOf(value)) {
    bool isReturn = llvm::isa<ReturnOp>(use->getOwner());
    // An entry returns tensors as it has them.
    Slot slot = slotOf(isReturn && isEntry ? sites_.made(use->get())
                                           : sites_.used(*use));
    if (isReturn && !isEntry && !isAsMade(flow, slot, *use))
      program_.returned[use] = slot;
    addUse(flow, slot, *use);
  }
  if (flow.kind == Flow::Kind::Input) flow.certainUntil = flow.keptUntil;
  if (!lives_.hasOwnMemory(value)) flow.certainUntil = -1;
  program_.graph.flows.push_back(std::move(flow));
}

void FlowReader::read(FuncOp function) {
  addFrame(function);
  const FunctionBucketing bucketing(function);
  mlir::Block& body = function.getBody().front();
  for (mlir::BlockArgument argument : body.getArguments()) {
    read(function, argument, bucketing);
    program_.arguments[argument] = slotOf(sites_.made(argument));
  }
  for (Operation& op : body)
    if (!llvm::isa<PinOp>(op))
      for (Value result : op.getResults()) read(function, result, bucketing);
  addWaits(numbers_.lookup(function));
}

void FlowReader::addWaits(int64_t function) {
  auto isUpdate = [](const Flow& flow) {
    return llvm::any_of(flow.uses,
                        [](const Flow::Use& use) { return use.isStored; });
  };
  for (bool ofUpdates : {false, true}) {
    SmallVector<Flow*> waiting;
    for (Flow& flow : program_.graph.flows)
      if (flow.function == function && !flow.bucketing.isAlone() &&
          isUpdate(flow) == ofUpdates)
        waiting.push_back(&flow);
    int64_t last = -1;
    for (const Flow* flow : waiting)
      for (const Flow::Use& use : flow->uses) last = std::max(last, use.first);
    for (Flow* flow : waiting) flow->waitsUntil = last;
  }
}

/// Reads the parameters of the module, also those of other entries: all are in
/// memory whatever runs.
void readParameters(FuncOp entry, const Sites& sites, const Plan& plan,
                    DecisionGraph& graph) {
  auto module = entry->getParentOfType<ModuleOp>();
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    auto type = llvm::cast<RankedTensorType>(parameter.getType());
    int64_t size = elementBytes(type.getElementType());
    auto slot = sites.parameters.find(parameter.getSymNameAttr());
    if (slot != sites.parameters.end()) {
      graph.kept.push_back({static_cast<bool>(parameter.getState()),
                            llvm::to_vector<4>(type.getShape()), size,
                            slot->second});
      continue;
    }
    // No entry has placed the parameter yet. If none will, it is whole.
    auto planned = plan.parameters.find(parameter.getSymNameAttr());
    Placement placement = planned != plan.parameters.end()
                              ? planned->second
                              : Placement(graph.mesh.axes.size());
    double& bytes = parameter.getState() ? graph.otherStateBytes
                                         : graph.otherParameterBytes;
    bytes += static_cast<double>(alignedBytes(
        largestLocalBytes(type.getShape(), size, placement, graph.mesh)));
  }
}

/// Returns the program with axes tied by `ties`; nullopt if `run` is over.
FailureOr<std::optional<ProgramDecisions>> readWithTies(
    FuncOp entry, const mlir::SymbolTable& symbols,
    const Correspondence& correspondence, const Mesh& mesh,
    const Device& device, const Plan& plan, AxisTies ties,
    const SearchRun& run) {
  PlacementSpace space = spaceOf(correspondence, mesh, ties);
  Sites sites(correspondence);
  const std::vector<OpenDecision> decisions =
      openDecisionsOf(entry, symbols, space, plan, sites);

  ProgramDecisions program;
  program.ties = ties;
  DecisionGraph& graph = program.graph;
  graph.mesh = mesh;
  KernelRoom kernelRoom(entry->getContext(), mesh);
  CommunicatingOps communicatingOps(mesh, device);
  CertainLives lives(entry, correspondence);
  for (const OpenDecision& open : decisions) {
    std::optional<Decision> decision =
        statesOf(open, correspondence, space, device, plan, kernelRoom,
                 communicatingOps, lives, graph.placements, run);
    if (failed(communicatingOps.status())) return failure();
    if (!decision) return std::optional<ProgramDecisions>();
    graph.decisions.push_back(std::move(*decision));
    if (!graph.decisions.back().states.empty()) continue;
    if (!open.members.empty() && hasPinnedSignature(open.members.front().op))
      return DistributedOpInterface(open.members.front().op).emitOpError()
             << "is pinned to signatures by which it, or an op that computes "
                "gradients for it, cannot run on this mesh";
    return entry.emitOpError()
           << "needs '" << open.name << "', which can be placed in no way";
  }
  FlowReader flows(entry, sites, lives, program);
  for (auto [function, times] : correspondence.functions())
    flows.read(function);
  for (auto [open, decision] : llvm::zip(decisions, graph.decisions))
    for (const Member& member : open.members)
      decision.members.push_back(flows.memberOf(member.op));
  readParameters(entry, sites, plan, graph);
  program.parameters = std::move(sites.parameters);
  program.ops = std::move(sites.ops);
  return std::optional(std::move(program));
}

}  // namespace

FailureOr<ProgramDecisions> readProgram(FuncOp entry,
                                        const mlir::SymbolTable& symbols,
                                        const Mesh& mesh, const Device& device,
                                        const Plan& plan,
                                        const SearchRun& run) {
  const int64_t numAxes = llvm::count_if(
      mesh.axes, [](const MeshAxis& axis) { return axis.size > 1; });
  if (numAxes > kMaxAxes)
    return entry.emitOpError()
           << "is to be placed on the " << numAxes
           << " axes of a mesh, and plans are searched on at most " << kMaxAxes
           << "; an sbp.mesh of the machine may have fewer";
  run.beginPhase("reading the ways in which ops run");
  Correspondence correspondence(entry, symbols);
  for (AxisTies ties : {AxisTies::None, AxisTies::OfALevel}) {
    if (numWays(correspondence, mesh, plan, ties) > kMaxWays) continue;
    FailureOr<std::optional<ProgramDecisions>> program =
        readWithTies(entry, symbols, correspondence, mesh, device, plan, ties,
                     run.part(kReadingShare));
    if (failed(program)) return failure();
    if (*program) return std::move(**program);
  }
  // All axes are tied, so there are as few signatures as on one axis. They are
  // read without a time limit.
  FailureOr<std::optional<ProgramDecisions>> program =
      readWithTies(entry, symbols, correspondence, mesh, device, plan,
                   AxisTies::OfTheMesh, SearchRun());
  if (failed(program)) return failure();
  return std::move(**program);
}

void addToPlan(const ProgramDecisions& program,
               const std::vector<int32_t>& assignment, Plan& plan) {
  const DecisionGraph& graph = program.graph;
  auto placementAt = [&](Slot slot) {
    return Placement(
        graph.placements[graph.placementAt(slot, assignment[slot.decision])]);
  };
  for (auto [name, slot] : program.parameters)
    plan.parameters[name] = placementAt(slot);
  for (auto [argument, slot] : program.arguments)
    plan.arguments[argument] = placementAt(slot);
  for (auto [returned, slot] : program.returned)
    plan.returned[returned] = placementAt(slot);
  for (auto [op, first] : program.ops) {
    MeshSignature signature;
    Slot slot = first;
    for (unsigned i = 0; i < op->getNumOperands(); ++i, ++slot.index)
      signature.operands.push_back(placementAt(slot));
    for (unsigned i = 0; i < op->getNumResults(); ++i, ++slot.index)
      signature.results.push_back(placementAt(slot));
    plan.ops[op] = std::move(signature);
  }
}

}  // namespace sbp::search
