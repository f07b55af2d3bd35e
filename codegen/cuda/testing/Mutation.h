// Faults put into kernels on purpose, to see whether tests find them.
//
//   for (const Mutation& mutation : mutationsOf(code)) {
//     std::unique_ptr<llvm::Module> wrong = mutated(code, mutation);
//     ...
//   }

#ifndef CODEGEN_CUDA_TESTING_MUTATION_H_
#define CODEGEN_CUDA_TESTING_MUTATION_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"

namespace sbp::cuda {

/// One fault, at one instruction of the code of some kernels.
struct Mutation {
  enum class Kind {
    DroppedBarrier,  // it is not there any more
    ShuffleMask,     // it leaves out the last thread of the warp
    ShuffleLane,     // it goes to another lane
    SharedAddress,   // a load or a store in shared memory, one element too far
    GlobalAddress,   // the same of a kernel's argument, or of constant data
    Operation,       // a sum for a product, a product for a quotient, twice the
                     // constant that is added
    Approximation,   // of exp, log, ...: a factor in its polynomial is far off
  };

  Kind kind;
  size_t instruction;  // its number in the module
  std::string what;    // with the instruction, to be read
};

/// All there are of `code`, LLVM IR for a GPU.
std::vector<Mutation> mutationsOf(const llvm::Module& code);

/// `code` with `mutation`, which is one of it.
std::unique_ptr<llvm::Module> mutated(const llvm::Module& code,
                                      const Mutation& mutation);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_MUTATION_H_
