// The layout of --help.

#include "runtime/options/HelpFormatter.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::options {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class HelpFormatterTest : public testing::Test {
 protected:
  HelpFormatterTest() {
    app_.formatter(std::make_shared<HelpFormatter>("COMMAND [ARGS...]"));
    app_.footer("\nThe end.\n");
    CLI::Option* hosts = app_.add_option("--hosts", hosts_, "Number of hosts")
                             ->type_name("N")
                             ->capture_default_str();
    app_.add_option("--names", name_, "Name of each host")
        ->type_name("NAME")
        ->needs(hosts);
    app_.add_flag("--quiet", isQuiet_, "Print nothing")->excludes(hosts);
  }

  CLI::App app_{"Runs a command.\n", "tool"};
  int64_t hosts_ = 2;
  std::string name_;
  bool isQuiet_ = false, isLong_ = false;
};

TEST_F(HelpFormatterTest, SeparatesPartsByOneBlankLine) {
  const std::string help = app_.help();
  EXPECT_THAT(help, StartsWith("Runs a command.\n\n"
                               "Usage: tool [OPTIONS] COMMAND [ARGS...]\n\n"
                               "Options:\n"));
  EXPECT_THAT(help, HasSubstr("\n\nThe end.\n"));
  EXPECT_EQ(help.find("\n\n\n"), std::string::npos);
}

TEST_F(HelpFormatterTest, PutsDefaultsAndOtherOptionsAfterTheDescription) {
  const std::string help = app_.help();
  EXPECT_THAT(help, HasSubstr("Number of hosts (2); not with --quiet\n"));
  EXPECT_THAT(help, HasSubstr("Name of each host; needs --hosts\n"));
  EXPECT_THAT(help, HasSubstr("Print nothing; not with --hosts\n"));
}

TEST_F(HelpFormatterTest, ShowsWhetherAnOptionHasSeveralWords) {
  std::vector<std::string> all, each;
  app_.add_option("--all", all, "Words")->type_name("WORD");
  app_.add_option("--each", each, "Words")
      ->type_name("WORD")
      ->allow_extra_args(false);
  const std::string help = app_.help();
  EXPECT_THAT(help, HasSubstr("--all WORD ... "));
  EXPECT_THAT(help, HasSubstr("--each WORD  "));
}

TEST_F(HelpFormatterTest, BreaksLongDescriptions) {
  std::string text = "Start";
  for (int i = 0; i < 50; ++i) text += " words";
  app_.add_flag("--long", isLong_, text);
  std::istringstream lines(app_.help());
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 86U) << line;
}

}  // namespace
}  // namespace sbp::options
