// Test that descriptions of a program are safe to print on a terminal.

#include "runtime/main/Describe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::program {
namespace {

TEST(Describe, ShowsControlCharactersByTheirCodes) {
  plan::Plan plan;
  plan.model = "m\n";
  plan.plugins = {{"p\n", "1"}};
  plan.groups.emplace_back();
  plan::Parameter parameter;
  parameter.tensor.name = std::string("\0\n\x1b[31m\xc3\xa4", 9);
  plan.parameters.push_back(parameter);
  const std::string text = describe(plan);
  EXPECT_THAT(text, testing::StartsWith("m\\n: "));
  EXPECT_THAT(text, testing::HasSubstr("\nplug-ins: p\\n 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("  \\x00\\n\\x1b[31m\xc3\xa4  "));
}

TEST(Describe, NamesTheWaysInWhichGpusCarryMessages) {
  plan::Plan plan;
  plan.groups.emplace_back();
  plan.kernels.emplace_back();
  plan.kernels[0].launches.emplace_back();
  plan.entries.resize(1);
  plan.entries[0].transfers.resize(2);
  EXPECT_THAT(describe(plan),
              testing::HasSubstr("\n  messages between stages: staged\n"));
  plan.entries[0].takesInOrder = plan.entries[0].sendsInOrder = true;
  plan.entries[0].transfers[1].channel = 1;
  EXPECT_THAT(describe(plan),
              testing::HasSubstr("\n  messages between stages: peer, nccl on 2 "
                                 "channels, staged\n"));
}

}  // namespace
}  // namespace sbp::program
