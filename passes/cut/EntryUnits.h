// The units of an entry. A unit is an op, or a call of a layer, that a cut into
// stages keeps whole.
//
//   %stream0 = call @embed(%tokens, %table)      unit 0, of kind 0
//   %stream1 = call @layer(%stream0, %w0)        unit 1, of kind 1
//   %stream2 = call @layer(%stream1, %w1)        unit 2, of kind 1
//   %loss = nn.mse %stream2, %targets            unit 3, of kind 2
//
// Units of one kind run the same op on operands of the same types and origins.
// An origin is an input, a parameter, the result of a unit, or a constant. The
// gradients of such units are computed in the same way, so the units cost the
// same. Each kind is priced once, however deep the model is.

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

/// A unit: an op of an entry that takes operands.
struct EntryUnit {
  Operation* op;
  int64_t kind = 0;  // index into EntryUnits::firstOfKinds()
  /// The operands of the op in order, without repetition: inputs, parameters,
  /// and results of other units, but no constants.
  SmallVector<Value> operands;
  /// The results of the op that have uses, in order.
  SmallVector<Value> results;
};

/// The units that read one parameter.
struct ParameterReaders {
  std::vector<int64_t> units;  // indices, ascending
  bool isTrained = false;  // false if frozen, optimiser state, or not a float
};

/// All units of an entry, in order, with their kinds and the parameters that
/// they read.
class EntryUnits {
 public:
  /// Finds the units of `entry`, which must not change afterwards. `symbols`,
  /// the symbol table of the entry's module, must outlive this object.
  EntryUnits(mlir::func::FuncOp entry, const mlir::SymbolTable& symbols);

  const std::vector<EntryUnit>& units() const { return units_; }
  int64_t numUnits() const { return static_cast<int64_t>(units_.size()); }
  /// Returns the index of the first unit of each kind, by kind.
  const std::vector<int64_t>& firstOfKinds() const { return firstOfKinds_; }

  /// Returns the units that read each parameter, by the parameter's name.
  const std::map<mlir::StringRef, ParameterReaders>& parameters() const {
    return parameters_;
  }
  /// Whether `value`, a result of a unit, has a gradient: its elements are
  /// floats and depend on a trained parameter.
  bool hasGradient(Value value) const { return active_.contains(value); }
  /// Returns the index of `value` in EntryUnit::operands of the unit with index
  /// `unit`, or -1 if this unit does not take `value`.
  int64_t indexIn(int64_t unit, Value value) const;

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

/// Returns the name of the parameter that `value` reads; null if `value` is not
/// the result of an nn.get.
mlir::FlatSymbolRefAttr parameterOf(Value value);

}  // namespace sbp

#endif  // PASSES_CUT_ENTRYUNITS_H_
