#include "runtime/text/Printable.h"

#include "gtest/gtest.h"
#include "runtime/text/Counted.h"

namespace sbp::text {
namespace {

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("plain, \xc3\xa9 and \xe2\x82\xac"),
            "plain, \xc3\xa9 and \xe2\x82\xac");
  EXPECT_EQ(printable("\x1b[31m\r\n\t\x7f"), "\\x1b[31m\\x0d\\n\\t\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");
  EXPECT_EQ(printable("two\nlines\r", "\n"), "two\nlines\\x0d");
}

TEST(Printable, WritesOutBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xff\xfe z"), "a\\xff\\xfe z");
  // Cut, too long, a surrogate, and beyond the last character.
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
}

TEST(Counted, HasAPlural) {
  EXPECT_EQ(counted(1, "sample"), "1 sample");
  EXPECT_EQ(counted(0, "sample"), "0 samples");
  EXPECT_EQ(counted(12, "rank"), "12 ranks");
}

}  // namespace
}  // namespace sbp::text
