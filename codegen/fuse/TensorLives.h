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

class TensorLives {
 public:
  /// Position of the last use of a tensor that stays: a parameter, an input or
  /// result of the function, the new value of a parameter.
  static constexpr int64_t kAlways = std::numeric_limits<int64_t>::max();

  /// A function that returns the position at which an op runs.
  using PositionOf = llvm::function_ref<int64_t(Operation*)>;

  /// Whether an argument of ArgumentLife::Either stays is up to the call;
  /// `eitherStays` chooses one of both possibilities. `arguments` must outlive
  /// the object.
  TensorLives(const ArgumentLives& arguments, bool eitherStays)
      : arguments_(arguments), eitherStays_(eitherStays) {}

  /// Returns the tensor of whose memory `value` is all.
  static Value inMemory(Value value);

  /// Returns the position of the last use of the memory of `value`.
  int64_t lastUse(Value value, PositionOf positionOf) const;

 private:
  const ArgumentLives& arguments_;
  bool eitherStays_;
};

}  // namespace sbp

#endif  // CODEGEN_FUSE_TENSORLIVES_H_
