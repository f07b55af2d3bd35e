#include "passes/search/program/Conflict.h"

#include <functional>
#include <map>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/Cost.h"
#include "passes/plan/PinnedSignature.h"
#include "passes/search/cheapest/LeastMemory.h"
#include "passes/search/reading/ReadProgram.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

/// A pin of a program.
struct Pin {
  Location place;
  /// Bytes of the pinned tensor, or of the operands and results of the pinned
  /// op, on the busiest device.
  int64_t bytes;
  std::function<void()> remove;
};

int64_t bytesOf(Type type, ArrayRef<Component> placement, const Mesh& mesh) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return largestLocalBytes(tensor.getShape(),
                           elementBytes(tensor.getElementType()), placement,
                           mesh);
}

int64_t bytesOf(Operation* op, const MeshSignature& signature,
                const Mesh& mesh) {
  int64_t bytes = 0;
  for (auto [type, placement] :
       llvm::zip(op->getOperandTypes(), signature.operands))
    bytes += bytesOf(type, placement, mesh);
  for (auto [type, placement] :
       llvm::zip(op->getResultTypes(), signature.results))
    bytes += bytesOf(type, placement, mesh);
  return bytes;
}

std::vector<Pin> pinsOf(ModuleOp module, const Mesh& mesh) {
  std::vector<Pin> pins;
  auto bytesAt = [&](NdSbpAttr pin, Type type) {
    return bytesOf(type, pin.getComponents(), mesh);
  };
  for (auto parameter : module.getOps<nn::ParameterOp>())
    for (StringRef name :
         {StringRef(kPinAttrName), StringRef(kStatePinAttrName)})
      if (auto pin = parameter->getAttrOfType<NdSbpAttr>(name))
        pins.push_back({parameter.getLoc(), bytesAt(pin, parameter.getType()),
                        [=] { parameter->removeAttr(name); }});
  for (auto function : module.getOps<FuncOp>()) {
    for (mlir::BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (auto pin = function.getArgAttrOfType<NdSbpAttr>(number, kPinAttrName))
        pins.push_back(
            {argument.getLoc(), bytesAt(pin, argument.getType()),
             [=]() mutable { function.removeArgAttr(number, kPinAttrName); }});
    }
    for (auto op : function.getBody().front().getOps<PinOp>())
      pins.push_back({op.getLoc(),
                      bytesAt(op.getPlacementAttr(), op.getInput().getType()),
                      [=]() mutable {
                        op.replaceAllUsesWith(op.getInput());
                        op.erase();
                      }});
    for (auto op : function.getBody().front().getOps<DistributedOpInterface>())
      if (auto signature = pinnedSignature(op, loopNestOf(op), mesh))
        pins.push_back({op.getLoc(), bytesOf(op, *signature, mesh),
                        [=]() mutable { op->removeAttr(kSignatureAttrName); }});
  }
  return pins;
}

/// Returns the places of pins, in descending order of the bytes that their
/// tensors take on a device. Pins of more bytes are more likely to be the
/// cause, and fewest() prefers the first ones.
SmallVector<Location> suspectsOf(ModuleOp module, const Mesh& mesh) {
  llvm::MapVector<Location, int64_t> bytes;
  for (const Pin& pin : pinsOf(module, mesh)) bytes[pin.place] += pin.bytes;
  // Most bytes first; equal ones in the order of the module.
  std::multimap<int64_t, Location, std::greater<>> ordered;
  for (auto [place, taken] : bytes) ordered.emplace(taken, place);
  return llvm::map_to_vector(ordered,
                             [](const auto& entry) { return entry.second; });
}

/// Number of checks after which the remaining suspects are returned unreduced.
constexpr int kMaxQuestions = 50;

/// Searches a minimal set of pins that leaves no plan.
class Conflicts {
 public:
  Conflicts(FuncOp entry, const Mesh& mesh, const Device& device,
            const SearchRun& run)
      : entry_(entry),
        mesh_(mesh),
        device_(device),
        run_(run),
        transitions_(mesh) {}

