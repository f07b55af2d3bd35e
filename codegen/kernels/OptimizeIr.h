// LLVM's optimiser, as kernels of all targets go through it.

#ifndef CODEGEN_KERNELS_OPTIMIZEIR_H_
#define CODEGEN_KERNELS_OPTIMIZEIR_H_

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace sbp {

/// Optimises `module` in place for `machine`, whose data layout it has.
void optimizeIr(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_OPTIMIZEIR_H_
