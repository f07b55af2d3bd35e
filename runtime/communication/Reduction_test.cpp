#include "runtime/communication/Reduction.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

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
