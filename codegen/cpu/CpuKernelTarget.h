// A CPU as a kernel target: which kernels it has, and the memory that they
// need.

#ifndef CODEGEN_CPU_CPUKERNELTARGET_H_
#define CODEGEN_CPU_CPUKERNELTARGET_H_

#include "codegen/cpu/Target.h"
#include "codegen/plan/KernelTarget.h"

namespace sbp::cpu {

/// Looks up the kernels of ops for one CPU.
class CpuKernelTarget : public KernelTarget {
 public:
  explicit CpuKernelTarget(Target target) : target_(std::move(target)) {}

  const Target& cpu() const { return target_; }

  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "CPU"; }

  /// Whether kernels take tensors of `type`. Kernels compute in the same type.
  bool takes(mlir::FloatType type) const override { return type.isF32(); }
  StringRef taken() const override { return "f32"; }

 private:
  Target target_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CPUKERNELTARGET_H_
