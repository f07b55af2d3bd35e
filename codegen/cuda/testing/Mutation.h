// Mutations: faults that are put into the code of kernels, to test that the
// tests find them.
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

/// One fault at one instruction of a module of kernels.
struct Mutation {
  /// The fault, and the instruction at which it is made.
  enum class Kind {
    DroppedBarrier,  // the barrier is removed
    ShuffleMask,     // the shuffle leaves out the last thread of the warp
    ShuffleLane,     // the shuffle takes the value of another lane
    SharedAddress,   // an access to shared memory is one element too far
    GlobalAddress,   // any other access is one element too far
    Operation,       // of floats: a product becomes a sum, a quotient becomes a
                     // product, or a constant addend is doubled
    Approximation,   // a factor in the polynomial of exp, log, ... is 64 times
                     // too large
  };

  Kind kind;
  size_t instruction;  // number of the instruction in the module
  std::string what;    // description with the text of the instruction
};

/// Returns all mutations of these kinds that are possible in `code`, LLVM IR
/// for a GPU.
std::vector<Mutation> mutationsOf(const llvm::Module& code);

/// Returns a copy of `code` with `mutation`, which is one of mutationsOf(code).
std::unique_ptr<llvm::Module> mutated(const llvm::Module& code,
                                      const Mutation& mutation);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_MUTATION_H_
