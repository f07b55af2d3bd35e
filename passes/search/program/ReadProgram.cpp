#include "passes/search/program/ReadProgram.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "passes/boxing/Cost.h"
#include "passes/cost/Roofline.h"
#include "passes/search/program/Correspondence.h"
#include "passes/search/program/Follow.h"

namespace sbp::search {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

RankedTensorType tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

Placement placementOf(Attribute pin) {
  return Placement(llvm::cast<NdSbpAttr>(pin).getComponents());
}

/// The type that `op` computes with: that of its first tensor of floats.
ScalarType computedType(Operation* op) {
  Type first;
  for (Type type : llvm::concat<const Type>(
           llvm::to_vector(op->getResultTypes()),
           llvm::to_vector(op->getOperandTypes()))) {
    Type element = llvm::cast<RankedTensorType>(type).getElementType();
    if (llvm::isa<mlir::FloatType>(element)) return scalarTypeOf(element);
    if (!first) first = element;
  }
  return scalarTypeOf(first);
}

/// Where a follower learns how one of its tensors should lie.
struct Source {
  int64_t slot = -1;  // of its decision; -1: nowhere
  bool isGradient = false;
};

/// An op of a decision: its first one, a twin of that, or a follower.
struct Member {
  DistributedOpInterface op;
  int64_t firstSlot;
  /// Per operand and result; empty for ops that run as the decision says.
  SmallVector<Source> operands, results;
};

/// A decision as it is being put together.
struct Draft {
  std::string name;
  /// What there is to choose from: placements of an argument or a parameter,
  /// which is slot 0, or else signatures of the first member.
  SmallVector<Placement> placements;
  SmallVector<Member> members;
  int64_t numSlots = 0;
};

class Reader {
 public:
  Reader(FuncOp entry, const mlir::SymbolTable& symbols, const Mesh& mesh,
         const Device& device, const Plan& plan)
      : entry_(entry),
        symbols_(symbols),
        mesh_(mesh),
        device_(device),
        plan_(plan),
        correspondence_(entry, symbols) {
    program_.graph.mesh = mesh;
  }

  FailureOr<ProgramDecisions> run();

 private:
  // What there is to decide.
  void draftArguments(FuncOp function);
  void draftOps(FuncOp function);
  void draftOp(DistributedOpInterface op);
  void draftFollowers(FuncOp function);
  int64_t addDraft(std::string name);
  void addMember(int64_t draft, DistributedOpInterface op);
  int64_t draftTensor(std::string name, RankedTensorType type,
                      bool mayBePartial, std::optional<Placement> pin);
  Slot parameterSlot(mlir::StringAttr name);
  SmallVector<Placement> placementsOf(RankedTensorType type, bool mayBePartial);
  bool isUseful(ArrayRef<Component> placement) const;
  bool isUseful(const MeshSignature& signature) const;
  bool isFollower(Operation* op) const {
    return op->hasAttr(nn::kAdjointOfAttrName) ||
           correspondence_.argumentOfSum(op);
  }
  void findReductions();

  // Their states.
  LogicalResult makeStates(int64_t draft);
  double secondsOf(const Member& member, const MeshSignature& signature,
                   double flopsPerPoint) const;
  bool addState(int64_t draft, const MeshSignature* first,
                const Placement* placement);

  // Where tensors are touched.
  Slot operandSlot(mlir::OpOperand& use);
  Slot madeSlot(Value value);
  Slot returnedSlot(FuncOp function, int64_t index);
  Slot gradientSlot(Slot slot);
  Slot slotOf(Operation* op, int64_t offset);

  void addUses(Value value, SmallVector<mlir::OpOperand*>& uses);
  void readFlows(FuncOp function);

