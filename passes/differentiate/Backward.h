// Builds the backward program of one block, by reverse-mode differentiation.
//
// The forward ops are visited last to first. When an op is visited, all users
// of its results have been visited, so the gradients of its results are
// complete. The op builds the gradients of its operands from them. If an
// operand has other uses, the gradients of all uses are added up:
//
//   %y = nn.mul %x, %x       dx = g * x + g * x, added by nn.add
//
// Gradients are added in the order of the visits, which is the same in every
// run. Built values are named after their meaning: "gradient of %x"
// (passes/names/Names.h).
//
// An op whose results do not affect the loss is skipped. Gradients of values
// that are not active (Activity.h) are dropped. eraseUnused() erases the ops
// that were built for them.

#ifndef PASSES_DIFFERENTIATE_BACKWARD_H_
#define PASSES_DIFFERENTIATE_BACKWARD_H_

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/LayerFunctions.h"

namespace sbp {

/// The gradients of parameters, by the parameters' names.
using ParameterGradients = llvm::MapVector<mlir::StringAttr, Value>;

/// Builds the backward program of one block.
class Backward : private OpBuilder::Listener {
 public:
  /// Builds ops at the end of `target`, before its terminator if it has one.
  /// `active` has the values that get gradients (Activity.h). `weights` has the
  /// values that are weights (Weights.h). `layers` makes the functions of
  /// called layers, and must outlive this object.
  Backward(mlir::Block& target, llvm::DenseSet<Value> active,
           llvm::DenseSet<Value> weights, LayerFunctions& layers);

  Backward(const Backward&) = delete;
  Backward& operator=(const Backward&) = delete;

  OpBuilder& getBuilder() { return builder_; }

  /// Splits the backward functions of all called layers in two
  /// (SplitBackward.h), even if a layer does not ask for halves.
  void splitAllCalls() { splitsAllCalls_ = true; }

  /// Adds `gradient` to the gradient of `value`. Does nothing if `value` is not
  /// active. If `value` was broadcast along dimensions of `gradient`, sums
  /// `gradient` over these dimensions first.
  void add(Value value, Value gradient);

  /// Adds 1 to the gradient of `loss`, the value to be minimised.
  void addLoss(Value loss);

  /// Builds the adjoints of the ops from `first` to the end of its block, last
  /// to first. If results of these ops are used elsewhere, as the loss is, the
  /// gradients of these uses must have been added before, by add() or
  /// addLoss(). Skips an op if its results have no gradient. Also replaces each
  /// call by a call of the layer's function `.forward` (Layer.h), unless it
  /// skips the call. Fails with a diagnostic at an op that has no adjoint, or
  /// whose adjoint gives a gradient of a wrong type.
  LogicalResult run(Operation* first);

  /// Adds `gradient` to the gradient of the parameter `name`. Does nothing if
  /// `gradient` is null.
  void addParameter(mlir::StringAttr name, Value gradient);

  /// Whether `value` gets a gradient.
  bool isActive(Value value) const { return active_.contains(value); }

  /// Returns the gradient of `value`; null if it has none. The gradient is
  /// complete after run().
  Value gradientOf(Value value) const { return gradients_.lookup(value); }

  /// Returns the gradients of parameters, by name.
  const ParameterGradients& parameterGradients() const { return parameters_; }

  /// Erases built ops with unused results. Must be called after all uses are
  /// built.
  void eraseUnused();

 private:
  LogicalResult visit(Operation* op);
  LogicalResult visitCall(mlir::func::CallOp call);
  /// Verifies `gradients`, which the adjoint of `op` has built for the operands
  /// of `op`. Fails with a diagnostic at `op` if an active operand has no
  /// gradient although hasGradientFor() is true for it, or if an operand does
  /// not broadcast to the type of its gradient.
  LogicalResult verifyGradients(nn::DifferentiableOpInterface op,
                                ArrayRef<Value> gradients) const;
  LayerNeeds needsOf(mlir::func::CallOp call) const;
  /// Replaces `call` by a call of the forward function of `layer`.
  mlir::func::CallOp callForward(mlir::func::CallOp call, const Layer& layer);
  /// Calls the function that recomputes the values which `forward` does not
  /// save. `name` is the name of the layer.
  mlir::func::CallOp callRecomputation(StringRef name,
                                       mlir::func::CallOp forward,
                                       const Layer& layer);
  /// Returns `gradient`, summed over the dimensions along which `value` was
  /// broadcast.
  Value sumTo(Value value, Value gradient);
  Value accumulate(Value sum, Value term, Location location);
  void notifyOperationInserted(Operation* op,
                               OpBuilder::InsertPoint previous) override;

  OpBuilder builder_;
  llvm::DenseSet<Value> active_;
  llvm::DenseSet<Value> weights_;
  bool splitsAllCalls_ = false;
  LayerFunctions& layers_;
  llvm::DenseMap<Value, Value> gradients_;
  ParameterGradients parameters_;
  SmallVector<Operation*> built_;
  /// The number of each forward op. It becomes the op's attribute nn.id.
  llvm::DenseMap<Operation*, int64_t> ids_;
  int64_t numNumbered_ = 0;
  /// The index of each call among the calls of its layer, and the number of
  /// calls of each layer.
  llvm::DenseMap<Operation*, int64_t> callNumbers_;
  llvm::StringMap<int64_t> numCalls_;
  /// The number of the forward op whose adjoint is being built; null if none
  /// is.
  mlir::IntegerAttr currentId_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_BACKWARD_H_
