#include "passes/placement/AlikePrograms.h"

#include <utility>

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/stages/InFlight.h"

namespace sbp {

namespace {

/// Compares two programs from their first op to their last.
class Comparer {
 public:
  explicit Comparer(AlikePrograms& alike) : alike_(alike) {
    renaming_.addReplacement([&](mlir::FlatSymbolRefAttr name) -> Attribute {
      mlir::StringAttr other = alike_.names.lookup(name.getAttr());
      return other ? mlir::FlatSymbolRefAttr::get(other) : name;
    });
  }

  bool areAlike(ModuleOp a, ModuleOp b) {
    const SmallVector<Operation*> opsOfA = comparedOps(a);
    const SmallVector<Operation*> opsOfB = comparedOps(b);
    if (opsOfA.size() != opsOfB.size()) return false;
    for (auto [one, other] : llvm::zip(opsOfA, opsOfB))
      if (auto name = mlir::SymbolTable::getSymbolName(one))
        alike_.names[name] = mlir::SymbolTable::getSymbolName(other);
    return llvm::all_of(llvm::zip(opsOfA, opsOfB), [&](const auto& pair) {
      return compare(std::get<0>(pair), std::get<1>(pair));
    });
  }

 private:
  static SmallVector<Operation*> comparedOps(ModuleOp module) {
    SmallVector<Operation*> ops;
    for (Operation& op : *module.getBody())
      if (!llvm::isa<MachineOp, MeshOp>(op)) ops.push_back(&op);
    return ops;
  }

  /// Returns the attributes of `op` that are compared.
  static mlir::DictionaryAttr attributesOf(Operation* op) {
    mlir::NamedAttrList attributes(op->getAttrDictionary());
    for (StringRef name :
         {mlir::SymbolTable::getSymbolAttrName(), StringRef(kStageAttrName),
          StringRef(kInFlightAttrName)})
      attributes.erase(name);
    return attributes.getDictionary(op->getContext());
  }

  bool areAlike(Type a, Type b) { return renaming_.replace(a) == b; }

  /// Whether the stages of `a` and `b` correspond: stages of the first program
  /// have equal numbers where those of the second do.
  bool compareStages(Operation* a, Operation* b) {
    const auto one = a->getAttrOfType<mlir::IntegerAttr>(kStageAttrName);
    const auto other = b->getAttrOfType<mlir::IntegerAttr>(kStageAttrName);
    if (!one || !other) return !one && !other;
    return stages_.try_emplace(one, other).first->second == other &&
           stagesBack_.try_emplace(other, one).first->second == one;
  }

  bool compare(Operation* a, Operation* b) {
    if (a->getName() != b->getName() ||
        a->getNumOperands() != b->getNumOperands() ||
        a->getNumResults() != b->getNumResults() ||
        a->getNumRegions() != b->getNumRegions() || !compareStages(a, b) ||
        renaming_.replace(attributesOf(a)) != attributesOf(b))
      return false;
    for (auto [one, other] : llvm::zip(a->getOperands(), b->getOperands()))
      if (alike_.copy.lookupOrNull(one) != other) return false;
    alike_.copy.map(a, b);
    for (auto [one, other] : llvm::zip(a->getResults(), b->getResults()))
      if (!compare(one, other)) return false;
    return llvm::all_of(
        llvm::zip(a->getRegions(), b->getRegions()), [&](const auto& regions) {
          return compare(std::get<0>(regions), std::get<1>(regions));
        });
  }

  bool compare(Value a, Value b) {
    alike_.copy.map(a, b);
    return areAlike(a.getType(), b.getType());
  }

  bool compare(mlir::Region& a, mlir::Region& b) {
    if (!llvm::hasSingleElement(a) || !llvm::hasSingleElement(b))
      return a.empty() && b.empty();
    mlir::Block &blockOfA = a.front(), &blockOfB = b.front();
    if (blockOfA.getNumArguments() != blockOfB.getNumArguments() ||
        blockOfA.getOperations().size() != blockOfB.getOperations().size())
      return false;
    for (auto [one, other] :
         llvm::zip(blockOfA.getArguments(), blockOfB.getArguments()))
      if (!compare(one, other)) return false;
    return llvm::all_of(llvm::zip(blockOfA, blockOfB), [&](const auto& ops) {
      return compare(&std::get<0>(ops), &std::get<1>(ops));
    });
  }

  AlikePrograms& alike_;
  mlir::AttrTypeReplacer renaming_;
  llvm::DenseMap<Attribute, Attribute> stages_, stagesBack_;
};

}  // namespace

Plan AlikePrograms::planOfSecond(const Plan& plan) const {
  Plan result = planOfCopy(plan, copy);
  result.parameters.clear();
  for (const auto& [name, placement] : plan.parameters)
    result.parameters[names.lookup(name)] = placement;
  return result;
}

std::optional<AlikePrograms> compareProgramsOf(ModuleOp a, ModuleOp b) {
  AlikePrograms alike;
  if (!Comparer(alike).areAlike(a, b)) return std::nullopt;
  return alike;
}

}  // namespace sbp
