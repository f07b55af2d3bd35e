#include "passes/localize/VerifyLying.h"

#include <map>
#include <string>

#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/localize/OpLying.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

using MeshName = mlir::FlatSymbolRefAttr;

/// A tensor of which nothing is told.
Lying unknown() { return Lying(); }

/// Interprets the functions of one program.
class ProgramVerifier {
 public:
  explicit ProgramVerifier(rank::ProgramOp program)
      : program_(program), symbols_(program) {}

  LogicalResult run() {
    for (auto entry : program_.getBody().getOps<FuncOp>()) {
      if (!entry.isPublic()) continue;
      SmallVector<Lying> arguments;
      for (unsigned i = 0; i < entry.getNumArguments(); ++i)
        arguments.push_back(lyingOf(entry.getArgAttr(i, rank::kWholeAttrName)));
      if (failed(call(entry, arguments))) return failure();
    }
    return success();
  }

 private:
  using Values = llvm::DenseMap<Value, Lying>;

  /// Returns how a part of `type`, a whole type, lies; unknown if it is not
  /// placed.
  Lying lyingOf(Type type) {
    NdSbpAttr placement = type ? NdSbpAttr::of(type) : NdSbpAttr();
    const Mesh* mesh = placement ? meshNamed(placement.getMesh()) : nullptr;
    if (!mesh || mesh->axes.size() != placement.getComponents().size())
      return unknown();
    Lying lying{placement.getMesh(), {}};
    for (auto [axis, component] :
         llvm::zip(mesh->axes, placement.getComponents()))
      lying.axes.push_back(axis.size > 1 ? Choice::of(component) : copies());
    return lying;
  }

  Lying lyingOf(Attribute whole) {
    auto type = llvm::dyn_cast_if_present<mlir::TypeAttr>(whole);
    return lyingOf(type ? type.getValue() : Type());
  }

  /// The mesh `name`; null if the module has none, which others say.
  const Mesh* meshNamed(MeshName name) {
    auto [known, isNew] = meshes_.try_emplace(name, std::nullopt);
    if (isNew && llvm::isa_and_present<MachineOp, MeshOp>(
                     mlir::SymbolTable::lookupNearestSymbolFrom(
                         program_->getParentOp(), name))) {
      FailureOr<Mesh> mesh = lookupMesh(program_, name);
      if (succeeded(mesh)) known->second = std::move(*mesh);
    }
    return known->second ? &*known->second : nullptr;
  }

  /// Returns how the results of `function` lie if its arguments lie so.
  FailureOr<SmallVector<Lying>> call(FuncOp function,
                                     ArrayRef<Lying> arguments) {
    if (!function.getBody().hasOneBlock())
      return SmallVector<Lying>(function.getNumResults(), unknown());
    std::vector<Known>& known = known_[function];
    for (const Known& before : known)
      if (before.times == times_ &&
          ArrayRef<Lying>(before.arguments) == arguments)
        return before.results;
    Values values;
    for (auto [argument, lying] : llvm::zip(function.getArguments(), arguments))
      values[argument] = lying;
    for (Operation& op : function.getBody().front().without_terminator())
      if (failed(visit(&op, values))) return failure();
    Operation* end = function.getBody().front().getTerminator();
    SmallVector<Lying> results;
    for (auto [index, value] : llvm::enumerate(end->getOperands())) {
      results.push_back(values[value]);
      Attribute whole = function.getResultAttr(index, rank::kWholeAttrName);
      if (whole && failed(verifyIs(end, results.back(), lyingOf(whole),
                                   "returns as result " + llvm::Twine(index))))
        return failure();
    }
    known_[function].push_back({times_, llvm::to_vector(arguments), results});
    return results;
  }

