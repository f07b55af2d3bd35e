// The correspondence of a backward program to its forward program.
//
// passes/differentiate leaves marks: a forward op has a number (nn.id), and the
// ops that compute its gradients refer to this number (nn.adjoint_of). A layer
// is a pair of functions, which are called as a pair:
//
//   %y, %h = call @layer.forward(%x, %w)        {nn.id = 3}
//   %dx    = call @layer.backward(%w, %h, %dy)  {nn.adjoint_of = 3}
//
// So the arguments %w and %h of @layer.backward are values of @layer.forward.
// %dy and %dx are marked as gradients (nn.gradient_of).
//
// The backward program of a layer may be in two halves: two such functions,
// each with its call. An argument that one half gets from the other is a
// gradient, and its placement is decided in the half that makes it.
//
// If the layer is recomputed, a third function saves the values for the
// backward function. The backward function then corresponds to this function,
// which is called under the same number:
//
//   %y  = call @layer.forward(%x, %w)           {nn.id = 3}
//   %h  = call @layer.recompute(%x, %w)         {nn.id = 3}
//   %dx = call @layer.backward(%w, %h, %dy)     {nn.adjoint_of = 3}

#ifndef PASSES_SEARCH_READING_CORRESPONDENCE_H_
#define PASSES_SEARCH_READING_CORRESPONDENCE_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/boxing/UnreducedGradients.h"
#include "passes/module/CallCounts.h"

namespace sbp::search {

/// The functions that an entry calls, and what their ops and values correspond
/// to.
class Correspondence {
 public:
  /// Reads `entry` and all functions that it calls. Each must have one block,
  /// and none may be recursive.
  Correspondence(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  /// Returns the functions, with the number of runs of each in one run of the
  /// entry. A caller is before its callees, and callees are in the order of
  /// their first calls.
  const llvm::MapVector<mlir::func::FuncOp, int64_t>& functions() const {
    return functions_;
  }

  mlir::func::FuncOp calleeOf(mlir::CallOpInterface call) const;

  /// If `function` is repeated (nn.repeat), returns its argument that gets
  /// result `number` of the call before. Otherwise returns null.
  mlir::BlockArgument carriedAs(mlir::func::FuncOp function,
                                int64_t number) const;

  /// Returns the first use of `argument` if it decides the placement of
  /// `argument`: if the call before gives `argument` to this one, and the first
  /// use is by an op that can be distributed. Otherwise returns null.
  mlir::OpOperand* firstUseOfCarried(mlir::BlockArgument argument) const;

  /// Whether `value` is a sum of gradients over the calls of a repeated
  /// function.
  bool isSumOfGradients(Value value) const;

  /// Returns the op whose gradients `op` computes, or null.
  Operation* adjointTarget(Operation* op) const;

  /// Returns the value of the forward program that `value` stands for: the
  /// value itself, or what an argument of a backward function is there. Returns
  /// null if `value` is a gradient.
  Value primalOf(Value value) const;

  /// If `argument` of a backward function is a gradient, returns the value that
  /// it is the gradient of: an operand of the forward function's return.
  /// Otherwise returns null.
  Value primalOfGradient(mlir::BlockArgument argument) const;

  /// Whether `argument` is neither a value of the forward program that a
  /// backward function gets, nor a gradient.
  bool isOwn(mlir::BlockArgument argument) const;

  /// Takes an op `sum` of a backward function. If it adds to the gradient of an
  /// argument of the forward function, returns this argument; otherwise null.
  mlir::BlockArgument argumentOfSum(Operation* sum) const;

  /// Whether the placements of `op` follow those of another op: `op` computes
  /// gradients of that op, or adds them up. Two kinds of ops are no followers:
  /// ops that pass the terms of a gradient on to a cast after which the terms
  /// are reduced, and ops with a pinned signature.
  bool isFollower(Operation* op) const;

  /// Whether the terms of `value` must not be reduced
  /// (passes/boxing/UnreducedGradients.h).
  bool keepsTerms(Value value) const {
    return unreducedGradients_.contains(value);
  }

  /// Whether `value` of the forward program is a parameter: the result of
  /// nn.get, or, in a function that is repeated or has a backward function, an
  /// argument that gets a parameter.
  bool isParameter(Value value) const;

  /// Returns the first use of result `index` of `function` in the backward
  /// function. Returns null if there is none, or if anything outside the
  /// backward function uses the result.
  mlir::OpOperand* firstUseOfSaved(mlir::func::FuncOp function,
                                   int64_t index) const;

  /// Returns the first use of `value` in the order of its block; null if there
  /// is none.
  static mlir::OpOperand* firstUse(Value value);

 private:
  /// If `function` is a backward function, returns the function that saves
  /// values for it. Otherwise returns null.
  mlir::func::FuncOp forwardOf(mlir::func::FuncOp function) const;

  /// A pair of calls: `forward` of a function that saves values, and `backward`
  /// of the backward function that gets them. `first` is the first call with
  /// their number, a call of the forward function. It equals `forward` if the
  /// layer is not recomputed.
  struct Pair {
    mlir::func::CallOp forward, backward, first;
  };

  UnreducedGradients unreducedGradients_;
  llvm::MapVector<mlir::func::FuncOp, int64_t> functions_;
  llvm::DenseMap<Operation*, mlir::func::FuncOp> callees_;
  /// `numbered_`: per function, its ops by number (nn.id). `again_`: per call,
  /// a later call with the same number.
  llvm::DenseMap<Operation*, llvm::DenseMap<int64_t, Operation*>> numbered_;
  llvm::DenseMap<Operation*, mlir::func::CallOp> again_;
  llvm::DenseMap<Operation*, nn::RepeatOp> repeats_;  // per repeated function
  /// The first pair of calls per function that saves values, and per backward
  /// function.
  llvm::DenseMap<Operation*, Pair> pairOf_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_CORRESPONDENCE_H_