  FuncOp entry_;
  const mlir::SymbolTable& symbols_;
  const Mesh& mesh_;
  const Device& device_;
  const Plan& plan_;
  Correspondence correspondence_;
  ProgramDecisions program_;
  std::vector<Draft> drafts_;
  llvm::DenseMap<Operation*, Slot> pins_;
  llvm::SetVector<int64_t> reductions_;  // that some op of the program leaves
  std::map<std::pair<int64_t, int64_t>, Slot> gradientSlots_;
  using TwinKey = std::tuple<const void*, const void*, const void*, const void*>;
  std::map<TwinKey, int64_t> twins_;
};

FailureOr<ProgramDecisions> Reader::run() {
  findReductions();
  for (auto [function, times] : correspondence_.functions())
    draftArguments(function);
  for (auto [function, times] : correspondence_.functions())
    draftOps(function);
  for (auto [function, times] : correspondence_.functions())
    draftFollowers(function);
  for (size_t draft = 0; draft < drafts_.size(); ++draft)
    if (failed(makeStates(draft))) return failure();
  for (auto [function, times] : correspondence_.functions())
    readFlows(function);
  return std::move(program_);
}

// ---- What there is to decide -------------------------------------------------

void Reader::findReductions() {
  reductions_.insert(static_cast<int64_t>(Reduction::Sum));
  for (auto [function, times] : correspondence_.functions())
    for (Operation& op : function.getBody().front())
      if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
        for (const Loop& loop : distributed.getLoopNest().loops)
          if (loop.kind == Loop::Kind::Reduction)
            reductions_.insert(static_cast<int64_t>(loop.reduction));
}

/// Whether it makes sense to lay a tensor so: over one device all components
/// mean the same, and terms come from a reduction.
bool Reader::isUseful(ArrayRef<Component> placement) const {
  for (auto [axis, component] : llvm::zip(mesh_.axes, placement)) {
    if (axis.size == 1 && !component.isBroadcast()) return false;
    if (component.isPartial() &&
        !reductions_.contains(static_cast<int64_t>(component.reduction())))
      return false;
  }
  return true;
}

bool Reader::isUseful(const MeshSignature& signature) const {
  auto useful = [&](const Placement& placement) { return isUseful(placement); };
  return llvm::all_of(signature.operands, useful) &&
         llvm::all_of(signature.results, useful);
}

SmallVector<Placement> Reader::placementsOf(RankedTensorType type,
                                            bool mayBePartial) {
  SmallVector<Component> components = {Component::broadcast()};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) > 1) components.push_back(Component::split(dim));
  if (mayBePartial && llvm::isa<mlir::FloatType>(type.getElementType()))
    components.push_back(Component::partial(Reduction::Sum));
  SmallVector<Placement> placements = {Placement()};
  for (const MeshAxis& axis : mesh_.axes) {
    SmallVector<Placement> longer;
    for (const Placement& placement : placements)
      for (Component component : components) {
        if (axis.size == 1 && !component.isBroadcast()) continue;
        longer.push_back(placement);
        longer.back().push_back(component);
      }
    placements = std::move(longer);
  }
  return placements;
}

int64_t Reader::addDraft(std::string name) {
  drafts_.emplace_back().name = std::move(name);
  return static_cast<int64_t>(drafts_.size()) - 1;
}

void Reader::addMember(int64_t index, DistributedOpInterface op) {
  Draft& draft = drafts_[index];
  program_.ops[op] = {index, draft.numSlots};
  draft.members.push_back({op, draft.numSlots, {}, {}});
  draft.numSlots += op->getNumOperands() + op->getNumResults();
}

int64_t Reader::draftTensor(std::string name, RankedTensorType type,
                            bool mayBePartial,
                            std::optional<Placement> pin) {
  int64_t draft = addDraft(std::move(name));
  drafts_[draft].placements = pin ? SmallVector<Placement>{*pin}
                                  : placementsOf(type, mayBePartial);
  drafts_[draft].numSlots = 1;
  return draft;
}

Slot Reader::parameterSlot(mlir::StringAttr name) {
  auto known = program_.parameters.find(name);
  if (known != program_.parameters.end()) return known->second;
  auto parameter = symbols_.lookup<nn::ParameterOp>(name);
  std::optional<Placement> pin;
  if (auto planned = plan_.parameters.find(name);
      planned != plan_.parameters.end())
    pin = planned->second;
  else if (Attribute attribute = parameter->getAttr(kPinAttrName))
    pin = placementOf(attribute);
  Slot slot = {draftTensor("@" + name.str(),
                           llvm::cast<RankedTensorType>(parameter.getType()),
                           /*mayBePartial=*/false, pin),
               0};
  program_.parameters[name] = slot;
  return slot;
}

void Reader::draftArguments(FuncOp function) {
  bool isEntry = function == entry_;
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::optional<Placement> pin;
    if (auto planned = plan_.arguments.find(argument);
        planned != plan_.arguments.end())
      pin = planned->second;
    else if (Attribute attribute = function.getArgAttr(number, kPinAttrName))
      pin = placementOf(attribute);
    // What a backward function is given of the forward one is decided there.
    if (!pin && correspondence_.primalOf(argument) != argument) continue;
    std::string name =
        (function.getName() + " argument " + llvm::Twine(number)).str();
    program_.arguments[argument] = {
        draftTensor(std::move(name), tensorType(argument),
                    /*mayBePartial=*/!isEntry, pin),
        0};
  }
}

