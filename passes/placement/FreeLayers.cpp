#include "passes/placement/FreeLayers.h"

#include <algorithm>
#include <map>

#include "dialects/nn/Calls.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

mlir::Block& bodyOf(FuncOp function) { return function.getBody().front(); }

std::string nameOfCall(StringRef layer, int64_t number) {
  return (layer + ".call" + llvm::Twine(number)).str();
}

bool areAlike(FuncOp a, FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         a.getResAttrsAttr() == b.getResAttrsAttr() &&
         mlir::OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(),
             mlir::OperationEquivalence::IgnoreLocations);
}

}  // namespace

// ---- Before placement -------------------------------------------------------

class FreeLayers::Copier {
 public:
  explicit Copier(ModuleOp module) : symbols_(module) {}

  /// Returns the number of copies that the calls in `caller` need, including
  /// calls inside the copies.
  double numCopies(FuncOp caller) {
    auto [known, isNew] = numCopies_.try_emplace(caller, 0);
    if (!isNew) return isTied(caller) ? 0 : known->second;
    double copies = 0;
    for (auto call : bodyOf(caller).getOps<mlir::CallOpInterface>()) {
      FuncOp callee = calleeOf(call);
      if (callee.isPrivate())
        copies += (isCopied(call) ? 1 : 0) + numCopies(callee);
    }
    return numCopies_[caller] = copies;
  }

  /// Copies the functions that `caller` calls. If `caller` is the backward half
  /// of a layer, `forward` is its forward half; otherwise null.
  void copyCallees(FuncOp caller, FuncOp forward);

  std::vector<Layer> takeLayers() {
    std::vector<Layer> layers;
    for (FuncOp original : calleesFirst_)
      layers.push_back(std::move(layers_[original]));
    return layers;
  }

 private:
  static bool isTied(FuncOp function) {
    return function->hasAttr(kTiedAttrName);
  }
  /// Whether the callee of `call` is copied for this call. A repeated function
  /// is not copied, but the functions that it calls are.
  bool isCopied(mlir::CallOpInterface call) const {
    return llvm::isa<CallOp>(*call) && !isTied(calleeOf(call));
  }
  FuncOp calleeOf(mlir::CallOpInterface call) const {
    return nn::calleeOf(call, symbols_);
  }

  /// The function that a forward call calls after copying, and the number of
  /// the call.
  struct Half {
    FuncOp function;
    int64_t number = 0;
  };

  FuncOp copyFor(CallOp call, FuncOp original, const Half* forward);

  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, double> numCopies_;
  llvm::DenseMap<Operation*, Layer> layers_;
  llvm::SetVector<FuncOp> calleesFirst_;
  llvm::DenseSet<Operation*> visited_;  // functions that are not copied
  /// Forward halves, by the function that contains the call and by the nn.id of
  /// the call.
  std::map<std::pair<Operation*, int64_t>, Half> halves_;
};

FuncOp FreeLayers::Copier::copyFor(CallOp call, FuncOp original,
                                   const Half* forward) {
  Layer& layer = layers_[original];
  layer.original = original;
  layer.name = original.getName().str();
  int64_t number =
      forward ? forward->number : static_cast<int64_t>(layer.copies.size());
  FuncOp copy = original.clone();
  copy.setName(nameOfCall(layer.name, number));
  symbols_.insert(copy, original->getIterator());
  call.setCallee(copy.getName());
  layer.copies.push_back({call, copy, number});
  return copy;
}

