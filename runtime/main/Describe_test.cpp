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

}  // namespace
}  // namespace sbp::program
