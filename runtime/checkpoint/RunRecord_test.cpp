#include "runtime/checkpoint/RunRecord.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::checkpoint {
namespace {

using ::testing::HasSubstr;

RunRecord fullRecord() {
  RunRecord record;
  record.step = 400;
  record.sample = 3200;
  record.batch = 8;
  record.seed = UINT64_MAX;
  record.data = {{"tokens", "9-ab"}, {"targets", "9-ab"}};
  record.optimizer = "adamw<weight_decay = 0.1>";
  record.learningRate = train::LearningRate{
      train::LearningRate::Schedule::kCosine, 0.1 + 0.2, 1e-30, 30, 1000};
  return record;
}

TEST(RunRecord, IsReadAsItWasWritten) {
  const Metadata metadata = toMetadata(fullRecord());
  EXPECT_EQ(metadata.at("step"), "400");
  EXPECT_EQ(metadata.at("schedule"), "cosine");
  EXPECT_EQ(metadata.at("data.tokens"), "9-ab");
  const auto read = readRunRecord(metadata);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(toMetadata(*read), metadata);
  EXPECT_EQ(read->learningRate->peak, 0.1 + 0.2);
  EXPECT_EQ(read->learningRate->minimum, 1e-30);
  EXPECT_EQ(read->seed, UINT64_MAX);
}

TEST(RunRecord, OfAFileThatSaysNothingIsEmpty) {
  const auto read = readRunRecord({{"format", "pt"}});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(toMetadata(*read), Metadata({{"step", "0"}}));
}

TEST(RunRecord, ValuesThatAreNoneAreRefused) {
  const auto refusal = [](const char* key, const char* value) {
    Metadata metadata = toMetadata(fullRecord());
    metadata[key] = value;
    return std::string(readRunRecord(metadata).status().message());
  };
  EXPECT_EQ(refusal("step", "-1"),
            "its \"step\" is \"-1\", which is not an integer from 0 to "
            "1000000000000");
  EXPECT_THAT(refusal("seed", "x"), HasSubstr("\"seed\" is \"x\""));
  EXPECT_THAT(refusal("lr", "nan"), HasSubstr("a finite number"));
  EXPECT_THAT(refusal("schedule", "up"), HasSubstr("constant, linear or"));
}

}  // namespace
}  // namespace sbp::checkpoint
