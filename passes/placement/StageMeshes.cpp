#include "passes/placement/StageMeshes.h"

#include <vector>

#include "dialects/nn/Calls.h"
#include "dialects/nn/OptimizerStep.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {
namespace {

using mlir::BlockArgument;
using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;
using Name = ProgramMeshes::Name;

/// Assigns to each group the functions of its stages, and the functions that
/// these call. If several groups call a function, each further group gets a
/// copy.
class FunctionsOfGroups {
 public:
  FunctionsOfGroups(ModuleOp module, StagesOp stages)
      : stages_(stages), symbols_(module) {
    for (auto function : llvm::to_vector(module.getOps<FuncOp>()))
      if (stageOf(function)) {
        Name group = groupOf(stages_, function);
        groupOf_[function] = group;
        assignCallees(function, group);
      }
  }

  /// Returns the group of each function that lies on a group.
  const llvm::DenseMap<Operation*, Name>& groups() const { return groupOf_; }

 private:
  /// Assigns the functions that `function` calls to `group`, the group of
  /// `function`.
  void assignCallees(FuncOp function, Name group) {
    function.walk([&](CallOpInterface call) {
      auto callee = nn::calleeOf(call, symbols_);
      if (!callee || stageOf(callee)) return;
      FuncOp own = versionOn(callee, group);
      if (own != callee)
        call.setCalleeFromCallable(mlir::FlatSymbolRefAttr::get(own));
    });
  }

  /// Returns the version of `function` that lies on `group`.
  FuncOp versionOn(FuncOp function, Name group) {
    auto known = versions_.find({function, group});
    if (known != versions_.end()) return known->second;
    FuncOp own = function;
    if (groupOf_.contains(function)) {  // another group calls it, too
      own = function.clone();
      own.setName((function.getName() + "." + group.getValue()).str());
      symbols_.insert(own, std::next(function->getIterator()));
    }
    groupOf_[own] = group;
    versions_[{function, group}] = own;
    assignCallees(own, group);
    return own;
  }

  StagesOp stages_;
  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, Name> groupOf_;
  llvm::DenseMap<std::pair<Operation*, Attribute>, FuncOp> versions_;
};

/// Assigns meshes to the ops between the calls of stages.
class MeshFinder {
 public:
  MeshFinder(ModuleOp module, StagesOp stages, ProgramMeshes& meshes,
             const llvm::DenseMap<Operation*, Name>& groups)
      : module_(module),
        symbols_(module),
        meshes_(meshes),
        groups_(groups),
        machine_(meshes.defaultMesh()) {
    for (auto function : module.getOps<FuncOp>())
      if (!groups.contains(function) && function.getBody().hasOneBlock())
        between_.push_back(function);
    for (FuncOp function : between_)
      for (auto call : function.getBody().front().getOps<CallOpInterface>())
        if (auto callee = nn::calleeOf(call, symbols_))
          calls_[callee].push_back(call);
    module.walk([&](nn::GetOp get) {
      reads_[symbols_.lookup(get.getName())].push_back(get);
    });
    module.walk([&](nn::SetOp set) {
      writes_[symbols_.lookup(set.getName())].push_back(set);
    });
    for (Attribute group : stages.getGroups())
      order_.try_emplace(group, static_cast<int64_t>(order_.size()));
  }

  void run() {
    assignPins();
    while (findMore()) {
    }
    for (FuncOp function : between_) {
      for (BlockArgument argument : function.getArguments())
        meshes_.assign(argument, orMachine(of(argument)));
      for (Operation& op : function.getBody().front())
        if (!isCall(op)) meshes_.assign(&op, orMachine(nameOf(&op)));
    }
    for (auto parameter : module_.getOps<nn::ParameterOp>())
      meshes_.assign(parameter, orMachine(parameters_.lookup(parameter)));
  }

 private:
  static bool isCall(Operation& op) { return llvm::isa<CallOpInterface>(op); }
  Name orMachine(Name name) const { return name ? name : machine_; }
  bool isGroup(Name name) const { return name && name != machine_; }

  Name of(Value value) const { return values_.lookup(value); }
  /// Returns the mesh of `op`; null if it is not known yet.
  Name nameOf(Operation* op) const {
    if (auto get = llvm::dyn_cast<nn::GetOp>(op))
      return parameters_.lookup(symbols_.lookup(get.getName()));
    if (auto set = llvm::dyn_cast<nn::SetOp>(op))
      return parameters_.lookup(symbols_.lookup(set.getName()));
    return ops_.lookup(op);
  }

  bool put(Operation* op, Name name) {
    if (!name || ops_.contains(op)) return false;
    ops_[op] = name;
    for (Value result : op->getResults()) values_[result] = name;
    return true;
  }
  bool put(Value value, Name name) {
    return name && values_.try_emplace(value, name).second;
  }