void FreeLayers::Copier::copyCallees(FuncOp caller, FuncOp forward) {
  for (auto call : bodyOf(caller).getOps<mlir::CallOpInterface>()) {
    FuncOp original = calleeOf(call);
    if (!original.isPrivate()) continue;
    // Calls of a backward function, and those that compute values again, belong
    // to the forward call with their number.
    const auto id = call->getAttrOfType<mlir::IntegerAttr>(nn::kIdAttrName);
    const Half* half = nullptr;
    if (auto target = id ? id
                         : call->getAttrOfType<mlir::IntegerAttr>(
                               nn::kAdjointOfAttrName)) {
      auto known = halves_.find({forward ? forward : caller, target.getInt()});
      if (known != halves_.end()) half = &known->second;
    }
    bool copies = isCopied(call);
    FuncOp callee =
        copies ? copyFor(llvm::cast<CallOp>(*call), original, half) : original;
    if (id && !half) {
      int64_t number = copies ? layers_[original].copies.back().number : 0;
      halves_[{caller, id.getInt()}] = {callee, number};
    }
    if (!copies && !visited_.insert(callee).second) continue;
    copyCallees(callee, half && !id ? half->function : FuncOp());
    if (copies) calleesFirst_.insert(original);
  }
}

FailureOr<FreeLayers> FreeLayers::copyPerCall(ModuleOp module) {
  SmallVector<FuncOp> entries;
  for (auto function : module.getOps<FuncOp>())
    if (function.isPublic()) entries.push_back(function);
  Copier copier(module);
  double numCopies = 0;
  for (FuncOp entry : entries) numCopies += copier.numCopies(entry);
  if (numCopies > kMaxCopies)
    return module.emitError()
           << "free layers are placed once per call, but there are "
           << static_cast<int64_t>(std::min(numCopies, 1e15))
           << " calls; at most " << kMaxCopies
           << " calls can be placed separately";
  for (FuncOp entry : entries) copier.copyCallees(entry, /*forward=*/nullptr);
  FreeLayers layers;
  layers.layers_ = copier.takeLayers();
  return layers;
}

void FreeLayers::addCopies(Plan& plan) const {
  auto add = [](auto& map, auto from, auto to) {
    auto known = map.find(from);
    if (known == map.end()) return;
    auto value = known->second;
    map[to] = std::move(value);
  };
  for (const Layer& layer : layers_) {
    mlir::Block& original = bodyOf(layer.original);
    for (const Copy& each : layer.copies) {
      mlir::Block& copy = bodyOf(each.function);
      for (auto [from, to] :
           llvm::zip(original.getArguments(), copy.getArguments()))
        add(plan.arguments, Value(from), Value(to));
      for (auto [from, to] : llvm::zip(original, copy))
        add(plan.ops, &from, &to);
      for (auto [from, to] :
           llvm::zip(original.getTerminator()->getOpOperands(),
                     copy.getTerminator()->getOpOperands()))
        add(plan.returned, &from, &to);
    }
  }
}

// ---- After placement --------------------------------------------------------

void FreeLayers::mergeEqualCopies() {
  for (Layer& layer : layers_) {
    // Groups of copies that are alike.
    std::vector<std::vector<Copy*>> groups;
    for (Copy& copy : layer.copies) {
      auto group = llvm::find_if(groups, [&](const std::vector<Copy*>& known) {
        return areAlike(known.front()->function, copy.function);
      });
      if (group == groups.end()) {
        groups.push_back({&copy});
        continue;
      }
      // The first copy of the group calls the same functions as this copy. So
      // these functions still have a caller.
      copy.function.erase();
      group->push_back(&copy);
    }
    for (std::vector<Copy*>& group : groups) {
      FuncOp function = group.front()->function;
      SmallVector<int64_t> calls;
      for (const Copy* copy : group) calls.push_back(copy->number);
      llvm::sort(calls);
      std::string name = layer.name;
      if (groups.size() > 1) {
        name = nameOfCall(layer.name, calls.front());
        mlir::Builder builder(function.getContext());
        function->setAttr(kCallsAttrName, builder.getDenseI64ArrayAttr(calls));
      }
      function.setName(name);
      for (Copy* copy : group) copy->call.setCallee(name);
    }
  }
  layers_.clear();
}

StringRef layerOf(FuncOp function) {
  StringRef name = function.getName();
  auto calls = function->getAttrOfType<mlir::DenseI64ArrayAttr>(kCallsAttrName);
  if (!calls || calls.empty()) return name;
  name.consume_back(nameOfCall("", calls[0]));
  return name;
}

}  // namespace sbp
