// How long the tensors of a function stay in memory.
//
// An op of a group uses its operands when the group runs. An nn.reshape is the
// same tensor in memory as its operand.

#ifndef CODEGEN_FUSE_TENSORLIVES_H_
#define CODEGEN_FUSE_TENSORLIVES_H_

#include <cstdint>
#include <limits>

#include "codegen/fuse/ArgumentLives.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Answers at which op a tensor of a function is last used.
class TensorLives {
 public:
  /// The value that lastUse() returns for a tensor that stays in memory until
  /// the function ends: a parameter, the new value of a parameter, or an input
  /// or result of the function.
  static constexpr int64_t kAlways = std::numeric_limits<int64_t>::max();

  /// A function that returns the position at which an op runs.
  using PositionOf = llvm::function_ref<int64_t(Operation*)>;

  /// `eitherStays` says whether an argument of life ArgumentLife::Either counts
  /// as one that stays. `arguments` must outlive this object.
  TensorLives(const ArgumentLives& arguments, bool eitherStays)
      : arguments_(arguments), eitherStays_(eitherStays) {}

  /// Returns the tensor in whose memory `value` lies: `value` itself, or if a
  /// chain of nn.reshape ops makes it, the operand of the first op of the
  /// chain.
  static Value inMemory(Value value);

  /// Returns the position of the last use of the memory of `value`; -1 if it
  /// has none.
  int64_t lastUse(Value value, PositionOf positionOf) const;

 private:
  const ArgumentLives& arguments_;
  bool eitherStays_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_TENSORLIVES_H_