  /// Assigns pinned parameters and arguments to the meshes of their pins.
  /// Ignores a pin on an unknown mesh, which verifyPlaceable() reports.
  void assignPins() {
    for (auto parameter : module_.getOps<nn::ParameterOp>())
      if (auto pin = parameter->getAttrOfType<NdSbpAttr>(kPinAttrName);
          pin && meshes_.has(pin.getMesh()))
        parameters_[parameter] = pin.getMesh();
    for (FuncOp function : between_)
      for (BlockArgument argument : function.getArguments())
        if (auto pin = function.getArgAttrOfType<NdSbpAttr>(
                argument.getArgNumber(), kPinAttrName);
            pin && meshes_.has(pin.getMesh()))
          put(argument, pin.getMesh());
  }

  /// Derives further meshes from those known so far. Returns whether it found
  /// any.
  bool findMore() {
    bool isNew = false;
    for (FuncOp function : between_)
      for (Operation& op : function.getBody().front())
        isNew |= findByOperands(op);
    if (isNew) return true;
    for (FuncOp function : between_) {
      for (Operation& op : llvm::reverse(function.getBody().front()))
        if (!isCall(op) && op.getNumResults() > 0 && !nameOf(&op) &&
            !llvm::isa<nn::GetOp>(op))
          isNew |= put(&op, usersOf(op.getResults()));
      for (BlockArgument argument : function.getArguments())
        if (!of(argument)) isNew |= put(argument, usersOf(argument));
    }
    for (auto parameter : module_.getOps<nn::ParameterOp>())
      if (!parameters_.lookup(parameter))
        if (Name name = readersOf(parameter)) {
          parameters_[parameter] = name;
          isNew = true;
        }
    return isNew;
  }

  bool findByOperands(Operation& op) {
    if (auto call = llvm::dyn_cast<CallOpInterface>(op)) return findOf(call);
    if (auto get = llvm::dyn_cast<nn::GetOp>(op))
      return put(get.getResult(), nameOf(get));
    if (nameOf(&op) || llvm::isa<ReturnOp>(op)) return false;
    // The update of a parameter lies with the parameter.
    if (nn::gradientOf(&op)) return put(&op, of(op.getOperand(0)));
    Value last = lastOnGroup(op, /*isNumber=*/false);
    if (!last) last = lastOnGroup(op, /*isNumber=*/true);
    return last && put(&op, of(last));
  }

  /// Returns the operand of `op` that lies on a group and is made last; null if
  /// there is none. If `isNumber`, considers only scalars (tensors of one
  /// element), otherwise only other tensors.
  Value lastOnGroup(Operation& op, bool isNumber) const {
    Value last;
    for (Value operand : op.getOperands()) {
      auto type = llvm::cast<RankedTensorType>(operand.getType());
      if ((type.getNumElements() == 1) == isNumber && isGroup(of(operand)) &&
          (!last || isMadeBefore(last, operand)))
        last = operand;
    }
    return last;
  }

  /// Whether `a` is made before `b`; both are values of one block.
  static bool isMadeBefore(Value a, Value b) {
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    return second && (!first || first->isBeforeInBlock(second));
  }

  /// Gives the results of `call` the meshes of the values that the callee
  /// returns. Does the same for the callee's arguments that `call` carries from
  /// run to run.
  bool findOf(CallOpInterface call) {
    auto callee = nn::calleeOf(call, symbols_);
    if (!callee) return false;
    bool isNew = false;
    if (Name group = groups_.lookup(callee)) {
      for (Value result : call->getResults()) isNew |= put(result, group);
      return isNew;
    }
    Operation* end = callee.getBody().front().getTerminator();
    auto carried = callee.getArguments().take_back(nn::numCarried(call));
    for (auto [index, returned] : llvm::enumerate(end->getOperands())) {
      Name name = of(returned);
      isNew |= put(call->getResult(index), name);
      if (index < carried.size()) isNew |= put(carried[index], name);
    }
    return isNew;
  }

  /// Returns the mesh on which all users of `values` lie; the machine if they
  /// lie on several meshes. Returns null while the mesh of a user is unknown.
  Name usersOf(ValueRange values) const {
    llvm::SmallSetVector<Attribute, 4> names;
    for (Value value : values)
      for (mlir::OpOperand& use : value.getUses())
        if (!addUser(use, names)) return {};
    if (names.empty()) return {};
    return names.size() == 1 ? llvm::cast<Name>(names.front()) : machine_;
  }

  /// Adds to `names` the mesh on which `use` needs its tensor. Returns false if
  /// that mesh is unknown.
  bool addUser(mlir::OpOperand& use,
               llvm::SmallSetVector<Attribute, 4>& names) const {
    Operation* user = use.getOwner();
    if (llvm::isa<nn::SetOp>(user)) return true;
    if (llvm::isa<ReturnOp>(user)) return addUsersOfReturned(use, names);
    Name name = nameOf(user);
    if (auto call = llvm::dyn_cast<CallOpInterface>(user)) {
      auto callee = nn::calleeOf(call, symbols_);
      name = groups_.lookup(callee);
      if (!name && callee)
        name = of(callee.getArgument(use.getOperandNumber()));
    }
    if (name) names.insert(name);
    return static_cast<bool>(name);
  }

