#include "passes/placement/GroupProgram.h"

#include <memory>

#include "dialects/nn/Calls.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

using mlir::BlockArgument;
using mlir::CallOpInterface;
using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Writes the program of one group.
class GroupProgram::Writer {
 public:
  Writer(GroupProgram& program, ModuleOp whole, const ProgramMeshes& meshes,
         ProgramMeshes::Name group)
      : program_(program),
        whole_(whole),
        symbols_(whole),
        meshes_(meshes),
        group_(group),
        builder_(OpBuilder::atBlockBegin(program.own_->getBody())) {
    whole.walk([&](nn::RepeatOp repeat) {
      numCarried_[nn::calleeOf(repeat, symbols_)] = nn::numCarried(repeat);
    });
  }

  void write() {
    Operation* mesh = symbols_.lookup(group_.getValue());
    MachineOp machine = lookupMachine(whole_, group_);
    builder_.clone(*machine);
    if (mesh != machine) builder_.clone(*mesh);
    for (auto parameter : whole_.getOps<nn::ParameterOp>())
      if (meshes_.of(parameter) == group_) builder_.clone(*parameter);
    for (auto function : whole_.getOps<FuncOp>()) write(function);
  }

 private:
  /// The part of a function that lies on the group.
  struct FunctionOnGroup {
    FuncOp function;  // null if no part of the function lies on the group
    /// Indices, in the whole function, of the arguments and results on the
    /// group.
    SmallVector<int64_t> arguments, results;
  };

  const FunctionOnGroup& write(FuncOp whole) {
    std::unique_ptr<FunctionOnGroup>& part = parts_[whole];
    if (part) return *part;
    part = std::make_unique<FunctionOnGroup>();
    // Recursive calls may rehash parts_ and so move `part`.
    FunctionOnGroup& written = *part;
    if (!isBetweenStages(whole))
      copy(whole, written);
    else
      writePart(whole, written);
    return written;
  }

  bool isBetweenStages(FuncOp function) const {
    return meshes_.of(function) == meshes_.defaultMesh();
  }

  /// Copies a function of a stage if the group runs it.
  void copy(FuncOp whole, FunctionOnGroup& part) {
    if (meshes_.of(whole) != group_) return;
    part.function = llvm::cast<FuncOp>(builder_.clone(*whole));
    mlir::Block& from = whole.getBody().front();
    mlir::Block& to = part.function.getBody().front();
    for (auto [argument, own] :
         llvm::zip(from.getArguments(), to.getArguments()))
      program_.arguments_[argument] = own;
    for (auto [op, own] : llvm::zip(from, to)) program_.ops_[&op] = &own;
    for (auto [returned, own] : llvm::zip(from.getTerminator()->getOpOperands(),
                                          to.getTerminator()->getOpOperands()))
      program_.returned_.push_back({&returned, &own});
  }

  void writePart(FuncOp whole, FunctionOnGroup& part) {
    mlir::Block& body = whole.getBody().front();
    for (Operation& op : body)
      if (auto call = llvm::dyn_cast<CallOpInterface>(op))
        write(nn::calleeOf(call, symbols_));

    FuncOp function = whole.cloneWithoutRegions();
    builder_.insert(function);
    auto* block = new mlir::Block();
    function.getBody().push_back(block);
    values_.clear();
    for (BlockArgument argument : body.getArguments()) {
      if (meshes_.of(argument) != group_) continue;
      part.arguments.push_back(argument.getArgNumber());
      values_[argument] =
          block->addArgument(argument.getType(), argument.getLoc());
    }
    {
      OpBuilder::InsertionGuard guard(builder_);
      builder_.setInsertionPointToEnd(block);
      for (Value argument : body.getArguments()) departIfTaken(argument);
      for (Operation& op : body.without_terminator()) {
        writeOp(op);
        for (Value result : op.getResults()) departIfTaken(result);
      }
      writeReturn(whole, part);
    }
    // The group has nothing to do in this function.
    if (llvm::hasSingleElement(*block)) return function.erase();

    function.setType(
        mlir::FunctionType::get(whole.getContext(), block->getArgumentTypes(),
                                block->getTerminator()->getOperandTypes()));
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
    for (auto [own, number] : llvm::enumerate(part.arguments)) {
      function.setArgAttrs(own, whole.getArgAttrDict(number));
      program_.arguments_[body.getArgument(number)] = block->getArgument(own);
    }
    for (auto [own, number] : llvm::enumerate(part.results))
      function.setResultAttrs(own, whole.getResultAttrDict(number));
    part.function = function;
  }

  void writeOp(Operation& op) {
    if (auto call = llvm::dyn_cast<CallOpInterface>(op)) return writeCall(call);
    if (meshes_.of(&op) != group_) return;
    mlir::IRMapping operands;
    for (Value operand : op.getOperands()) operands.map(operand, own(operand));
    Operation* copied = builder_.clone(op, operands);
    for (auto [result, here] : llvm::zip(op.getResults(), copied->getResults()))
      values_[result] = here;
    program_.ops_[&op] = copied;
  }

