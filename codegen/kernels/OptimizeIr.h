// LLVM's optimisation pipeline O2. The kernels of all targets go through it.

#ifndef CODEGEN_KERNELS_OPTIMIZEIR_H_
#define CODEGEN_KERNELS_OPTIMIZEIR_H_

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace sbp {

/// Optimises `module` in place for `machine`. The module must have the data
/// layout of `machine`.
void optimizeIr(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_OPTIMIZEIR_H_
