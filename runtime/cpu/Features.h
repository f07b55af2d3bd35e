// Instruction sets of x86 processors by LLVM's names, and a check which of them
// the CPU of this process has.
//
// Only instruction sets that LLVM's code generator uses without being asked to
// are listed. AES instructions, for instance, never appear in kernels, so a
// program compiled for a processor with AES runs on one without.

#ifndef RUNTIME_CPU_FEATURES_H_
#define RUNTIME_CPU_FEATURES_H_

#include <string>
#include <string_view>
#include <vector>

namespace sbp::cpu {

/// A processor for which kernels are compiled.
struct Processor {
  std::string name;                   // LLVM's name: "znver5"
  std::vector<std::string> features;  // known features that kernels may use
};

/// Whether `name`, such as "avx512f", is an instruction set that kernels may
/// need.
bool isKnownFeature(std::string_view name);

/// Returns those of the features `names`, in their order, that this processor
/// lacks or that the operating system does not let programs use. A name that is
/// not a known feature counts as present.
std::vector<std::string> missingFeatures(const std::vector<std::string>& names);

}  // namespace sbp::cpu

#endif  // RUNTIME_CPU_FEATURES_H_