  void writeCall(CallOpInterface call) {
    auto callee = nn::calleeOf(call, symbols_);
    const FunctionOnGroup& part = *parts_.at(callee);
    FuncOp function = part.function;
    if (!function) return;
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(call->getOperands()))
      if (!isBetweenStages(callee) ||
          llvm::is_contained(part.arguments, static_cast<int64_t>(number)))
        operands.push_back(own(operand));
    Operation* copied;
    if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(*call))
      copied = nn::RepeatOp::create(
          builder_, call.getLoc(), function.getResultTypes(),
          repeat.getTimesAttr(), repeat.getOnlyAttr(),
          mlir::FlatSymbolRefAttr::get(function), operands);
    else
      copied = CallOp::create(builder_, call.getLoc(), function, operands);
    copied->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    for (auto [index, result] : llvm::enumerate(copied->getResults()))
      values_[call->getResult(isBetweenStages(callee) ? part.results[index]
                                                      : index)] = result;
  }

  void writeReturn(FuncOp whole, FunctionOnGroup& part) {
    Operation* end = whole.getBody().front().getTerminator();
    auto carried = whole.getArguments().take_back(numCarried_.lookup(whole));
    SmallVector<Value> values;
    for (auto [index, returned] : llvm::enumerate(end->getOperands())) {
      auto mesh = index < carried.size() ? meshes_.of(carried[index])
                                         : meshOf(returned);
      if (mesh != group_) continue;
      part.results.push_back(index);
      values.push_back(own(returned));
    }
    auto own = ReturnOp::create(builder_, end->getLoc(), values);
    for (auto [number, operand] : llvm::zip(part.results, own->getOpOperands()))
      program_.returned_.push_back({&end->getOpOperand(number), &operand});
  }

  /// Returns the value that stands for `value` in the group's program. A value
  /// from another group becomes an sbp.arrive.
  Value own(Value value) {
    Value& known = values_[value];
    if (!known)
      known = ArriveOp::create(builder_, value.getLoc(), value.getType());
    return known;
  }

  /// Adds an sbp.depart of `value` if it is made on the group and used on
  /// another.
  void departIfTaken(Value value) {
    auto known = values_.find(value);
    if (known == values_.end() || meshOf(value) != group_) return;
    if (llvm::any_of(value.getUses(), [&](mlir::OpOperand& use) {
          return !llvm::isa<ReturnOp>(use.getOwner()) && meshOf(use) != group_;
        }))
      DepartOp::create(builder_, value.getLoc(), known->second);
  }

  /// Returns the mesh on which `value` lies.
  ProgramMeshes::Name meshOf(Value value) const {
    if (auto argument = llvm::dyn_cast<BlockArgument>(value))
      return meshes_.of(argument);
    auto call = value.getDefiningOp<CallOpInterface>();
    if (!call) return meshes_.of(value.getDefiningOp());
    auto callee = nn::calleeOf(call, symbols_);
    if (!isBetweenStages(callee)) return meshes_.of(callee);
    auto index = llvm::cast<mlir::OpResult>(value).getResultNumber();
    auto numCarried = nn::numCarried(call);
    return index < numCarried
               ? meshes_.of(callee.getArguments().take_back(numCarried)[index])
               : meshOf(callee.getBody().front().getTerminator()->getOperand(
                     index));
  }

  /// Returns the mesh on which `use` needs its tensor.
  ProgramMeshes::Name meshOf(mlir::OpOperand& use) const {
    auto call = llvm::dyn_cast<CallOpInterface>(use.getOwner());
    if (!call) return meshes_.of(use.getOwner());
    auto callee = nn::calleeOf(call, symbols_);
    return meshes_.of(callee.getArgument(use.getOperandNumber()));
  }

  GroupProgram& program_;
  ModuleOp whole_;
  mlir::SymbolTable symbols_;
  const ProgramMeshes& meshes_;
  ProgramMeshes::Name group_;
  OpBuilder builder_;
  llvm::DenseMap<Operation*, std::unique_ptr<FunctionOnGroup>> parts_;
  llvm::DenseMap<Operation*, int64_t> numCarried_;  // by repeated function
  llvm::DenseMap<Value, Value> values_;  // in the function being written
};

GroupProgram::GroupProgram(ModuleOp module, const ProgramMeshes& meshes,
                           ProgramMeshes::Name group)
    : own_(ModuleOp::create(module.getLoc())) {
  Writer(*this, module, meshes, group).write();
}

void GroupProgram::addTo(Plan& whole, const Plan& plan) const {
  for (const auto& [name, placement] : plan.parameters)
    whole.parameters[name] = placement;
  for (auto [argument, own] : arguments_)
    if (auto known = plan.arguments.find(own); known != plan.arguments.end())
      whole.arguments[argument] = known->second;
  for (auto [op, own] : ops_)
    if (auto known = plan.ops.find(own); known != plan.ops.end())
      whole.ops[op] = known->second;
  for (auto [returned, own] : returned_)
    if (auto known = plan.returned.find(own); known != plan.returned.end())
      whole.returned[returned] = known->second;
}

}  // namespace sbp
