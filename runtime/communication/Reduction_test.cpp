#include "runtime/communication/Reduction.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/math/BFloat16.h"

namespace sbp::communication {
namespace {

using plan::ElementType;
using plan::ReductionKind;

using Floats = std::vector<float>;

const std::byte* bytesOf(const Floats& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
std::byte* bytesOf(Floats& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

Floats reduced(ReductionKind reduction, const std::vector<Floats>& sources) {
  std::vector<const std::byte*> pointers;
  for (const Floats& source : sources) pointers.push_back(bytesOf(source));
  Floats result(sources[0].size());
  reduceRow(ElementType::kF32, reduction, pointers.data(), pointers.size(),
            result.size() * sizeof(float), bytesOf(result));
  return result;
}

// Adding 1 to 2^24 changes nothing in f32, so the order of terms shows.
TEST(ReduceRow, AddsInTheOrderOfItsSources) {
  const float big = 16777216;
  for (int numOnes = 1; numOnes < 12; ++numOnes) {
    std::vector<Floats> onesFirst(numOnes, Floats(2000, 1));
    onesFirst.push_back(Floats(2000, big));
    std::vector<Floats> bigFirst(1, Floats(2000, big));
    bigFirst.resize(numOnes + 1, Floats(2000, 1));
    // The sum of the ones is exact; with the big one it is rounded once.
    EXPECT_EQ(reduced(ReductionKind::kSum, onesFirst),
              Floats(2000, static_cast<float>(numOnes) + big));
    EXPECT_EQ(reduced(ReductionKind::kSum, bigFirst), Floats(2000, big));
  }
}

TEST(ReduceRow, MayOverwriteAnyOfItsSources) {
  for (int numSources : {1, 2, 4, 5, 9}) {
    for (int target = 0; target < numSources; ++target) {
      std::vector<Floats> sources;
      std::vector<const std::byte*> pointers;
      for (int i = 0; i < numSources; ++i) {
        sources.push_back(Floats(3001, std::ldexp(1.0f, i)));
      }
      for (const Floats& source : sources) pointers.push_back(bytesOf(source));
      reduceRow(ElementType::kF32, ReductionKind::kSum, pointers.data(),
                numSources, 3001 * sizeof(float), bytesOf(sources[target]));
      EXPECT_EQ(sources[target], Floats(3001, std::ldexp(1.0f, numSources) - 1))
          << numSources << " sources, into " << target;
    }
  }
}

// 1 + 1/256 is 1 in bf16: a sum that was rounded after each term would stay 1.
TEST(ReduceRow, OfBf16IsRoundedOnce) {
  using Elements = std::vector<math::BFloat16>;
  for (int numSmall : {1, 2, 3, 4, 9, 64}) {
    std::vector<Elements> sources(numSmall + 1,
                                  Elements(3001, math::BFloat16(1.0f / 256)));
    sources[0].assign(3001, math::BFloat16(1.0f));
    std::vector<const std::byte*> pointers;
    for (const Elements& source : sources)
      pointers.push_back(reinterpret_cast<const std::byte*>(source.data()));
    // The destination is one of the sources.
    reduceRow(ElementType::kBF16, ReductionKind::kSum, pointers.data(),
              numSmall + 1, 3001 * sizeof(math::BFloat16),
              reinterpret_cast<std::byte*>(sources[1].data()));
    const math::BFloat16 expected(1.0f + static_cast<float>(numSmall) / 256);
    for (const math::BFloat16 element : sources[1])
      ASSERT_EQ(float{element}, float{expected}) << numSmall;
  }
}

TEST(ReduceRow, OfANanIsNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (ReductionKind reduction :
       {ReductionKind::kSum, ReductionKind::kMax, ReductionKind::kMin}) {
    for (int place = 0; place < 3; ++place) {
      std::vector<Floats> sources = {{1}, {2}, {3}};
      sources[place][0] = nan;
      EXPECT_TRUE(std::isnan(reduced(reduction, sources)[0])) << place;
    }
  }
}

TEST(FillIdentity, ChangesNothingItIsReducedWith) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Floats values = {-infinity, -1, 0, 1e30f, infinity};
  for (ReductionKind reduction :
       {ReductionKind::kSum, ReductionKind::kMax, ReductionKind::kMin}) {
    Floats identity(values.size());
    fillIdentity(ElementType::kF32, reduction, values.size() * sizeof(float),
                 bytesOf(identity));
    EXPECT_EQ(reduced(reduction, {identity, values}), values);
    EXPECT_EQ(reduced(reduction, {values, identity}), values);
  }
}

}  // namespace
}  // namespace sbp::communication