  /// Whether a plan is found without any pin.
  bool isPlanWithoutPins() {
    bool isFound = false;
    withPinsOf({}, [&](const ProgramDecisions& program, Movements& movements) {
      auto least = leastMemory(program.graph, movements, run_);
      isFound = least && least->bytes <= device_.memoryBytes;
    });
    return isFound;
  }

  /// Whether the pins of `places`, without others, are proven to leave no plan.
  bool leaveNone(ArrayRef<Location> places) {
    ++numQuestions_;
    bool isNone = true;  // stays true if these pins leave an op no signature
    withPinsOf(places, [&](const ProgramDecisions& program,
                           Movements& movements) {
      isNone = program.isWhole() && fitsInto(program.graph, device_.memoryBytes,
                                             movements, run_) == Fit::No;
    });
    return isNone;
  }

  /// Returns a minimal subset of `suspects` that together with `others` leaves
  /// no plan; all suspects do. This is QuickXplain (Junker, 2004): one check
  /// excludes a half that does not contribute.
  SmallVector<Location> fewest(ArrayRef<Location> others,
                               ArrayRef<Location> suspects) {
    if (suspects.size() == 1 || numQuestions_ >= kMaxQuestions || run_.isOver())
      return SmallVector<Location>(suspects);
    ArrayRef<Location> left = suspects.take_front(suspects.size() / 2);
    ArrayRef<Location> right = suspects.drop_front(suspects.size() / 2);
    SmallVector<Location> ofRight = fewestBeside(others, left, right);
    SmallVector<Location> both = fewestBeside(others, ofRight, left);
    both.append(ofRight);
    return both;
  }

 private:
  /// Calls `look` with the program that has only the pins of `places`. Does not
  /// call it if these pins leave an op no signature.
  void withPinsOf(
      ArrayRef<Location> places,
      llvm::function_ref<void(const ProgramDecisions&, Movements&)> look) {
    mlir::OwningOpRef<ModuleOp> module =
        entry_->getParentOfType<ModuleOp>().clone();
    for (const Pin& pin : pinsOf(*module, mesh_))
      if (!llvm::is_contained(places, pin.place)) pin.remove();
    mlir::SymbolTable symbols(*module);
    mlir::ScopedDiagnosticHandler silently(entry_.getContext(),
                                           [](mlir::Diagnostic&) {});
    auto program = readProgram(symbols.lookup<FuncOp>(entry_.getName()),
                               symbols, mesh_, device_, Plan(), run_);
    if (failed(program)) return;
    Movements movements(program->graph.placements, transitions_);
    look(*program, movements);
  }

  /// Returns a minimal subset of `suspects` that together with `others` and
  /// `more` leaves no plan; an empty one if `others` and `more` leave none
  /// already. If `more` is empty, `others` must be known to leave a plan.
  SmallVector<Location> fewestBeside(ArrayRef<Location> others,
                                     ArrayRef<Location> more,
                                     ArrayRef<Location> suspects) {
    SmallVector<Location> all(others);
    llvm::append_range(all, more);
    if (!more.empty() && leaveNone(all)) return {};
    return fewest(all, suspects);
  }

  FuncOp entry_;
  const Mesh& mesh_;
  const Device& device_;
  const SearchRun& run_;
  TransitionTable transitions_;  // of all questions
  int numQuestions_ = 0;
};

}  // namespace

SmallVector<Location> conflictingPins(FuncOp entry, const Mesh& mesh,
                                      const Device& device, const Plan& decided,
                                      const SearchRun& run) {
  auto module = entry->getParentOfType<ModuleOp>();
  SmallVector<Location> all = suspectsOf(module, mesh);
  // What a plan for earlier entries has decided is not a pin.
  if (all.empty() || !decided.ops.empty()) return {};
  Conflicts conflicts(entry, mesh, device, run);
  // If no plan is found without pins either, the memory limit alone may be the
  // cause.
  if (!conflicts.isPlanWithoutPins() || !conflicts.leaveNone(all)) return {};
  return conflicts.fewest({}, all);
}

}  // namespace sbp::search
