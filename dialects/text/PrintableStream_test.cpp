#include "dialects/text/PrintableStream.h"

#include <string>

#include "gtest/gtest.h"

namespace sbp {
namespace {

TEST(PrintableStream, EscapesControlCharacters) {
  std::string text;
  llvm::raw_string_ostream target(text);
  {
    PrintableStream stream(target);
    stream << "a\x1b[31m" << "b\t" << "caf\xc3" << "\xa9\n";
    EXPECT_EQ(text, "a\\x1b[31mb\tcaf\xc3\xa9\n");
    stream << "last";
  }
  EXPECT_EQ(text, "a\\x1b[31mb\tcaf\xc3\xa9\nlast");
}

TEST(PrintableStream, KeepsColors) {
  std::string text;
  llvm::raw_string_ostream target(text);
  target.enable_colors(true);
  std::string colored;
  llvm::raw_string_ostream plain(colored);
  plain.enable_colors(true);
  plain << "a";
  plain.changeColor(llvm::raw_ostream::RED);
  plain << "b\n";
  plain.resetColor();
  {
    PrintableStream stream(target);
    stream << "a";
    stream.changeColor(llvm::raw_ostream::RED, /*bold=*/false,
                       /*background=*/false);
    stream << "b\n";
    stream.resetColor();
  }
  EXPECT_EQ(text, colored);
}

}  // namespace
}  // namespace sbp