void Reader::draftOps(FuncOp function) {
  for (Operation& op : function.getBody().front()) {
    if (auto get = llvm::dyn_cast<nn::GetOp>(op))
      parameterSlot(get.getNameAttr().getAttr());
    else if (auto set = llvm::dyn_cast<nn::SetOp>(op))
      parameterSlot(set.getNameAttr().getAttr());
    else if (auto pin = llvm::dyn_cast<PinOp>(op))
      pins_[pin] = {draftTensor("pin", tensorType(pin.getInput()), true,
                                placementOf(pin.getPlacementAttr())),
                    0};
    else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
             distributed && !isFollower(&op))
      draftOp(distributed);
  }
}

void Reader::draftOp(DistributedOpInterface op) {
  mlir::NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(nn::kIdAttrName);
  Value first = op->getNumOperands() > 0 ? op->getOperand(0) : Value();
  TwinKey key(op->getName().getAsOpaquePointer(),
              attributes.getDictionary(op->getContext()).getAsOpaquePointer(),
              first.getAsOpaquePointer(),
              mlir::FunctionType::get(op->getContext(), op->getOperandTypes(),
                                      op->getResultTypes())
                  .getAsOpaquePointer());
  bool mayHaveTwin = first && !plan_.ops.contains(op);
  if (auto twin = twins_.find(key); mayHaveTwin && twin != twins_.end())
    return addMember(twin->second, op);

  auto function = op->getParentOfType<FuncOp>();
  int64_t draft = addDraft(
      (function.getName() + " " + op->getName().stripDialect()).str());
  addMember(draft, op);
  if (mayHaveTwin) twins_[key] = draft;
}

void Reader::draftFollowers(FuncOp function) {
  for (Operation& op : function.getBody().front()) {
    auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
    if (!distributed || program_.ops.contains(&op)) continue;

    // The slots of the op, or of the tensor, that this one follows.
    SmallVector<std::pair<Value, int64_t>> tensors, results;
    int64_t draft = -1;
    auto follow = [&](Value value, Slot slot) {
      draft = slot.decision;
      results.push_back({value, slot.index});
    };
    Operation* target = correspondence_.adjointTarget(&op);
    if (auto call = llvm::dyn_cast_if_present<CallOp>(target)) {
      FuncOp callee = correspondence_.calleeOf(call);
      for (auto [result, returned] :
           llvm::zip(call.getResults(), callee.getBody()
                                            .front()
                                            .getTerminator()
                                            ->getOperands()))
        if (draft < 0 && result.getType() == op.getResult(0).getType())
          follow(result, madeSlot(returned));
    } else if (target && program_.ops.contains(target)) {
      for (auto [index, operand] : llvm::enumerate(target->getOperands()))
        tensors.push_back({operand, slotOf(target, index).index});
      for (auto [index, result] : llvm::enumerate(target->getResults()))
        follow(result, slotOf(target, target->getNumOperands() + index));
    } else if (mlir::BlockArgument argument =
                   correspondence_.argumentOfSum(&op)) {
      follow(argument, madeSlot(argument));
    }
    if (draft < 0) {
      draftOp(distributed);
      continue;
    }

    addMember(draft, distributed);
    Member& member = drafts_[draft].members.back();
    auto find = [](auto& list, auto matches) {
      auto found = llvm::find_if(
          list, [&](const auto& entry) { return matches(entry.first); });
      return found == list.end() ? int64_t{-1} : found->second;
    };
    for (Value operand : op.getOperands()) {
      Source source;
      Operation* made = operand.getDefiningOp();
      auto slot = made ? program_.ops.find(made) : program_.ops.end();
      if (slot != program_.ops.end() && slot->second.decision == draft) {
        source.slot = slotOf(made, made->getNumOperands()).index +
                      llvm::cast<mlir::OpResult>(operand).getResultNumber();
      } else if (Value primal = correspondence_.primalOf(operand)) {
        auto isPrimal = [&](Value value) { return value == primal; };
        source.slot = find(tensors, isPrimal);
        if (source.slot < 0) source.slot = find(results, isPrimal);
      } else {
        source.isGradient = true;
        source.slot = find(results, [&](Value value) {
          return value.getType() == operand.getType();
        });
      }
      member.operands.push_back(source);
    }
    for (Value result : op.getResults()) {
      auto isLike = [&](Value value) {
        return value.getType() == result.getType();
      };
      Source source{find(tensors, isLike), /*isGradient=*/true};
      if (source.slot < 0) source.slot = find(results, isLike);
      member.results.push_back(source);
    }
  }
}

// ---- Their states ------------------------------------------------------------

