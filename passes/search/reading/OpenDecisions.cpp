#include "passes/search/reading/OpenDecisions.h"

#include <map>
#include <tuple>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/PinnedSignature.h"

namespace sbp::search {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

Placement placementOf(Attribute pin) {
  return Placement(llvm::cast<NdSbpAttr>(pin).getComponents());
}

/// Returns `placements`, those with the most split axes first. The search takes
/// the first of states with equal costs, and it is better not to give an input
/// whole to a device if no device needs it whole.
SmallVector<Placement> splitFirst(ArrayRef<Placement> placements) {
  SmallVector<Placement> ordered;
  auto numAxes = static_cast<int64_t>(placements.front().size());
  for (int64_t number = numAxes; number >= 0; --number)
    for (const Placement& placement : placements)
      if (llvm::count_if(placement, [](const Component& component) {
            return component.isSplit();
          }) == number)
        ordered.push_back(placement);
  return ordered;
}

class DecisionCollector {
 public:
  DecisionCollector(FuncOp entry, const mlir::SymbolTable& symbols,
                    const PlacementSpace& space, const Plan& plan, Sites& sites)
      : entry_(entry),
        symbols_(symbols),
        space_(space),
        plan_(plan),
        sites_(sites),
        correspondence_(sites.correspondence) {}

  std::vector<OpenDecision> run();

 private:
  void addArguments(FuncOp function);
  void addOps(FuncOp function);
  void addFollowers(FuncOp function);
  void addParameter(mlir::StringAttr name);
  void addPin(PinOp pin);
  void addOp(DistributedOpInterface op);
  bool addToSum(DistributedOpInterface op);
  void addFollower(DistributedOpInterface op);

  int64_t addDecision(std::string name);
  Member& addMember(int64_t decision, DistributedOpInterface op);
  Slot addTensor(std::string name, Type type, bool mayBePartial,
                 std::optional<Placement> decided);

  /// The tensors of the decision that an op follows, with their slots.
  struct Leader {
    using Tensors = SmallVector<std::pair<Value, int64_t>>;

    int64_t decision = -1;
    Tensors operands;  // of the forward op, if there is one
    /// Tensors whose gradients the op gets, or adds up.
    Tensors results;
  };
  Leader leaderOf(Operation* op) const;
  Source sourceOf(Value operand, const Leader& leader) const;

  FuncOp entry_;
  const mlir::SymbolTable& symbols_;
  const PlacementSpace& space_;
  const Plan& plan_;
  Sites& sites_;
  const Correspondence& correspondence_;
  std::vector<OpenDecision> open_;
  using TiedKey =
      std::tuple<const void*, const void*, const void*, const void*>;
  std::map<TiedKey, int64_t> tied_;
  /// The first pin of each tensor to each placement; and per pin, the first one
  /// like it.
  llvm::DenseMap<std::pair<Value, Attribute>, PinOp> pins_;
  llvm::DenseMap<Operation*, PinOp> firstLike_;

  /// A result of the calls of one function in another function.
  struct CallResult {
    const void* caller = nullptr;
    const void* callee = nullptr;
    int64_t number = 0;

    friend bool operator<(const CallResult& a, const CallResult& b) {
      return std::tie(a.caller, a.callee, a.number) <
             std::tie(b.caller, b.callee, b.number);
    }
  };
  std::optional<CallResult> termOf(Value value) const;
  /// Per addition so far, the result that it sums up; and per such result, the
  /// decision of its sums.
  llvm::DenseMap<Operation*, CallResult> terms_;
  std::map<CallResult, int64_t> sums_;
};

std::vector<OpenDecision> DecisionCollector::run() {
  const auto& functions = correspondence_.functions();
  for (auto [function, times] : functions) addArguments(function);
  for (auto [function, times] : functions) addOps(function);
  for (auto [function, times] : functions) addFollowers(function);
  return std::move(open_);
}

int64_t DecisionCollector::addDecision(std::string name) {
  open_.push_back({std::move(name)});
  return static_cast<int64_t>(open_.size()) - 1;
}

Member& DecisionCollector::addMember(int64_t index, DistributedOpInterface op) {
  OpenDecision& open = open_[index];
  sites_.ops[op] = {index, open.numSlots};
  open.members.push_back({op, open.numSlots});
  open.numSlots += op->getNumOperands() + op->getNumResults();
  return open.members.back();
}

Slot DecisionCollector::addTensor(std::string name, Type type,
                                  bool mayBePartial,
                                  std::optional<Placement> decided) {
  int64_t index = addDecision(std::move(name));
  OpenDecision& open = open_[index];
  open.placements = decided
                        ? SmallVector<Placement>{*decided}
                        : space_.placementsOf(
                              llvm::cast<RankedTensorType>(type), mayBePartial);
  open.numSlots = 1;
  return {index, 0};
}

// ---- Arguments, parameters, ops
// ----------------------------------------------

void DecisionCollector::addArguments(FuncOp function) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::optional<Placement> decided;
    if (auto planned = plan_.arguments.find(argument);
        planned != plan_.arguments.end())
      decided = planned->second;
    else if (Attribute pin = function.getArgAttr(number, kPinAttrName))
      decided = placementOf(pin);
    // An argument of a backward function that the forward function gives is
    // decided in the forward function.
    if (!decided && !correspondence_.isOwn(argument)) continue;
    // The placement of a carried argument is decided by the op that uses it,
    // such as a sum.
    if (!decided && correspondence_.firstUseOfCarried(argument)) continue;
    bool isInput = function == entry_;
    Slot slot = addTensor(
        (function.getName() + " argument " + llvm::Twine(number)).str(),
        argument.getType(), /*mayBePartial=*/!isInput, decided);
    sites_.arguments[argument] = slot;
    if (isInput) {
      OpenDecision& open = open_[slot.decision];
      open.placements = splitFirst(open.placements);
    }
  }
}

