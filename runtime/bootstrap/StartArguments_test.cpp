#include "runtime/bootstrap/StartArguments.h"

#include <string>

#include "gtest/gtest.h"

namespace sbp::bootstrap {
namespace {

TEST(StartArguments, IsComparedByValueAndToldByWhatIsShown) {
  const StartArguments mine = shortened({{"--text", "17-ab", "a.txt (17-ab)"},
                                         {"--load", "", ""},
                                         {"--seed", "1"}});
  StartArguments theirs = mine;
  theirs[0].displayText = "/elsewhere/a.txt";
  EXPECT_FALSE(differenceOf(mine, theirs));
  theirs[0].value = "17-cd";
  theirs[1].value = theirs[1].displayText = "b";
  const auto difference = differenceOf(mine, theirs);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->mine, "--text a.txt (17-ab), no --load");
  EXPECT_EQ(difference->theirs, "--text /elsewhere/a.txt, --load b");
}

TEST(StartArguments, OfLongValuesIsShortAndStillCompared) {
  const std::string prompt(100'000, 'x');
  const StartArguments mine = shortened({{"--prompt", prompt + "a"}});
  const StartArguments theirs = shortened({{"--prompt", prompt + "b"}});
  EXPECT_LT(encodeStart(mine).size(), 300);
  EXPECT_TRUE(differenceOf(mine, theirs));
  StartArguments decoded;
  ASSERT_TRUE(decodeStart(encodeStart(mine), decoded));
  EXPECT_FALSE(differenceOf(mine, decoded));
}

}  // namespace
}  // namespace sbp::bootstrap
