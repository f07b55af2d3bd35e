// Kernels, compiled and loaded into this process, for tests and benchmarks.
//
// What runs is the object that a program would be linked from, so a test of it
// tests all of code generation:
//
//   auto kernels = LoadedKernels::compile(module, target);
//   (*kernels)["add"]({a.data(), b.data(), out.data()});

#ifndef CODEGEN_CPU_TESTING_LOADEDKERNELS_H_
#define CODEGEN_CPU_TESTING_LOADEDKERNELS_H_

#include <memory>
#include <vector>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace sbp::cpu {

class LoadedKernels {
 public:
  /// A kernel that can be called; buffers in the order of its arguments.
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

  /// Lowers (in place) and loads `module`. Null after a diagnostic.
  static std::unique_ptr<LoadedKernels> compile(mlir::ModuleOp module,
                                                const Target& target);
  ~LoadedKernels();

  /// The kernel of that name, which must exist.
  Kernel operator[](llvm::StringRef name) const;

 private:
  explicit LoadedKernels(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TESTING_LOADEDKERNELS_H_