void DecisionCollector::addParameter(mlir::StringAttr name) {
  if (sites_.parameters.contains(name)) return;
  auto parameter = symbols_.lookup<nn::ParameterOp>(name);
  std::optional<Placement> decided;
  if (auto planned = plan_.parameters.find(name);
      planned != plan_.parameters.end())
    decided = planned->second;
  else if (Attribute pin = parameter->getAttr(kPinAttrName))
    decided = placementOf(pin);
  sites_.parameters[name] = addTensor("@" + name.str(), parameter.getType(),
                                      /*mayBePartial=*/false, decided);
}

void DecisionCollector::addOps(FuncOp function) {
  for (Operation& op : function.getBody().front()) {
    if (auto get = llvm::dyn_cast<nn::GetOp>(op))
      addParameter(get.getNameAttr().getAttr());
    else if (auto set = llvm::dyn_cast<nn::SetOp>(op))
      addParameter(set.getNameAttr().getAttr());
    else if (auto pin = llvm::dyn_cast<PinOp>(op))
      addPin(pin);
    else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
             distributed && !correspondence_.isFollower(&op))
      addOp(distributed);
  }
}

/// Pins of one tensor to one placement share a decision.
void DecisionCollector::addPin(PinOp pin) {
  Value input = pin.getInput();
  if (auto before = input.getDefiningOp<PinOp>()) input = firstLike_[before];
  auto [first, isNew] = pins_.try_emplace({input, pin.getPlacementAttr()}, pin);
  firstLike_[pin] = first->second;
  sites_.pins[pin] =
      isNew ? addTensor("pin", pin.getInput().getType(), /*mayBePartial=*/true,
                        placementOf(pin.getPlacementAttr()))
            : sites_.pins.lookup(first->second);
}

/// Returns the result of a call that `value` is, or that `value` sums up over
/// calls.
std::optional<DecisionCollector::CallResult> DecisionCollector::termOf(
    Value value) const {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result) return std::nullopt;
  Operation* op = result.getOwner();
  if (auto known = terms_.find(op); known != terms_.end()) return known->second;
  auto call = llvm::dyn_cast<CallOp>(op);
  if (!call) return std::nullopt;
  return CallResult{call->getParentOp(), correspondence_.calleeOf(call),
                    result.getResultNumber()};
}

/// Adds `op` to a decision if it is an addition that sums up results of calls
/// of one function: such calls have equal placements, and so have these
/// additions. Returns false if `op` is no such addition, or the first of its
/// kind, which needs a new decision.
bool DecisionCollector::addToSum(DistributedOpInterface op) {
  if (!llvm::isa<nn::AddOp>(op) || plan_.ops.contains(op) ||
      hasPinnedSignature(op))
    return false;
  auto left = termOf(op->getOperand(0)), right = termOf(op->getOperand(1));
  if (!left || !right || *left < *right || *right < *left) return false;
  terms_[op] = *left;
  auto [sum, isNew] =
      sums_.try_emplace(*left, static_cast<int64_t>(open_.size()));
  if (isNew) return false;
  addMember(sum->second, op);
  return true;
}

