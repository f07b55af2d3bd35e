#include "passes/schedule/families/FamilyText.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::schedule {
namespace {

using ::testing::HasSubstr;

TEST(FamilyText, IsANameAlone) {
  const absl::StatusOr<ChosenFamily> chosen = readFamily(" zb-h1 ");
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->name, "zb-h1");
  EXPECT_EQ(chosen->shape.chunks, std::nullopt);
  EXPECT_EQ(chosen->shape.pairs, std::nullopt);
  EXPECT_EQ(chosen->shape.variant, std::nullopt);
  EXPECT_FALSE(chosen->isRecomputed);
}

TEST(FamilyText, HasWhatIsChosenInAnyOrder) {
  const absl::StatusOr<ChosenFamily> chosen =
      readFamily("chimera<variant = doubling,pairs=2 , recompute = true>");
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->name, "chimera");
  EXPECT_EQ(chosen->shape.variant, "doubling");
  EXPECT_EQ(chosen->shape.pairs, 2);
  EXPECT_TRUE(chosen->isRecomputed);
  EXPECT_EQ(readFamily("interleaved<chunks = 3>")->shape.chunks, 3);
  EXPECT_FALSE(readFamily("1f1b<recompute = false>")->isRecomputed);
}

TEST(FamilyText, SaysWhatIsWrongWithAnother) {
  const std::pair<const char*, const char*> texts[] = {
      {"chimera<pairs = 2", "does not end with '>'"},
      {"chimera<", "does not end with '>'"},
      {"chimera<>", "'' chooses nothing"},
      {"chimera<pairs = 2,>", "'' chooses nothing"},
      {"chimera<doubling>", "'doubling' chooses nothing"},
      {"chimera<pairs = two>", "pairs is a number from 1"},
      {"chimera<pairs = 0>", "'0' is given"},
      {"chimera<pairs = 2x>", "'2x' is given"},
      {"chimera<pairs = 99999999999999999999>", "pairs is a number from 1"},
      {"chimera<pairs = 2, pairs = 2>", "chooses pairs twice"},
      {"1f1b<recompute = yes>", "true or false; 'yes' is given"},
      {"1f1b<depth = 2>", "no 'depth' to choose"},
  };
  for (const auto& [text, reason] : texts) {
    const absl::StatusOr<ChosenFamily> chosen = readFamily(text);
    ASSERT_FALSE(chosen.ok()) << text;
    EXPECT_THAT(std::string(chosen.status().message()), HasSubstr(reason));
  }
}

}  // namespace
}  // namespace sbp::schedule
