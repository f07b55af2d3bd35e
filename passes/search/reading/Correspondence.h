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
// If the layer does not keep all values, a third function computes the others
// again (passes/differentiate/Recompute.h). The backward function then
// corresponds to both: to the third function, which is called under the same
// number, and to the forward function for what the third one leaves out:
//
//   %y, %k = call @layer.forward(%x, %w)            {nn.id = 3}
//   %h     = call @layer.recompute(%x, %w, %k)      {nn.id = 3}
//   %dx    = call @layer.backward(%w, %h, %k, %dy)  {nn.adjoint_of = 3}
//
// In a layer that calls this layer, the first call stands in the forward
// function, and the other two in the backward function.

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

  /// Whether two values of the forward program are the same, perhaps because
  /// one is the other, computed again.
  bool isSame(Value one, Value other) const {
    return one == other || originalOf(one) == originalOf(other);
  }

  /// Returns the value of the forward program that `value` stands for: the
  /// value itself, or what an argument of a backward function is there. A value
  /// that is computed again is one of the forward program too. Returns null if
  /// `value` is a gradient.
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

  /// Returns the first use of result `index` of `function` in the function that
  /// computes values again, or in the backward function. Returns null if there
  /// is none, or if anything else uses the result.
  mlir::OpOperand* firstUseOfSaved(mlir::func::FuncOp function,
                                   int64_t index) const;

  /// Returns the first use of `value` in the order of its block; null if there
  /// is none.
  static mlir::OpOperand* firstUse(Value value);

 private:
  /// The calls under one number: of the forward function, of the function that
  /// computes values again (null if there is none), and of a backward function.
  struct Calls {
    mlir::func::CallOp forward, again, backward;
  };

  /// If `function` is a backward function, returns its calls. Otherwise returns
  /// null.
  const Calls* callsOfBackward(mlir::func::FuncOp function) const;

  /// If `function` is a forward function, or computes values again, returns its
  /// call. Otherwise returns null.
  mlir::func::CallOp savingCallOf(mlir::func::FuncOp function) const;

  /// Returns the op with the number `id` in the program of which `function` is
  /// a part: in `function`, or, if it is a backward function, where its values
  /// are computed again or else in its forward function. Returns null if there
  /// is none.
  Operation* numbered(mlir::func::FuncOp function, mlir::IntegerAttr id) const;

  /// If `value` of the forward program is computed again, returns the value of
  /// the forward function. Otherwise returns `value`.
  Value originalOf(Value value) const;

  /// Returns the value in the forward function of `calls` that is the same as
  /// `given`, a value of the function of the call; null if there is none.
  Value inForward(const Calls& calls, Value given) const;

  UnreducedGradients unreducedGradients_;
  llvm::MapVector<mlir::func::FuncOp, int64_t> functions_;
  llvm::DenseMap<Operation*, mlir::func::FuncOp> callees_;
  /// `numbered_`: per function, its ops by number (nn.id), the first of those
  /// with one number. `again_`: per call of a forward function, the call that
  /// computes values again.
  llvm::DenseMap<Operation*, llvm::DenseMap<int64_t, Operation*>> numbered_;
  llvm::DenseMap<Operation*, mlir::func::CallOp> again_;
  llvm::DenseMap<Operation*, nn::RepeatOp> repeats_;  // per repeated function
  /// The first calls of each function that is differentiated, by each of their
  /// callees.
  llvm::DenseMap<Operation*, Calls> calls_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_CORRESPONDENCE_H_
