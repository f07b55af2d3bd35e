#include "passes/localize/VerifyLocalPlacements.h"

#include <map>
#include <string>

#include "dialects/nn/Calls.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/localize/ResultComponents.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;

using MeshName = mlir::FlatSymbolRefAttr;

/// Returns the placement of a tensor about which nothing is known.
InferredPlacement unknown() { return InferredPlacement(); }

/// Propagates placements through the functions of one program.
class ProgramVerifier {
 public:
  explicit ProgramVerifier(rank::ProgramOp program)
      : program_(program), symbols_(program) {}

  LogicalResult run() {
    for (auto entry : program_.getBody().getOps<FuncOp>()) {
      if (!entry.isPublic()) continue;
      SmallVector<InferredPlacement> arguments;
      for (unsigned i = 0; i < entry.getNumArguments(); ++i)
        arguments.push_back(
            placementOf(entry.getArgAttr(i, rank::kWholeAttrName)));
      if (failed(call(entry, arguments))) return failure();
    }
    return success();
  }

 private:
  using Values = llvm::DenseMap<Value, InferredPlacement>;

  /// Returns the placement of a local part of a tensor of the whole type
  /// `type`; unknown() if `type` has no placement.
  InferredPlacement placementOf(Type type) {
    NdSbpAttr placement = type ? NdSbpAttr::of(type) : NdSbpAttr();
    const Mesh* mesh = placement ? meshNamed(placement.getMesh()) : nullptr;
    if (!mesh || mesh->axes.size() != placement.getComponents().size())
      return unknown();
    InferredPlacement inferred{placement.getMesh(), {}};
    for (auto [axis, component] :
         llvm::zip(mesh->axes, placement.getComponents()))
      inferred.axes.push_back(axis.size > 1 ? ComponentSet::of(component)
                                            : copies());
    return inferred;
  }

  InferredPlacement placementOf(Attribute whole) {
    auto type = llvm::dyn_cast_if_present<mlir::TypeAttr>(whole);
    return placementOf(type ? type.getValue() : Type());
  }

  /// Returns the mesh `name`; null if the module has no such mesh. Other checks
  /// report a missing mesh.
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

