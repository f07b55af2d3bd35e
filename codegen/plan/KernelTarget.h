// A kind of device that kernels are compiled for: a CPU or a GPU.
//
// To lay out memory, the compiler must know what memory the kernel of each op
// needs. A KernelTarget knows it without making the kernel.

#ifndef CODEGEN_PLAN_KERNELTARGET_H_
#define CODEGEN_PLAN_KERNELTARGET_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// Requirements of a kernel or a collective on the buffers that it works on.
struct KernelNeeds {
  int64_t scratchBytes = 0;  // size of the scratch buffer; 0: there is none
  /// Pairs of indices (operand, result) whose buffers may be the same: the
  /// kernel does not read element i of the operand after it has written element
  /// i of the result. Apart from these pairs, no result may overlap an operand
  /// or another result.
  SmallVector<std::pair<int64_t, int64_t>, 2> inPlace;
  /// Largest number of independent ops of the same key (kernelKey) that one run
  /// of a kernel can compute.
  int64_t mostAtOnce = 1;
};

/// Returns the key of an op's kernel: the op's name, its attributes, the types
/// of its operands and results, and if it has a body, the keys of the ops there
/// and the values that they use. Ops of one key can share a kernel.
mlir::Attribute kernelKey(Operation* op);

/// Answers whether ops have kernels on a device, and what memory the kernels
/// need.
class KernelTarget {
 public:
  virtual ~KernelTarget() = default;

  /// Returns the needs of the kernel of `op`; nullopt if `op` has no kernel.
  /// The tensors of `op` must be parts on one rank, without placements.
  /// needsOf() checks this, and the float types.
  virtual std::optional<KernelNeeds> lookUp(Operation* op) const = 0;

  /// Returns the needs of the kernel of `op`. Fails with a diagnostic at `op`
  /// if it has no kernel, its tensors are not local, or kernels do not take its
  /// float types.
  FailureOr<KernelNeeds> needsOf(Operation* op) const;

  /// Returns the kind of device, for errors: "CPU".
  virtual StringRef kind() const = 0;

 protected:
  /// Whether kernels of this target take elements of the float type `type`.
  virtual bool takes(mlir::FloatType type) const = 0;

  /// Returns the float types that kernels take, for errors: "f32 and bf16".
  virtual StringRef taken() const = 0;

  /// Returns the pairs (operand, result) of `op` for which
  /// `canWriteInPlace(result, operand)` holds.
  static SmallVector<std::pair<int64_t, int64_t>, 2> inPlacePairs(
      Operation* op,
      llvm::function_ref<bool(unsigned, unsigned)> canWriteInPlace);
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELTARGET_H_
