// A CPU, as those see it who lay out memory.

#ifndef CODEGEN_CPU_CPUKERNELTARGET_H_
#define CODEGEN_CPU_CPUKERNELTARGET_H_

#include "codegen/cpu/Target.h"
#include "codegen/plan/KernelTarget.h"

namespace sbp::cpu {

class CpuKernelTarget : public KernelTarget {
 public:
  explicit CpuKernelTarget(Target target) : target_(std::move(target)) {}

  const Target& cpu() const { return target_; }

  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "CPU"; }

  /// They compute in the type of the elements.
  bool takes(mlir::FloatType type) const override {
    return type.isF32() || type.isF64();
  }
  StringRef taken() const override { return "f32 and f64"; }

 private:
  Target target_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_CPUKERNELTARGET_H_