  /// Returns the placements of the results of `function` if its arguments lie
  /// as `arguments`.
  FailureOr<SmallVector<InferredPlacement>> call(
      FuncOp function, ArrayRef<InferredPlacement> arguments) {
    if (!function.getBody().hasOneBlock())
      return SmallVector<InferredPlacement>(function.getNumResults(),
                                            unknown());
    std::vector<Known>& known = known_[function];
    for (const Known& before : known)
      if (before.times == times_ &&
          ArrayRef<InferredPlacement>(before.arguments) == arguments)
        return before.results;
    Values values;
    for (auto [argument, inferred] :
         llvm::zip(function.getArguments(), arguments))
      values[argument] = inferred;
    for (Operation& op : function.getBody().front().without_terminator())
      if (failed(visit(&op, values))) return failure();
    Operation* end = function.getBody().front().getTerminator();
    SmallVector<InferredPlacement> results;
    for (auto [index, value] : llvm::enumerate(end->getOperands())) {
      results.push_back(values[value]);
      Attribute whole = function.getResultAttr(index, rank::kWholeAttrName);
      if (whole && failed(verifyIs(end, results.back(), placementOf(whole),
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
      values[get] = placementOf(wholeOf(get.getName()));
      return success();
    }
    if (auto set = llvm::dyn_cast<nn::SetOp>(op))
      return verifyIs(set, values[set.getValue()],
                      placementOf(wholeOf(set.getName())),
                      "sets @" + set.getName() + " to");
    if (auto send = llvm::dyn_cast<rank::SendOp>(op))
      return verifyIs(send, values[send.getInput()],
                      placementOf(rank::transferOf(send).getSource()), "sends");
    if (auto receive = llvm::dyn_cast<rank::ReceiveOp>(op)) {
      values[receive] = placementOf(rank::transferOf(receive).getTarget());
      return success();
    }
    if (auto fused = llvm::dyn_cast<rank::FusedOp>(op))
      return visitFused(fused, values);
    if (rank::isMovement(op)) return visitStep(op, values);
    return visitCompute(op, values);
  }

  Attribute wholeOf(StringRef parameter) {
    Operation* op = symbols_.lookup(parameter);
    return op ? op->getAttr(rank::kWholeAttrName) : Attribute();
  }

  /// Visits a call. Carried values start as zeros, which may be parts, copies
  /// or terms, and afterwards have the placement of the callee's results.
  LogicalResult visitCall(mlir::CallOpInterface op, Values& values) {
    FuncOp callee = nn::calleeOf(op, symbols_);
    SmallVector<InferredPlacement> arguments;
    for (Value operand : op->getOperands())
      arguments.push_back(values[operand]);
    for (Value carried : op->getResults().take_front(nn::numCarried(op)))
      arguments.push_back(zeros(carried.getType()));
    const int64_t times = times_;
    if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(*op))
      times_ = static_cast<int64_t>(repeat.getTimes());
    FailureOr<SmallVector<InferredPlacement>> results = call(callee, arguments);
    times_ = times;
    if (failed(results)) return failure();
    for (auto [result, inferred] : llvm::zip(op->getResults(), *results))
      values[result] = inferred;
    return success();
  }

  /// Visits the ops of the body one by one.
  LogicalResult visitFused(rank::FusedOp op, Values& values) {
    mlir::Block& body = op.getBody().front();
    for (auto [argument, operand] :
         llvm::zip(body.getArguments(), op.getOperands()))
      values[argument] = InferredPlacement(values[operand]);
    for (Operation& inside : body.without_terminator())
      if (failed(visitCompute(&inside, values))) return failure();
    for (auto [result, yielded] :
         llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
      values[result] = InferredPlacement(values[yielded]);
    return success();
  }

  static InferredPlacement zeros(Type type) {
    ComponentSet choice = copies();
    for (Reduction reduction : {Reduction::Sum, Reduction::Max, Reduction::Min})
      choice = choice.with(Component::partial(reduction));
    for (int64_t dim = 0; dim < llvm::cast<RankedTensorType>(type).getRank();
         ++dim)
      choice = choice.with(Component::split(dim));
    return {MeshName(), {choice}};
  }

  /// Visits an op of the rank dialect that names mesh axes.
  LogicalResult visitStep(Operation* op, Values& values) {
    MeshName name = rank::meshNameOf(op);
    const Mesh* mesh = name ? meshNamed(name) : nullptr;
    InferredPlacement result = unknown();
    auto axes = op->getAttrOfType<mlir::ArrayAttr>("axes");
    if (mesh && axes) {
      InferredPlacement operand =
          op->getNumOperands() > 0 ? values[op->getOperand(0)]
                                   : InferredPlacement{MeshName(), {copies()}};
      if (operand.mesh && operand.mesh != name) operand = unknown();
      result = {name, {}};
      for (auto [number, axis] : llvm::enumerate(mesh->axes)) {
        ComponentSet choice = operand.on(number);
        if (llvm::is_contained(axes.getAsValueRange<mlir::StringAttr>(),
                               axis.name)) {
          FailureOr<ComponentSet> after =
              componentsAfter(op, axis.name, choice);
          if (failed(after)) return failure();
          choice = *after;
        }
        result.axes.push_back(axis.size > 1 ? choice : copies());
      }
    }
    for (Value made : op->getResults()) values[made] = result;
    return success();
  }

  static ComponentSet copies() {
    return ComponentSet::of(Component::broadcast());
  }

  LogicalResult visitCompute(Operation* op, Values& values) {
    SmallVector<InferredPlacement> operands;
    for (Value operand : op->getOperands()) operands.push_back(values[operand]);
    MeshName name;
    bool areOfOneMesh = true;
    for (const InferredPlacement& operand : operands) {
      if (!operand.mesh) continue;
      areOfOneMesh &= !name || name == operand.mesh;
      name = operand.mesh;
    }
    const Mesh* mesh = name ? meshNamed(name) : nullptr;
    SmallVector<InferredPlacement> results(op->getNumResults(), unknown());
    if (areOfOneMesh && (mesh || !name)) {
      for (InferredPlacement& result : results) result = {name, {}};
      const size_t numAxes = mesh ? mesh->axes.size() : 1;
      for (size_t axis = 0; axis < numAxes; ++axis) {
        const bool isTold = !mesh || mesh->axes[axis].size > 1;
        FailureOr<SmallVector<ComponentSet>> choices =
            isTold ? componentsOfResults(
                         op, axis, mesh ? mesh->axes[axis].name : "", operands)
                   : SmallVector<ComponentSet>(op->getNumResults(), copies());
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

  /// Whether all ranks of `mesh` run this program and therefore have parts of
  /// equal size.
  bool isEven(const Mesh& mesh) {
    for (int64_t place = 0; place < mesh.numRanks(); ++place)
      if (!llvm::is_contained(program_.getRanks(), mesh.rankAt(place)))
        return false;
    return true;
  }

  /// Fails with a diagnostic at `op` if `op` uses a tensor that lies as
  /// `inferred` but must lie as `wanted`. `verb` says in the diagnostic what
  /// `op` does with the tensor.
  LogicalResult verifyIs(Operation* op, const InferredPlacement& inferred,
                         const InferredPlacement& wanted,
                         const llvm::Twine& verb) {
    if (!wanted.mesh || (inferred.mesh && inferred.mesh != wanted.mesh))
      return success();
    const Mesh* mesh = meshNamed(wanted.mesh);
    for (auto [number, axis] : llvm::enumerate(mesh->axes)) {
      const Component component = *wanted.axes[number].only();
      if (axis.size == 1 || inferred.on(number).allows(component)) continue;
      return op->emitOpError()
             << verb << " a tensor that is " << inferred.on(number).str()
             << " on mesh axis '" << axis.name << "', but declared as "
             << component.str();
    }
    return success();
  }

  /// Results of a function that are known for one number of repetitions and one
  /// list of arguments.
  struct Known {
    int64_t times;
    SmallVector<InferredPlacement> arguments, results;
  };

  rank::ProgramOp program_;
  mlir::SymbolTable symbols_;
  /// Number of micro-batches for which the current function is repeated.
  int64_t times_ = 1;
  llvm::DenseMap<Attribute, std::optional<Mesh>> meshes_;
  llvm::DenseMap<Operation*, std::vector<Known>> known_;
};

}  // namespace

LogicalResult verifyLocalPlacements(ModuleOp module) {
  for (auto program : module.getOps<rank::ProgramOp>())
    if (failed(ProgramVerifier(program).run())) return failure();
  return success();
}

}  // namespace sbp
