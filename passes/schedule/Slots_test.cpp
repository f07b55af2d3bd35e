// The numbers of micro-batches and weights that workers hold at once.

#include "passes/schedule/Slots.h"

#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"

namespace sbp::schedule {
namespace {

using ::testing::ElementsAre;

Table tableOf(std::string_view text) {
  const Table table = *readCsv(text);
  EXPECT_TRUE(check(table).ok()) << check(table);
  return table;
}

/// Returns the largest number of micro-batches in flight, per worker.
std::vector<double> peaks(const Table& table) {
  std::vector<double> inFlight;
  for (const WorkerPeak& peak : peaksOf(table))
    inFlight.push_back(peak.inFlight);
  return inFlight;
}

TEST(Slots, AreHeldFromTheForwardToTheEndOfTheBackward) {
  const Table table =
      tableOf("0F0,0F1,0B0,0F2,0B1,0B2\n1F0,1B0,1F1,1B1,1F2,1B2");
  EXPECT_THAT(peaks(table), ElementsAre(2, 1));
  EXPECT_EQ(slotsOf(table)[0][0].inFlight, 2);
  EXPECT_EQ(slotsOf(table)[1][0].inFlight, 1);
}

TEST(Slots, OfHalvesAreHeldUpToTheGradientsOfWeights) {
  const StageSlots slots =
      slotsOf(tableOf("0F0,0I0,0F1,0I1,0F2,0W0,0B2,0W1"))[0][0];
  EXPECT_EQ(slots.inFlight, 3);
  EXPECT_EQ(slots.awaitingWeightGradient, 2);
}

TEST(Slots, OfRecomputedStagesAreTheInputsAlone) {
  const Table table = tableOf("0F0,0F1,0F2,0R0,0B0,0R1,0I1,0R2,0W1,0B2");
  EXPECT_EQ(slotsOf(table)[0][0].inFlight, 3);
  EXPECT_EQ(slotsOf(table)[0][0].recomputed, 2);
  EXPECT_EQ(peaksOf(table)[0].recomputed, 2);
}

TEST(Slots, OfRunsCountAllTheirParts) {
  const Table table = tableOf("0F0,0B0.0,0F1,0B0.1,0B1");
  EXPECT_EQ(slotsOf(table)[0][0].inFlight, 3);  // halves
  EXPECT_THAT(peaks(table), ElementsAre(1.5));
}

TEST(Slots, OfSeveralStagesAreEachOnesOwn) {
  const Table table = tableOf("0F0,1F0,1B0,0B0,0F1,1F1,1B1,0B1");
  EXPECT_THAT(peaks(table), ElementsAre(2));
  EXPECT_EQ(slotsOf(table)[0].size(), 2u);
  EXPECT_EQ(slotsOf(table)[0][1].inFlight, 1);
}

TEST(Weights, AreKeptAsLongAsABackwardReadsThem) {
  auto weights = [](std::string_view text) {
    return slotsOf(tableOf(text))[0][0].weights;
  };
  EXPECT_EQ(weights("0F0,0B0,0U0"), 1);
  EXPECT_EQ(weights("0F0,0F1,0B0,0U0,0B1,0U1"), 2);
  EXPECT_EQ(weights("0F0,0B0<2,0U0<2"), 3);
  // The backward of inputs is the last task of a micro-batch that reads
  // weights.
  EXPECT_EQ(weights("0F0,0F1,0B0,0I1,0U0,0W1,0U1"), 1);
  // A version of the weights that a later forward will read is kept, although
  // no micro-batch in flight needs it.
  EXPECT_EQ(weights("0F0,0B0,0U0+1"), 2);
}

}  // namespace
}  // namespace sbp::schedule
