#include "runtime/calibration/PeakFlops.h"

namespace sbp::calibration {
namespace {

/// Number of independent chains of multiply-adds. Two units with a latency of
/// four or five cycles each are busy only with at least ten chains.
constexpr int64_t kChains = 12;

/// A vector of `kVectorBytes` bytes, and the FLOPs of one round on all chains.
template <typename Element, int64_t kVectorBytes>
struct Vector {
  typedef Element Type __attribute__((vector_size(kVectorBytes)));
  static constexpr double kFlopsPerRound =
      2.0 * kChains * (kVectorBytes / sizeof(Element));
};

/// Volatile, because the compiler would otherwise compute the result of the
/// loop at compile time.
volatile float knownAtRunTime[] = {0.5f, 1.0f};
volatile double kept;

/// Runs `numRounds` multiply-adds in each chain. It is inlined into a function
/// whose target has the vectors. The chains converge to a fixed point, so no
/// value overflows or becomes subnormal.
template <typename Element, int64_t kVectorBytes>
__attribute__((always_inline)) inline void runChains(int64_t numRounds) {
#pragma clang fp contract(fast)
  using Type = typename Vector<Element, kVectorBytes>::Type;
  Type chains[kChains] = {}, factor = {}, term = {}, sum = {};
  factor += static_cast<Element>(knownAtRunTime[0]);
  term += static_cast<Element>(knownAtRunTime[1]);
  for (int64_t i = 0; i < kChains; ++i) chains[i] += static_cast<Element>(i);
  for (int64_t round = 0; round < numRounds; ++round) {
    for (Type& chain : chains) chain = chain * factor + term;
  }
  for (Type& chain : chains) sum += chain;
  kept = static_cast<double>(sum[0]);
}

template <typename Element>
__attribute__((target("avx512f"))) void runAvx512(int64_t numRounds) {
  runChains<Element, 64>(numRounds);
}
template <typename Element>
__attribute__((target("avx2,fma"))) void runAvx2(int64_t numRounds) {
  runChains<Element, 32>(numRounds);
}
template <typename Element>
void runSse2(int64_t numRounds) {
  runChains<Element, 16>(numRounds);
}

}  // namespace

PeakKernels peakKernels() {
  if (__builtin_cpu_supports("avx512f")) {
    return {runAvx512<float>, runAvx512<double>,
            Vector<float, 64>::kFlopsPerRound,
            Vector<double, 64>::kFlopsPerRound};
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return {runAvx2<float>, runAvx2<double>, Vector<float, 32>::kFlopsPerRound,
            Vector<double, 32>::kFlopsPerRound};
  }
  return {runSse2<float>, runSse2<double>, Vector<float, 16>::kFlopsPerRound,
          Vector<double, 16>::kFlopsPerRound};
}

}  // namespace sbp::calibration
