// Compiles kernels and loads them into this process.
//
// The loaded code is an object file, made like those that programs are linked
// from. So a test of the code also tests lowering and code generation:
//
//   auto kernels = LoadedKernels::compile(module, target);
//   (*kernels)["add"]({a.data(), b.data(), out.data()});

#ifndef CODEGEN_CPU_LOADEDKERNELS_H_
#define CODEGEN_CPU_LOADEDKERNELS_H_

#include <memory>
#include <vector>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace sbp::cpu {

/// Kernels that can be called by name.
class LoadedKernels {
 public:
  /// A kernel that can be called with its buffers, in the order of its
  /// arguments.
  class Kernel {
   public:
    explicit Kernel(void (*address)(void* const*)) : address_(address) {}
    void (*address() const)(void* const*) { return address_; }
    void operator()(const std::vector<void*>& buffers) const {
      address_(buffers.data());
    }

   private:
    void (*address_)(void* const*);
  };

  /// Lowers `module` in place, compiles it for `target`, and loads the code.
  /// Returns null, after a diagnostic, if `module` cannot be lowered, compiled
  /// or loaded. This CPU must be able to run the code.
  static std::unique_ptr<LoadedKernels> compile(mlir::ModuleOp module,
                                                const Target& target);
  ~LoadedKernels();

  /// Returns the kernel called `name`, which must exist.
  Kernel operator[](llvm::StringRef name) const;

 private:
  explicit LoadedKernels(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOADEDKERNELS_H_
