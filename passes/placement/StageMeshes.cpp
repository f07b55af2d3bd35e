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

/// Gives each group functions of its own: those of its stages, and those that
/// they call.
class FunctionsOfGroups {
 public:
  FunctionsOfGroups(ModuleOp module, StagesOp stages)
      : stages_(stages), symbols_(module) {
    for (auto function : llvm::to_vector(module.getOps<FuncOp>()))
      if (stageOf(function)) {
        Name group = groupOf(stages_, function);
        groupOf_[function] = group;
        reach(function, group);
      }
  }

  /// The group of each function that lies on one.
  const llvm::DenseMap<Operation*, Name>& groups() const { return groupOf_; }

 private:
  /// Makes what `function`, which lies on `group`, calls lie there too.
  void reach(FuncOp function, Name group) {
    function.walk([&](CallOpInterface call) {
      auto callee = nn::calleeOf(call, symbols_);
      if (!callee || stageOf(callee)) return;
      FuncOp own = onGroup(callee, group);
      if (own != callee)
        call.setCalleeFromCallable(mlir::FlatSymbolRefAttr::get(own));
    });
  }

  /// `function` as it lies on `group`.
  FuncOp onGroup(FuncOp function, Name group) {
    auto known = versions_.find({function, group});
    if (known != versions_.end()) return known->second;
    FuncOp own = function;
    if (groupOf_.contains(function)) {  // another group came first
      own = function.clone();
      own.setName((function.getName() + "." + group.getValue()).str());
      symbols_.insert(own, std::next(function->getIterator()));
    }
    groupOf_[own] = group;
    versions_[{function, group}] = own;
    reach(own, group);
    return own;
  }

  StagesOp stages_;
  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, Name> groupOf_;
  llvm::DenseMap<std::pair<Operation*, Attribute>, FuncOp> versions_;
};

/// Finds where the ops lie that stand between the calls of stages.
class Finder {
 public:
  Finder(ModuleOp module, StagesOp stages, ProgramMeshes& meshes,
         const llvm::DenseMap<Operation*, Name>& groups)
      : module_(module),
        symbols_(module),
        meshes_(meshes),
        groups_(groups),
        machine_(meshes.home()) {
    for (auto function : module.getOps<FuncOp>())
      if (!groups.contains(function) && function.getBody().hasOneBlock())
        between_.push_back(function);
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
    takePins();
    while (findMore()) {
    }
    for (FuncOp function : between_) {
      for (BlockArgument argument : function.getArguments())
        meshes_.put(argument, orMachine(of(argument)));
      for (Operation& op : function.getBody().front())
        if (!isCall(op)) meshes_.put(&op, orMachine(nameOf(&op)));
    }
    for (auto parameter : module_.getOps<nn::ParameterOp>())
      meshes_.put(parameter, orMachine(parameters_.lookup(parameter)));
  }

 private:
  static bool isCall(Operation& op) { return llvm::isa<CallOpInterface>(op); }
  Name orMachine(Name name) const { return name ? name : machine_; }
  bool isGroup(Name name) const { return name && name != machine_; }

  Name of(Value value) const { return values_.lookup(value); }
  /// Where `op` lies; null while that is not known.
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

  /// A pin on a mesh that is not the program's is an error elsewhere.
  void takePins() {
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

  /// Whether something was found by what is known so far.
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
    // An update of a parameter is made where that lies.
    if (nn::gradientOf(&op)) return put(&op, of(op.getOperand(0)));
    Value last = lastOnGroup(op, /*isNumber=*/false);
    if (!last) last = lastOnGroup(op, /*isNumber=*/true);
    return last && put(&op, of(last));
  }

  /// The last made of the operands of `op` that lie on groups, among its
  /// numbers (tensors of one element) or its other tensors; null if there is
  /// none.
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

  /// Whether `a` is made before `b`, both of one body.
  static bool isMadeBefore(Value a, Value b) {
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    return second && (!first || first->isBeforeInBlock(second));
  }

  /// What a call returns lies as it was returned, and so does what is carried
  /// to the next.
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

  /// Where all that takes `values` lies; the machine, if it lies on several
  /// groups; null while not all of it is known.
  Name usersOf(ValueRange values) const {
    llvm::SmallSetVector<Attribute, 4> names;
    for (Value value : values)
      for (mlir::OpOperand& use : value.getUses())
        if (!addUser(use, names)) return {};
    if (names.empty()) return {};
    return names.size() == 1 ? llvm::cast<Name>(names.front()) : machine_;
  }

  /// Adds where `use` wants its tensor; false if that is not known.
  bool addUser(mlir::OpOperand& use,
               llvm::SmallSetVector<Attribute, 4>& names) const {
    Operation* user = use.getOwner();
    if (llvm::isa<ReturnOp, nn::SetOp>(user)) return true;
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

  /// Whether `use` is that of a parameter by the step that changes it: that
  /// goes with the parameter, and not the other way round.
  static bool isUpdateOf(mlir::OpOperand& use) {
    return nn::gradientOf(use.getOwner()) && use.getOperandNumber() == 0;
  }

  /// Whether `function` is of a stage, on another group than sbp.stages says.
  static bool isAway(FuncOp function) {
    return function->hasAttr(kGroupAttrName);
  }

  /// Whether `use` is by stages that are away, and by nothing else.
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

  /// Returns where the first value of `parameter`, which nothing reads, is
  /// made; null while that is not known.
  Name writersOf(nn::ParameterOp parameter) const {
    auto writes = writes_.find(parameter);
    return writes == writes_.end()
               ? machine_
               : of(nn::SetOp(writes->second.front()).getValue());
  }

  /// Where those read `parameter` that do, and are not away; of several groups,
  /// the one of the first stage. Null while not all are known.
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
  llvm::DenseMap<Attribute, int64_t> order_;  // of groups, by first stage
  std::vector<FuncOp> between_;               // functions that lie on no group
  llvm::DenseMap<Value, Name> values_;
  llvm::DenseMap<Operation*, Name> ops_;
  llvm::DenseMap<Operation*, Name> parameters_;
  // Of parameters:
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
  for (auto [function, group] : functions.groups()) meshes.put(function, group);
  Finder(module, stages, meshes, functions.groups()).run();
  return meshes;
}

}  // namespace sbp
