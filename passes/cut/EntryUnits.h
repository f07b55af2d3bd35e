// The units of an entry: the ops that a cut into stages keeps whole.
//
//   %stream0 = call @embed(%tokens, %table)      unit 0, of kind 0
//   %stream1 = call @layer(%stream0, %w0)        unit 1, of kind 1
//   %stream2 = call @layer(%stream1, %w1)        unit 2, of kind 1
//   %loss = nn.mse %stream2, %targets            unit 3, of kind 2
//
// Units of one kind do the same with tensors that lie in the same way in the
// program: they compute alike, have alike gradients, and cost the same. So each
// kind is priced once, however deep the model is.

#ifndef PASSES_CUT_ENTRYUNITS_H_
#define PASSES_CUT_ENTRYUNITS_H_

#include <map>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// An op of an entry.
struct EntryUnit {
  Operation* op;
  int64_t kind = 0;
  /// What it takes: inputs, parameters, and results of other units; each once,
  /// in the order of its operands.
  SmallVector<Value> taken;
  /// Its results that are used.
  SmallVector<Value> given;
};

/// The units that read a parameter, in their order.
struct ParameterReaders {
  std::vector<int64_t> units;
  bool isTrained = false;
};

class EntryUnits {
 public:
  EntryUnits(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  const std::vector<EntryUnit>& units() const { return units_; }
  int64_t numUnits() const { return static_cast<int64_t>(units_.size()); }
  /// Per kind, the first unit of it.
  const std::vector<int64_t>& firstOfKinds() const { return firstOfKinds_; }

  /// By the name of a parameter that is read.
  const std::map<mlir::StringRef, ParameterReaders>& parameters() const {
    return parameters_;
  }
  /// Whether `value`, a result of a unit, depends on a parameter that is
  /// trained, so that its gradient is computed.
  bool hasGradient(Value value) const { return active_.contains(value); }
  /// The place of `value` in what `unit` takes; -1 if it does not.
  int64_t placeIn(int64_t unit, Value value) const;

 private:
  using Key = std::vector<const void*>;

  void addUnit(Operation& op);
  Key keyOf(const EntryUnit& unit) const;
  void addToKey(Key& key, Value operand, const EntryUnit& unit) const;

  const mlir::SymbolTable& symbols_;
  std::vector<EntryUnit> units_;
  std::vector<int64_t> firstOfKinds_;
  std::map<Key, int64_t> kinds_;
  std::map<mlir::StringRef, ParameterReaders> parameters_;
  llvm::DenseSet<Value> active_;
};

/// The parameter that `value` is; null if it is something else.
mlir::FlatSymbolRefAttr parameterOf(Value value);

}  // namespace sbp

#endif  // PASSES_CUT_ENTRYUNITS_H_
