// What kernels are for: a kind of CPU, or of GPU.
//
// Whoever lays out memory asks it what the kernel of an op needs there; the
// kernel itself need not be made for that.

#ifndef CODEGEN_PLAN_KERNELTARGET_H_
#define CODEGEN_PLAN_KERNELTARGET_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// What the kernel of an op asks of the memory it works in.
struct KernelNeeds {
  int64_t scratchBytes = 0;  // none when 0
  /// Pairs (operand, result) that may be one and the same buffer: the kernel
  /// reads element i of the operand before it writes element i of the result,
  /// and not after. Any other two arguments of which one is a result never
  /// overlap.
  SmallVector<std::pair<int64_t, int64_t>, 2> inPlace;
  /// So many ops like it, independent of one another, a kernel can run at once.
  int64_t mostAtOnce = 1;
};

/// What ops have in common that one kernel computes: which op it is, its
/// attributes, and the types of its operands and results.
mlir::Attribute kernelKey(Operation* op);

class KernelTarget {
 public:
  virtual ~KernelTarget() = default;

  /// What the kernel of `op`, which works on local tensors, needs; nothing if
  /// it has none.
  virtual std::optional<KernelNeeds> lookUp(Operation* op) const = 0;

  /// The same. Fails with a diagnostic at an op that has no kernel for its
  /// types.
  FailureOr<KernelNeeds> needsOf(Operation* op) const;

 protected:
  /// Of what it is, for errors: "CPU".
  virtual StringRef kind() const = 0;

  /// Whether its kernels take elements of `type`, a float.
  virtual bool takes(mlir::FloatType type) const = 0;

  /// The types that they take, for errors: "f32 and bf16".
  virtual StringRef taken() const = 0;

  /// The pairs for which `canWriteInPlace(result, operand)`.
  static SmallVector<std::pair<int64_t, int64_t>, 2> inPlacePairs(
      Operation* op,
      llvm::function_ref<bool(unsigned, unsigned)> canWriteInPlace);
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELTARGET_H_