  /// Adds to `names` the meshes on which callers need the value that `use`, an
  /// operand of a return, returns. Returns false if one of them is unknown.
  bool addUsersOfReturned(mlir::OpOperand& use,
                          llvm::SmallSetVector<Attribute, 4>& names) const {
    auto calls = calls_.find(use.getOwner()->getParentOp());
    if (calls == calls_.end()) return true;
    return llvm::all_of(calls->second, [&](CallOpInterface call) {
      return llvm::all_of(
          call->getResult(use.getOperandNumber()).getUses(),
          [&](mlir::OpOperand& inner) { return addUser(inner, names); });
    });
  }

  /// Whether `use` is the parameter operand of an optimiser step. Such a step
  /// lies with the parameter, so it does not determine where the parameter
  /// lies.
  static bool isUpdateOf(mlir::OpOperand& use) {
    return nn::gradientOf(use.getOwner()) && use.getOperandNumber() == 0;
  }

  /// Whether `function` belongs to a stage but runs on another group than
  /// sbp.stages lists for the stage.
  static bool isAway(FuncOp function) {
    return function->hasAttr(kGroupAttrName);
  }

  /// Whether only functions that are away use the tensor of `use`.
  bool isAway(mlir::OpOperand& use) const {
    auto call = llvm::dyn_cast<CallOpInterface>(use.getOwner());
    auto callee = call ? nn::calleeOf(call, symbols_) : FuncOp();
    if (!callee) return false;
    if (groups_.contains(callee)) return isAway(callee);
    Value argument = callee.getArgument(use.getOperandNumber());
    return !argument.use_empty() &&
           llvm::all_of(argument.getUses(),
                        [&](mlir::OpOperand& inner) { return isAway(inner); });
  }

  /// Returns the mesh on which the first value of `parameter` is made.
  /// `parameter` must be one that is never read. Returns null while the mesh is
  /// unknown.
  Name writersOf(nn::ParameterOp parameter) const {
    auto writes = writes_.find(parameter);
    return writes == writes_.end()
               ? machine_
               : of(nn::SetOp(writes->second.front()).getValue());
  }

  /// Returns the mesh on which `parameter` is read, ignoring stages that are
  /// away. If several groups read it, returns the group of the first stage.
  /// Returns null while a reader's mesh is unknown.
  Name readersOf(nn::ParameterOp parameter) const {
    llvm::SmallSetVector<Attribute, 4> names;
    auto reads = reads_.find(parameter);
    if (reads == reads_.end()) return writersOf(parameter);
    for (nn::GetOp get : reads->second) {
      auto reader = get->getParentOfType<FuncOp>();
      if (Name group = groups_.lookup(reader)) {
        if (!isAway(reader)) names.insert(group);
        continue;
      }
      for (mlir::OpOperand& user : get.getResult().getUses())
        if (!isUpdateOf(user) && !isAway(user) && !addUser(user, names))
          return {};
    }
    Name first;
    for (Attribute attribute : names) {
      auto name = llvm::cast<Name>(attribute);
      if (!isGroup(name)) continue;
      if (!first || order_.lookup(name) < order_.lookup(first)) first = name;
    }
    return first || names.empty() ? first : machine_;
  }

  ModuleOp module_;
  mlir::SymbolTable symbols_;
  ProgramMeshes& meshes_;
  const llvm::DenseMap<Operation*, Name>& groups_;
  Name machine_;
  llvm::DenseMap<Attribute, int64_t> order_;  // groups, by their first stage
  std::vector<FuncOp> between_;               // functions that lie on no group
  // The calls of each function in the functions of `between_`.
  llvm::DenseMap<Operation*, SmallVector<CallOpInterface>> calls_;
  llvm::DenseMap<Value, Name> values_;
  llvm::DenseMap<Operation*, Name> ops_;
  llvm::DenseMap<Operation*, Name> parameters_;
  // Reads and writes of each parameter.
  llvm::DenseMap<Operation*, SmallVector<nn::GetOp>> reads_;
  llvm::DenseMap<Operation*, SmallVector<nn::SetOp>> writes_;
};

}  // namespace

FailureOr<ProgramMeshes> meshesOfStages(ModuleOp module, StagesOp stages) {
  mlir::SymbolTable symbols(module);
  auto first = symbols.lookup<MeshOp>(groupOf(stages, 0).getValue());
  Name machine = first.getMachineAttr();
  FailureOr<Mesh> all = lookupMesh(module, machine);
  if (failed(all)) return failure();
  ProgramMeshes meshes(machine, std::move(*all));
  for (auto group : stages.getGroups().getAsRange<Name>()) {
    FailureOr<Mesh> mesh = lookupMesh(module, group);
    if (failed(mesh)) return failure();
    meshes.addMesh(group, std::move(*mesh));
  }
  FunctionsOfGroups functions(module, stages);
  for (auto [function, group] : functions.groups())
    meshes.assign(function, group);
  MeshFinder(module, stages, meshes, functions.groups()).run();
  return meshes;
}

}  // namespace sbp
