// Instruction sets of x86 processors, by LLVM's names, and which of them the
// processor has on which this process runs.
//
// Only those are known here that a code generator uses of itself: a program for
// a processor with AES instructions has none of them, and runs without.

#ifndef RUNTIME_CPU_FEATURES_H_
#define RUNTIME_CPU_FEATURES_H_

#include <string>
#include <string_view>
#include <vector>

namespace sbp::cpu {

/// A processor that kernels are made for.
struct Processor {
  std::string name;                   // LLVM's: "znver5"
  std::vector<std::string> features;  // that it must have
};

/// Returns whether kernels may need the instruction set `name`: "avx512f".
bool isKnownFeature(std::string_view name);

/// Returns the features among `names` that this processor lacks, or its system
/// does not let programs use, in their order. Unknown ones count as there.
std::vector<std::string> missingFeatures(const std::vector<std::string>& names);

}  // namespace sbp::cpu

#endif  // RUNTIME_CPU_FEATURES_H_