LogicalResult Reader::makeStates(int64_t index) {
  Draft& draft = drafts_[index];
  program_.graph.decisions.push_back({draft.name, {}});
  if (!draft.placements.empty()) {
    for (const Placement& placement : draft.placements)
      addState(index, nullptr, &placement);
  } else {
    DistributedOpInterface op = draft.members.front().op;
    auto planned = plan_.ops.find(op);
    forEachSignature(op.getLoopNest(), mesh_, [&](const MeshSignature& s) {
      if (planned == plan_.ops.end() ? isUseful(s)
                                     : s.operands == planned->second.operands &&
                                           s.results == planned->second.results)
        addState(index, &s, nullptr);
    });
  }
  if (!program_.graph.decisions.back().states.empty()) return success();
  return entry_.emitOpError()
         << "calls on '" << draft.name << "', which can be placed in no way";
}

/// Adds the state in which the first member runs by `first`, or in which the
/// tensor lies as `placement`; false when some follower cannot run so.
bool Reader::addState(int64_t index, const MeshSignature* first,
                      const Placement* placement) {
  Draft& draft = drafts_[index];
  PlacementTable& table = program_.graph.placements;
  Decision::State state;
  state.placements.resize(draft.numSlots);
  if (placement) state.placements[0] = table.numberOf(*placement);
  auto wished = [&](Source source) -> std::optional<Placement> {
    if (source.slot < 0) return std::nullopt;
    ArrayRef<Component> lies = table[state.placements[source.slot]];
    return source.isGradient ? gradientOf(lies) : Placement(lies);
  };
  for (Member& member : draft.members) {
    LoopNest nest = member.op.getLoopNest();
    MeshSignature signature;
    if (member.operands.empty() && member.results.empty()) {
      signature = *first;
    } else {
      Wishes wishes;
      for (Source source : member.operands)
        wishes.operands.push_back(wished(source));
      for (Source source : member.results)
        wishes.results.push_back(wished(source));
      auto followed = follow(nest, mesh_, wishes);
      if (!followed) return false;
      signature = *followed;
    }
    int64_t slot = member.firstSlot;
    for (const auto& list : {ArrayRef<Placement>(signature.operands),
                             ArrayRef<Placement>(signature.results)})
      for (const Placement& lies : list)
        state.placements[slot++] = table.numberOf(lies);

    state.seconds += secondsOf(member, signature, nest.flopsPerPoint);
  }
  program_.graph.decisions[index].states.push_back(std::move(state));
  return true;
}

/// What `member` computes per run of the entry if it runs by `signature`.
double Reader::secondsOf(const Member& member, const MeshSignature& signature,
                         double flopsPerPoint) const {
  double bytes = 0;
  auto addBytes = [&](ValueRange values, ArrayRef<Placement> placements) {
    for (auto [value, placement] : llvm::zip(values, placements)) {
      RankedTensorType type = tensorType(value);
      bytes += static_cast<double>(largestLocalBytes(
          type.getShape(), elementBytes(type.getElementType()), placement,
          mesh_));
    }
  };
  DistributedOpInterface op = member.op;
  addBytes(op->getOperands(), signature.operands);
  addBytes(op->getResults(), signature.results);
  double times =
      correspondence_.functions().lookup(op->getParentOfType<FuncOp>());
  return times * computeSeconds(device_, computedType(op),
                                flopsPerPoint * signature.pointsPerDevice,
                                bytes);
}

// ---- Where tensors are touched -----------------------------------------------

Slot Reader::slotOf(Operation* op, int64_t offset) {
  Slot slot = program_.ops.lookup(op);
  slot.index += offset;
  return slot;
}

Slot Reader::operandSlot(mlir::OpOperand& use) {
  Operation* user = use.getOwner();
  int64_t number = use.getOperandNumber();
  if (auto call = llvm::dyn_cast<CallOp>(user))
    return madeSlot(correspondence_.calleeOf(call).getArgument(number));
  if (auto pin = llvm::dyn_cast<PinOp>(user)) return pins_.lookup(pin);
  if (auto set = llvm::dyn_cast<nn::SetOp>(user))
    return parameterSlot(set.getNameAttr().getAttr());
  if (llvm::isa<ReturnOp>(user))
    return returnedSlot(user->getParentOfType<FuncOp>(), number);
  return slotOf(user, number);
}

Slot Reader::returnedSlot(FuncOp function, int64_t index) {
  if (mlir::OpOperand* use = correspondence_.firstUseOfSaved(function, index))
    return operandSlot(*use);
  return madeSlot(function.getBody().front().getTerminator()->getOperand(index));
}

