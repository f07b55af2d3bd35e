// Tests that text that is nested too deep for MLIR's parser is reported, and
// other text is not.

#include "dialects/text/Nesting.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {
namespace {

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Returns the message of the fault in `text`, or "" if there is none.
std::string faultOf(const std::string& text) {
  std::optional<TextFault> fault = findTextFault(text);
  return fault ? fault->message : "";
}

TEST(Nesting, IsBoundedForAllThatTheParserCallsItselfFor) {
  const struct {
    const char *before, *open, *middle, *close;
  } kTexts[] = {
      {"", "module {\n", "", "}\n"},
      {"a = ", "[", "", "]"},
      {"a = ", "{a = ", "1", "}"},
      {"", "tensor<2x", "f32", ">"},
      {"", "tuple<", "f32", ">"},
      {"", "() -> (", "f32", ")"},
      {"loc(", "fused[", "\"a\"", "]"},
      {"loc(", "callsite(\"b\" at ", "\"a\"", ")"},
      {"affine_map<(d0) -> (", "(", "d0", ")"},
      {"affine_map<(d0) -> (", "- ", "d0", ""},
      {"affine_map<(d0) -> (d0", " + d0", ")>", ""},
      {"affine_map<(d0) -> (d0", " floordiv 2", ")>", ""},
      {"affine_map<(d0) -> (", "d0 mod (", "2", ")"},
  };
  for (const auto& text : kTexts) {
    auto nested = [&](int depth) {
      return text.before + times(depth, text.open) + text.middle +
             times(depth, text.close);
    };
    EXPECT_EQ(faultOf(nested(100)), "") << text.open;
    EXPECT_NE(faultOf(nested(300)).find("levels deep"), std::string::npos)
        << text.open;
    EXPECT_NE(
        faultOf(nested(1000000)).find("257 levels deep here; at most 256"),
        std::string::npos)
        << text.open;
  }
}

TEST(Nesting, IsFoundWhereItIsTooDeep) {
  std::string text = "// a comment [[[\n" + times(300, "[");
  EXPECT_EQ(findTextFault(text)->offset, 17 + 256);
}

TEST(Nesting, IsThatOfAnAliasWhereItIsUsed) {
  std::string text = "#a0 = [1]\n";
  for (int i = 1; i < 300; ++i)
    text += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  EXPECT_NE(faultOf(text).find("257 levels deep"), std::string::npos);
  EXPECT_EQ(faultOf("!a = tuple<tuple<f32>>\n" +
                    times(1000, "func.func private @f(!a)\n")),
            "");
}

TEST(Nesting, OfAliasesThatDoubleIsFound) {
  std::string text = "!a0 = tuple<f32>\n";
  for (int i = 1; i < 60; ++i) {
    std::string before = "!a" + std::to_string(i - 1);
    text +=
        "!a" + std::to_string(i) + " = tuple<" + before + ", " + before + ">\n";
  }
  EXPECT_NE(faultOf(text).find("more than 65536"), std::string::npos);
}

TEST(Nesting, OfAShapeIsItsLength) {
  EXPECT_EQ(faultOf("tensor<" + times(1000, "1x") + "f32>"), "");
  EXPECT_NE(faultOf("tensor<" + times(100000, "1x") + "f32>").find("200003"),
            std::string::npos);
}

TEST(Nesting, IsNotThatOfStringsCommentsAndArrows) {
  for (const std::string& text :
       {times(1000, "// ((((\n"), times(1000, "\"((\\\"((\"\n"),
        times(1000, "(f32) -> f32\n"), times(1000, "{a = -1 : i64}\n"),
        times(1000, "(d0 >= 0, d0 - 1 <= 5)\n"),
        "[" + times(1000, "-1, ") + "]",
        "\"" + times(100000, "0123456789abcdef") + "\"", times(1000, ")>]}")})
    EXPECT_EQ(faultOf(text), "") << text.substr(0, 40);
}

}  // namespace
}  // namespace sbp
