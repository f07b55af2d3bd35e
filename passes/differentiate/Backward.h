// The backward program of one block, in reverse mode.
//
// The forward ops are visited last to first. When an op is visited, all uses of
// its results have been visited, so the gradients of its results are complete.
// The op turns them into gradients of its operands. These are added to the
// gradients that other uses of the same operands have contributed:
//
//   %y = nn.mul %x, %x       dx = g * x, and once more g * x: nn.add
//
// The order of the additions is that of the walk, hence the same in every run.
// Built values are named after what they are: "gradient of %x"
// (passes/names/Names.h).
//
// Nothing is built for values that are not active (Activity.h), nor for values
// that do not affect the loss.

#ifndef PASSES_DIFFERENTIATE_BACKWARD_H_
#define PASSES_DIFFERENTIATE_BACKWARD_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/LayerFunctions.h"

namespace sbp {

/// Builds the backward program of one block.
class Backward : private OpBuilder::Listener {
 public:
  /// Builds at the end of `target`, before its terminator if it has one.
  /// `active` has the values that get gradients (Activity.h), and `weights` the
  /// values that are weights (Weights.h). `layers` returns the functions of the
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

  /// Builds the adjoints of `forward`, ops of one block in order, last to
  /// first. Replaces calls by calls of the layer's `.forward`. Fails with a
  /// diagnostic at an op that has no adjoint.
  LogicalResult run(ArrayRef<Operation*> forward);

  /// Adds `gradient`, if there is one, to that of a parameter that the block
  /// does not read itself.
  void addParameter(mlir::StringAttr name, Value gradient);

  /// Whether `value` gets a gradient.
  bool isActive(Value value) const { return active_.contains(value); }

  /// Returns the gradient of `value`; null if it has none.
  Value gradientOf(Value value) const { return gradients_.lookup(value); }

  /// Returns the gradients of parameters, by name.
  const llvm::MapVector<mlir::StringAttr, Value>& parameterGradients() const {
    return parameters_;
  }

  /// Erases built ops whose results are not used. Call it after all uses have
  /// been built.
  void eraseUnused();

 private:
  LogicalResult visit(Operation* op);
  LogicalResult visitCall(mlir::func::CallOp call);
  LayerNeeds needsOf(mlir::func::CallOp call) const;
  /// Replaces `call` by one of the forward function.
  mlir::func::CallOp callForward(mlir::func::CallOp call, const Layer& layer);
  /// Calls the function that makes again what `forward` does not save.
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
  llvm::MapVector<mlir::StringAttr, Value> parameters_;
  SmallVector<Operation*> built_;
  /// The numbers of the forward ops.
  llvm::DenseMap<Operation*, int64_t> ids_;
  int64_t numNumbered_ = 0;
  /// The numbers of calls among those of one layer.
  llvm::DenseMap<Operation*, int64_t> callNumbers_;
  llvm::StringMap<int64_t> numCalls_;
  /// The number of the forward op whose adjoint is being built, or null.
  mlir::IntegerAttr currentId_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_BACKWARD_H_