Slot Reader::madeSlot(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    if (auto known = program_.arguments.find(argument);
        known != program_.arguments.end())
      return known->second;
    if (Value primal = correspondence_.primalOfGradient(argument))
      return gradientSlot(madeSlot(primal));
    Value primal = correspondence_.primalOf(argument);
    if (llvm::isa_and_present<mlir::BlockArgument>(primal))
      return madeSlot(primal);
    if (mlir::OpOperand* use = Correspondence::firstUse(argument))
      return operandSlot(*use);
    return madeSlot(primal);
  }
  Operation* made = value.getDefiningOp();
  int64_t number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  if (auto call = llvm::dyn_cast<CallOp>(made))
    return returnedSlot(correspondence_.calleeOf(call), number);
  if (auto pin = llvm::dyn_cast<PinOp>(made)) return pins_.lookup(pin);
  if (auto get = llvm::dyn_cast<nn::GetOp>(made))
    return parameterSlot(get.getNameAttr().getAttr());
  return slotOf(made, made->getNumOperands() + number);
}

/// The slot, made when first asked for, of the gradient of what `slot` touches.
Slot Reader::gradientSlot(Slot slot) {
  auto [known, isNew] =
      gradientSlots_.try_emplace({slot.decision, slot.index}, Slot());
  if (!isNew) return known->second;
  DecisionGraph& graph = program_.graph;
  Decision& decision = graph.decisions[slot.decision];
  known->second = {slot.decision,
                   static_cast<int64_t>(
                       decision.states.front().placements.size())};
  for (Decision::State& state : decision.states)
    state.placements.push_back(graph.placements.numberOf(
        gradientOf(graph.placements[state.placements[slot.index]])));
  return known->second;
}

/// Adds the uses of `value`, and those of the pins of it: a pin is one more use,
/// and what it gives is a version of the same tensor.
void Reader::addUses(Value value, SmallVector<mlir::OpOperand*>& uses) {
  for (mlir::OpOperand& use : value.getUses()) {
    uses.push_back(&use);
    if (auto pin = llvm::dyn_cast<PinOp>(use.getOwner())) addUses(pin, uses);
  }
}

void Reader::readFlows(FuncOp function) {
  mlir::Block& body = function.getBody().front();
  double times = correspondence_.functions().lookup(function);
  auto read = [&](Value value) {
    auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
    if (!type) return;
    Flow flow;
    flow.name = function.getName().str();
    flow.shape = llvm::to_vector<4>(type.getShape());
    flow.elementBytes = elementBytes(type.getElementType());
    flow.times = times;
    flow.made = madeSlot(value);

    SmallVector<mlir::OpOperand*> uses;
    addUses(value, uses);
    llvm::sort(uses, [](mlir::OpOperand* a, mlir::OpOperand* b) {
      if (a->getOwner() == b->getOwner())
        return a->getOperandNumber() < b->getOperandNumber();
      return a->getOwner()->isBeforeInBlock(b->getOwner());
    });
    for (mlir::OpOperand* use : uses) {
      // An entry returns what it has.
      bool isReturn = llvm::isa<ReturnOp>(use->getOwner());
      Slot slot = isReturn && function == entry_ ? madeSlot(use->get())
                                                 : operandSlot(*use);
      if (slot == flow.made) continue;
      if (isReturn && function != entry_) program_.returned[use] = slot;
      Flow::Use entry = {slot, llvm::isa<PinOp>(use->getOwner())};
      if (!llvm::is_contained(flow.uses, entry)) flow.uses.push_back(entry);
    }
    if (!flow.uses.empty()) program_.graph.flows.push_back(std::move(flow));
  };
  for (mlir::BlockArgument argument : body.getArguments()) {
    read(argument);
    // What is not a decision of its own is still to be placed.
    program_.arguments.try_emplace(argument, madeSlot(argument));
  }
  for (Operation& op : body)
    if (!llvm::isa<PinOp>(op))
      for (Value result : op.getResults()) read(result);
}

}  // namespace

FailureOr<ProgramDecisions> readProgram(FuncOp entry,
                                        const mlir::SymbolTable& symbols,
                                        const Mesh& mesh, const Device& device,
                                        const Plan& plan) {
  return Reader(entry, symbols, mesh, device, plan).run();
}

void addToPlan(const ProgramDecisions& program,
               const std::vector<int32_t>& assignment, Plan& plan) {
  const DecisionGraph& graph = program.graph;
  auto placementAt = [&](Slot slot) {
    return Placement(graph.placements[graph.placementAt(
        slot, assignment[slot.decision])]);
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
