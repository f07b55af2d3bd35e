#include "runtime/bytes/Bytes.h"

#include "gtest/gtest.h"

namespace sbp::bytes {
namespace {

TEST(Bytes, are_written_with_three_digits_and_a_unit) {
  EXPECT_EQ(toText(0), "0 B");
  EXPECT_EQ(toText(512), "512 B");
  EXPECT_EQ(toText(19840), "19.8 KB");
  EXPECT_EQ(toText(999.9e3), "1 MB");
  EXPECT_EQ(toText(80e9), "80 GB");
  EXPECT_EQ(toText(1234e12), "1.23e+03 TB");
}

TEST(Bytes, are_exact_where_they_are_to_be_given_back) {
  EXPECT_EQ(toExactText(512), "512 bytes");
  EXPECT_EQ(toExactText(19840), "19.8 KB (19840 bytes)");
}

TEST(Bytes, are_read_with_and_without_units) {
  EXPECT_EQ(parse("16934"), 16934);
  EXPECT_EQ(parse("1.0e6"), 1e6);
  EXPECT_EQ(parse("16MB"), 16e6);
  EXPECT_EQ(parse("1.5 GB"), 1.5e9);
  EXPECT_EQ(parse("24GiB"), 24 * 0x1p30);
  EXPECT_EQ(parse("3 kib"), 3072);
  EXPECT_EQ(parse("7b"), 7);
  EXPECT_EQ(parse("-1KB"), -1000);
}

TEST(Bytes, that_are_no_number_with_a_unit_are_not_read) {
  for (const char* text :
       {"", "MB", "16XB", "16 M", "16MB2", "1e30 TB", "inf", "nan"})
    EXPECT_EQ(parse(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sbp::bytes
