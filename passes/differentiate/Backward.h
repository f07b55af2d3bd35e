// The backward program of one block, in reverse mode.
//
// The forward ops are visited last to first. When an op is visited, all ops
// that use its results have been visited, so the gradients of its results are
// complete. The op builds the gradients of its operands from them. These are
// added to the gradients that other uses of the same operands have contributed:
//
//   %y = nn.mul %x, %x       dx = g * x, and once more g * x: nn.add
//
// The order of the additions is that of the walk, hence the same in every run.
// Built values are named after what they are: "gradient of %x"
// (passes/names/Names.h).
//
// An op whose results do not affect the loss is skipped. Gradients of values
// that are not active (Activity.h) are dropped; eraseUnused() erases the ops
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
  /// Builds at the end of `target`, before its terminator if it has one.
  /// `active` has the values that get gradients (Activity.h), and `weights` the
  /// values that are weights (Weights.h). `layers` makes the functions of the
  /// layers that are called.
  Backward(mlir::Block& target, llvm::DenseSet<Value> active,
           llvm::DenseSet<Value> weights, LayerFunctions& layers);

  Backward(const Backward&) = delete;
  Backward& operator=(const Backward&) = delete;

  OpBuilder& getBuilder() { return builder_; }

  /// Calls all layers in halves (SplitBackward.h), not only those that ask for
  /// it.
  void splitAllCalls() { splitsAllCalls_ = true; }

  /// Adds `gradient` to the gradient of `value`; does nothing if `value` is not
  /// active. Sums over dimensions along which `value` was broadcast.
  void add(Value value, Value gradient);

  /// Adds 1 to the gradient of `loss`, the value to be minimised.
  void addLoss(Value loss);

  /// Builds the adjoints of the ops from `first` to the end of its block, from
  /// the last to the first. Gradients of results of these ops must have been
  /// added (add()). Skips ops whose results have no gradient. Replaces each
  /// other call by a call of the layer's `.forward`. Fails with a diagnostic at
  /// an op that has no adjoint, or whose adjoint gives a gradient of a wrong
  /// type.
  LogicalResult run(Operation* first);

  /// Adds `gradient` to the gradient of the parameter `name`. Does nothing if
  /// `gradient` is null.
  void addParameter(mlir::StringAttr name, Value gradient);

  /// Whether `value` gets a gradient.
  bool isActive(Value value) const { return active_.contains(value); }

  /// Returns the gradient of `value`, or null if it has none. It is complete
  /// after run().
  Value gradientOf(Value value) const { return gradients_.lookup(value); }

  /// Returns the gradients of parameters, by name.
  const ParameterGradients& parameterGradients() const { return parameters_; }

  /// Erases built ops whose results are not used. Call it after all uses have
  /// been built.
  void eraseUnused();

 private:
  LogicalResult visit(Operation* op);
  LogicalResult visitCall(mlir::func::CallOp call);
  /// Fails with a diagnostic at `op` if its adjoint, which has given its
  /// operands `gradients`, leaves out an active operand without declaring that,
  /// or if a gradient has a type to which its operand does not broadcast.
  LogicalResult verifyGradients(nn::DifferentiableOpInterface op,
                                ArrayRef<Value> gradients) const;
  LayerNeeds needsOf(mlir::func::CallOp call) const;
  /// Replaces `call` by a call of the forward function of `layer`.
  mlir::func::CallOp callForward(mlir::func::CallOp call, const Layer& layer);
  /// Calls the function that computes again the values that `forward` does not
  /// save.
  mlir::func::CallOp callRecomputation(mlir::func::CallOp forward,
                                       const Layer& layer);
  /// Returns `gradient` summed over the dimensions along which `value` was
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
  /// Number (nn.id) of each forward op.
  llvm::DenseMap<Operation*, int64_t> ids_;
  int64_t numNumbered_ = 0;
  /// Index of each call among the calls of its layer, and the number of calls
  /// of each layer.
  llvm::DenseMap<Operation*, int64_t> callNumbers_;
  llvm::StringMap<int64_t> numCalls_;
  /// The number of the forward op whose adjoint is being built, or null.
  mlir::IntegerAttr currentId_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_BACKWARD_H_
