// The kernels of a program: one for each different computation, however often
// it occurs.
//
// Two ops have the same kernel if they are the same op with the same attributes
// on tensors of the same types. So the number of kernels, and with it the time
// to compile them, does not grow with the depth of a model. What a kernel is
// made of is each target's business.

#ifndef CODEGEN_KERNELS_KERNELSET_H_
#define CODEGEN_KERNELS_KERNELSET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/plan/KernelProvider.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {

class KernelSet : public KernelProvider {
 public:
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace = {},
                               int64_t count = 1) override;

  std::vector<std::string> kernelNames() const override { return names_; }

 protected:
  /// The beginnings of an op's operands' and results' buffers, and of the
  /// scratch buffer, if there is one. A result that lies in an operand's buffer
  /// begins where that does.
  struct Places {
    SmallVector<Place> operands, results;
    Place scratch;
  };

  /// What the arguments of a kernel stand for: of each op that it runs.
  using PlacesOf =
      llvm::function_ref<SmallVector<Places>(ArrayRef<Place> arguments)>;

  /// Adds the kernel `name` of `op`, which the target has accepted, or of
  /// several like it, on `buffers`.
  virtual void addKernel(Operation* op, StringRef name,
                         ArrayRef<BufferType> buffers, PlacesOf placesOf) = 0;

 private:
  std::vector<std::string> names_;
  llvm::DenseMap<Attribute, int64_t> kernels_;  // by what they compute
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELSET_H_
