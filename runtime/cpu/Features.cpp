#include "runtime/cpu/Features.h"

#include <cpuid.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace sbp::cpu {
namespace {

// Sets of registers that the operating system must save on a context switch, as
// bits of XCR0.
constexpr uint64_t kNoState = 0;
constexpr uint64_t kVectors = 0x6;               // 128 and 256 bits
constexpr uint64_t kWideVectors = 0xe6;          // 512 bits, and masks
constexpr uint64_t kMoreRegisters = 1ull << 19;  // 32 integer registers

enum class Register { kEax, kEbx, kEcx, kEdx };

// The bit of a CPUID register that reports an instruction set, and the
// registers that the set needs.
struct Feature {
  std::string_view name;
  unsigned leaf, subleaf;
  Register where;
  int bit;
  uint64_t state;
};

// https://www.intel.com/sdm, volume 2, CPUID; AMD's manual, volume 3, E.
constexpr Feature kFeatures[] = {
    {"sse3", 1, 0, Register::kEcx, 0, kNoState},
    {"ssse3", 1, 0, Register::kEcx, 9, kNoState},
    {"fma", 1, 0, Register::kEcx, 12, kVectors},
    {"sse4.1", 1, 0, Register::kEcx, 19, kNoState},
    {"sse4.2", 1, 0, Register::kEcx, 20, kNoState},
    {"movbe", 1, 0, Register::kEcx, 22, kNoState},
    {"popcnt", 1, 0, Register::kEcx, 23, kNoState},
    {"avx", 1, 0, Register::kEcx, 28, kVectors},
    {"f16c", 1, 0, Register::kEcx, 29, kVectors},
    {"bmi", 7, 0, Register::kEbx, 3, kNoState},
    {"avx2", 7, 0, Register::kEbx, 5, kVectors},
    {"bmi2", 7, 0, Register::kEbx, 8, kNoState},
    {"avx512f", 7, 0, Register::kEbx, 16, kWideVectors},
    {"avx512dq", 7, 0, Register::kEbx, 17, kWideVectors},
    {"avx512ifma", 7, 0, Register::kEbx, 21, kWideVectors},
    {"avx512cd", 7, 0, Register::kEbx, 28, kWideVectors},
    {"avx512bw", 7, 0, Register::kEbx, 30, kWideVectors},
    {"avx512vl", 7, 0, Register::kEbx, 31, kWideVectors},
    {"avx512vbmi", 7, 0, Register::kEcx, 1, kWideVectors},
    {"avx512vbmi2", 7, 0, Register::kEcx, 6, kWideVectors},
    {"gfni", 7, 0, Register::kEcx, 8, kNoState},
    {"avx512vnni", 7, 0, Register::kEcx, 11, kWideVectors},
    {"avx512bitalg", 7, 0, Register::kEcx, 12, kWideVectors},
    {"avx512vpopcntdq", 7, 0, Register::kEcx, 14, kWideVectors},
    {"avx512fp16", 7, 0, Register::kEdx, 23, kWideVectors},
    {"avxvnni", 7, 1, Register::kEax, 4, kVectors},
    {"avx512bf16", 7, 1, Register::kEax, 5, kWideVectors},
    {"avxifma", 7, 1, Register::kEax, 23, kVectors},
    {"avxvnniint8", 7, 1, Register::kEdx, 4, kVectors},
    {"avxneconvert", 7, 1, Register::kEdx, 5, kVectors},
    {"avxvnniint16", 7, 1, Register::kEdx, 10, kVectors},
    {"egpr", 7, 1, Register::kEdx, 21, kMoreRegisters},
    // The bits are a version number, which is at most 3 today.
    {"avx10.2", 0x24, 0, Register::kEbx, 1, kWideVectors},
    {"lzcnt", 0x80000001, 0, Register::kEcx, 5, kNoState},
    {"sse4a", 0x80000001, 0, Register::kEcx, 6, kNoState},
    {"xop", 0x80000001, 0, Register::kEcx, 11, kVectors},
    {"fma4", 0x80000001, 0, Register::kEcx, 16, kVectors},
    {"tbm", 0x80000001, 0, Register::kEcx, 21, kNoState},
};

const Feature* find(std::string_view name) {
  const auto* found = std::find_if(
      std::begin(kFeatures), std::end(kFeatures),
      [&](const Feature& feature) { return feature.name == name; });
  return found == std::end(kFeatures) ? nullptr : found;
}

// Returns the register sets that the operating system saves (XCR0); none if it
// does not report them.
uint64_t savedStates() {
  unsigned eax, ebx, ecx, edx;
  constexpr unsigned kOsxsave = 1u << 27;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & kOsxsave)) return 0;
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

/// Whether this processor has the feature and the system saves its registers.
bool isAvailable(const Feature& feature) {
  unsigned registers[4];
  if (!__get_cpuid_count(feature.leaf, feature.subleaf, &registers[0],
                         &registers[1], &registers[2], &registers[3]))
    return false;
  const unsigned value = registers[static_cast<int>(feature.where)];
  return (value >> feature.bit & 1) != 0 &&
         (savedStates() & feature.state) == feature.state;
}

}  // namespace

bool isKnownFeature(std::string_view name) { return find(name) != nullptr; }

std::vector<std::string> missingFeatures(
    const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const Feature* feature = find(name);
    if (feature && !isAvailable(*feature)) missing.push_back(name);
  }
  return missing;
}

}  // namespace sbp::cpu