void DecisionCollector::addOp(DistributedOpInterface op) {
  if (addToSum(op)) return;
  mlir::NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(nn::kIdAttrName);
  // Slices of one size may be cut alike, whatever their offsets.
  if (auto slice = llvm::dyn_cast<nn::SliceOp>(op.getOperation()))
    attributes.erase(slice.getOffsetsAttrName());
  Value first = op->getNumOperands() > 0 ? op->getOperand(0) : Value();
  TiedKey key(op->getName().getAsOpaquePointer(),
              attributes.getDictionary(op->getContext()).getAsOpaquePointer(),
              first.getAsOpaquePointer(),
              mlir::FunctionType::get(op->getContext(), op->getOperandTypes(),
                                      op->getResultTypes())
                  .getAsOpaquePointer());
  bool mayBeTied = first && !plan_.ops.contains(op);
  if (auto tied = tied_.find(key); mayBeTied && tied != tied_.end())
    return void(addMember(tied->second, op));

  auto function = op->getParentOfType<FuncOp>();
  int64_t decision = addDecision(
      (function.getName() + " " + op->getName().stripDialect()).str());
  addMember(decision, op);
  if (mayBeTied) tied_[key] = decision;
}

// ---- Followers
// ---------------------------------------------------------------

void DecisionCollector::addFollowers(FuncOp function) {
  for (Operation& op : function.getBody().front())
    if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op);
        distributed && !sites_.ops.contains(&op))
      addFollower(distributed);
}

void DecisionCollector::addFollower(DistributedOpInterface op) {
  Leader leader = leaderOf(op);
  if (leader.decision < 0) return addOp(op);
  Member& member = addMember(leader.decision, op);
  member.isFollower = true;
  for (Value operand : op->getOperands())
    member.operands.push_back(sourceOf(operand, leader));
  // A result is the gradient of an operand, or a sum of gradients.
  for (Value result : op->getResults()) {
    Source source = {-1, /*isGradient=*/true};
    for (const Leader::Tensors& tensors : {leader.operands, leader.results})
      for (auto [value, slot] : tensors)
        if (source.slot < 0 && value.getType() == result.getType())
          source.slot = slot;
    member.results.push_back(source);
  }
}

/// Returns what `op` follows: the op whose gradients it computes, or the tensor
/// whose gradients it adds up, a call's result or an argument.
DecisionCollector::Leader DecisionCollector::leaderOf(Operation* op) const {
  Leader leader;
  auto addResult = [&](Value value, Slot slot) {
    leader.decision = slot.decision;
    leader.results.push_back({value, slot.index});
  };
  Operation* target = correspondence_.adjointTarget(op);
  if (auto call = llvm::dyn_cast_if_present<CallOp>(target)) {
    FuncOp callee = correspondence_.calleeOf(call);
    for (auto [result, returned] :
         llvm::zip(call.getResults(),
                   callee.getBody().front().getTerminator()->getOperands()))
      if (leader.decision < 0 && result.getType() == op->getResult(0).getType())
        addResult(result, sites_.made(returned).slot);
  } else if (target && sites_.ops.contains(target)) {
    for (auto [number, operand] : llvm::enumerate(target->getOperands()))
      leader.operands.push_back(
          {operand, sites_.operandOf(target, number).index});
    for (auto [number, result] : llvm::enumerate(target->getResults()))
      addResult(result, sites_.resultOf(target, number));
  } else if (mlir::BlockArgument argument = correspondence_.argumentOfSum(op);
             argument && !correspondence_.isParameter(argument)) {
    // Sums of gradients of a parameter are decisions of their own: they may add
    // up terms that are reduced once for all calls.
    addResult(argument, sites_.made(argument).slot);
  }
  return leader;
}

Source DecisionCollector::sourceOf(Value operand, const Leader& leader) const {
  // Another member of the decision makes the operand.
  if (Operation* op = operand.getDefiningOp(); op && sites_.ops.contains(op)) {
    Slot slot = sites_.resultOf(
        op, llvm::cast<mlir::OpResult>(operand).getResultNumber());
    if (slot.decision == leader.decision) return {slot.index};
  }
  // The operand is a tensor of the forward op.
  if (Value primal = correspondence_.primalOf(operand)) {
    for (const Leader::Tensors& tensors : {leader.operands, leader.results})
      for (auto [value, slot] : tensors)
        if (correspondence_.isSame(value, primal)) return {slot};
    return {};
  }
  // The operand is a gradient, and lies as the gradient of a result.
  for (auto [value, slot] : leader.results)
    if (value.getType() == operand.getType())
      return {slot, /*isGradient=*/true};
  return {};
}

}  // namespace

std::vector<OpenDecision> openDecisionsOf(FuncOp entry,
                                          const mlir::SymbolTable& symbols,
                                          const PlacementSpace& space,
                                          const Plan& plan, Sites& sites) {
  return DecisionCollector(entry, symbols, space, plan, sites).run();
}

}  // namespace sbp::search