  LogicalResult visit(Operation* op, Values& values) {
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return visitCall(call, values);
    if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
      values[get] = lyingOf(wholeOf(get.getName()));
      return success();
    }
    if (auto set = llvm::dyn_cast<nn::SetOp>(op))
      return verifyIs(set, values[set.getValue()],
                      lyingOf(wholeOf(set.getName())),
                      "sets @" + set.getName() + " to");
    if (auto send = llvm::dyn_cast<rank::SendOp>(op))
      return verifyIs(send, values[send.getInput()],
                      lyingOf(rank::transferOf(send).getSource()), "sends");
    if (auto receive = llvm::dyn_cast<rank::ReceiveOp>(op)) {
      values[receive] = lyingOf(rank::transferOf(receive).getTarget());
      return success();
    }
    if (llvm::isa<rank::RankDialect>(op->getDialect()))
      return visitStep(op, values);
    return visitCompute(op, values);
  }

  Attribute wholeOf(StringRef parameter) {
    Operation* op = symbols_.lookup(parameter);
    return op ? op->getAttr(rank::kWholeAttrName) : Attribute();
  }

  /// Visits a call. What is carried begins as zeros, which are parts, copies
  /// and terms of zeros, and then is what the function has given.
  LogicalResult visitCall(mlir::CallOpInterface op, Values& values) {
    FuncOp callee = nn::calleeOf(op, symbols_);
    SmallVector<Lying> arguments;
    for (Value operand : op->getOperands())
      arguments.push_back(values[operand]);
    for (Value carried : op->getResults().take_front(nn::numCarried(op)))
      arguments.push_back(zeros(carried.getType()));
    const int64_t times = times_;
    if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(*op))
      times_ = static_cast<int64_t>(repeat.getTimes());
    FailureOr<SmallVector<Lying>> results = call(callee, arguments);
    times_ = times;
    if (failed(results)) return failure();
    for (auto [result, lying] : llvm::zip(op->getResults(), *results))
      values[result] = lying;
    return success();
  }

  static Lying zeros(Type type) {
    Choice choice = copies();
    for (Reduction reduction : {Reduction::Sum, Reduction::Max, Reduction::Min})
      choice = choice.with(Component::partial(reduction));
    for (int64_t dim = 0; dim < llvm::cast<RankedTensorType>(type).getRank();
         ++dim)
      choice = choice.with(Component::split(dim));
    return {MeshName(), {choice}};
  }

  /// Visits an op of the rank dialect that names axes.
  LogicalResult visitStep(Operation* op, Values& values) {
    MeshName name = rank::meshNameOf(op);
    const Mesh* mesh = name ? meshNamed(name) : nullptr;
    Lying result = unknown();
    auto axes = op->getAttrOfType<mlir::ArrayAttr>("axes");
    if (mesh && axes) {
      Lying operand = op->getNumOperands() > 0 ? values[op->getOperand(0)]
                                               : Lying{MeshName(), {copies()}};
      if (operand.mesh && operand.mesh != name) operand = unknown();
      result = {name, {}};
      for (auto [number, axis] : llvm::enumerate(mesh->axes)) {
        Choice choice = operand.on(number);
        if (llvm::is_contained(axes.getAsValueRange<mlir::StringAttr>(),
                               axis.name)) {
          FailureOr<Choice> after = lyingAfter(op, axis.name, choice);
          if (failed(after)) return failure();
          choice = *after;
        }
        result.axes.push_back(axis.size > 1 ? choice : copies());
      }
    }
    for (Value made : op->getResults()) values[made] = result;
    return success();
  }

  static Choice copies() { return Choice::of(Component::broadcast()); }

  LogicalResult visitCompute(Operation* op, Values& values) {
    SmallVector<Lying> operands;
    for (Value operand : op->getOperands()) operands.push_back(values[operand]);
    MeshName name;
    bool areOfOneMesh = true;
    for (const Lying& operand : operands) {
      if (!operand.mesh) continue;
      areOfOneMesh &= !name || name == operand.mesh;
      name = operand.mesh;
    }
    const Mesh* mesh = name ? meshNamed(name) : nullptr;
    SmallVector<Lying> results(op->getNumResults(), unknown());
    if (areOfOneMesh && (mesh || !name)) {
      for (Lying& result : results) result = {name, {}};
      const size_t numAxes = mesh ? mesh->axes.size() : 1;
      for (size_t axis = 0; axis < numAxes; ++axis) {
        const bool isTold = !mesh || mesh->axes[axis].size > 1;
        FailureOr<SmallVector<Choice>> choices =
            isTold ? lyingOfResults(op, axis, mesh ? mesh->axes[axis].name : "",
                                    operands)
                   : SmallVector<Choice>(op->getNumResults(), copies());
        if (failed(choices)) return failure();
        for (auto [result, choice] : llvm::zip(results, *choices))
          result.axes.push_back(choice);
      }
    }
    for (auto [made, result] : llvm::zip(op->getResults(), results))
      values[made] = result;
    mlir::OpOperand* counted = countedOperand(op);
    if (!counted || !mesh || values[counted->get()].mesh != name)
      return success();
    return verifyCount(op, values[counted->get()], *mesh, isEven(*mesh),
                       times_);
  }

  /// Whether all ranks of `mesh` run this program, and so have equal parts.
  bool isEven(const Mesh& mesh) {
    for (int64_t place = 0; place < mesh.numRanks(); ++place)
      if (!llvm::is_contained(program_.getRanks(), mesh.rankAt(place)))
        return false;
    return true;
  }

  /// Fails at `op`, which does `verb` with a tensor that lies as `lying`, if
  /// that cannot be `wanted`.
  LogicalResult verifyIs(Operation* op, const Lying& lying, const Lying& wanted,
                         const llvm::Twine& verb) {
    if (!wanted.mesh || (lying.mesh && lying.mesh != wanted.mesh))
      return success();
    const Mesh* mesh = meshNamed(wanted.mesh);
    for (auto [number, axis] : llvm::enumerate(mesh->axes)) {
      const Component component = *wanted.axes[number].only();
      if (axis.size == 1 || lying.on(number).allows(component)) continue;
      return op->emitOpError()
             << verb << " a tensor that is " << lying.on(number).str()
             << " on mesh axis '" << axis.name << "', where it is said to be "
             << component.str();
    }
    return success();
  }

  /// Results of a function, by how often it is repeated and how its arguments
  /// lie.
  struct Known {
    int64_t times;
    SmallVector<Lying> arguments, results;
  };

  rank::ProgramOp program_;
  mlir::SymbolTable symbols_;
  /// Number of micro-batches that the function being visited is repeated for.
  int64_t times_ = 1;
  llvm::DenseMap<Attribute, std::optional<Mesh>> meshes_;
  llvm::DenseMap<Operation*, std::vector<Known>> known_;
};

}  // namespace

LogicalResult verifyLying(ModuleOp module) {
  for (auto program : module.getOps<rank::ProgramOp>())
    if (failed(ProgramVerifier(program).run())) return failure();
  return success();
}

}  // namespace sbp
