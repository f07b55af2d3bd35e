#include "passes/search/strategies/AutoDdlSpace.h"

#include <set>
#include <utility>

#include "dialects/nn/Calls.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/module/SampleDims.h"

namespace sbp::search {

using mlir::func::FuncOp;

namespace {

/// The slots of parameters: their own ones, and those of the arguments by which
/// functions get them.
class ParameterSlots {
 public:
  ParameterSlots(FuncOp entry, const mlir::SymbolTable& symbols,
                 const ProgramDecisions& program)
      : symbols_(symbols), program_(program) {
    for (auto [name, slot] : program.parameters) add(slot);
    walk(entry);
  }

  bool contains(Slot slot) const {
    return slots_.count({slot.decision, slot.index}) > 0;
  }

 private:
  void add(Slot slot) { slots_.insert({slot.decision, slot.index}); }

  bool isParameter(Value value) const {
    if (auto pin = value.getDefiningOp<PinOp>())
      return isParameter(pin.getInput());
    return value.getDefiningOp<nn::GetOp>() || arguments_.contains(value);
  }

  void walk(FuncOp function) {
    if (!walked_.insert(function).second) return;
    for (auto call :
         function.getBody().front().getOps<mlir::CallOpInterface>()) {
      auto callee = nn::calleeOf(call, symbols_);
      for (auto [given, argument] :
           llvm::zip(call->getOperands(), callee.getArguments())) {
        if (!isParameter(given)) continue;
        arguments_.insert(argument);
        add(program_.arguments.lookup(argument));
      }
      walk(callee);
    }
  }

  const mlir::SymbolTable& symbols_;
  const ProgramDecisions& program_;
  std::set<std::pair<int64_t, int64_t>> slots_;
  llvm::DenseSet<Value> arguments_;
  llvm::DenseSet<Operation*> walked_;  // functions
};

/// A forward op on samples.
struct SampleOp {
  int64_t firstSlot = 0;
  int64_t numOperands = 0, numResults = 0;
};

/// Returns the number of axes on which `state` violates the rules of the space
/// for `op`.
int64_t numAgainst(const SampleOp& op, const Decision::State& state,
                   const DecisionGraph& graph) {
  int64_t number = 0;
  for (size_t axis = 0; axis < graph.mesh.axes.size(); ++axis) {
    if (graph.mesh.axes[axis].size == 1) continue;
    bool isSplit = false, hasTerms = false;
    for (int64_t i = 0; i < op.numOperands + op.numResults; ++i) {
      Component component =
          graph.placements[state.placements[op.firstSlot + i]][axis];
      isSplit |= component.isSplit();
      hasTerms |= i < op.numOperands && component.isPartial();
    }
    if (!isSplit || hasTerms) ++number;
  }
  return number;
}

}  // namespace

Restriction autoDdlSpace(FuncOp entry, const mlir::SymbolTable& symbols,
                         const ProgramDecisions& program) {
  const DecisionGraph& graph = program.graph;
  SampleDims samples(entry, symbols);
  std::vector<std::vector<SampleOp>> ops(graph.decisions.size());
  for (auto [op, first] : program.ops) {
    bool hasSamples = llvm::any_of(op->getOperands(), [&](Value operand) {
      return samples.of(operand).has_value();
    });
    if (hasSamples && !op->hasAttr(nn::kAdjointOfAttrName))
      ops[first.decision].push_back(
          {first.index, op->getNumOperands(), op->getNumResults()});
  }
  Restriction restriction =
      onlyLeast(graph, [&](size_t decision, const Decision::State& state) {
        int64_t number = 0;
        for (const SampleOp& op : ops[decision])
          number += numAgainst(op, state, graph);
        return number;
      });
  ParameterSlots parameters(entry, symbols, program);
  restriction.keepInPlace([&](const Flow& flow) {
    return parameters.contains(flow.made) ||
           llvm::any_of(flow.uses,
                        [](const Flow::Use& use) { return use.isStored; });
  });
  return restriction;
}

}  // namespace sbp::search
