#include "passes/search/run/SearchRun.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "passes/search/run/Interruption.h"
#include "passes/search/run/ProgressLine.h"

namespace sbp::search {
namespace {

TEST(SearchRunTest, WithoutLimitsNeverEnds) {
  SearchRun run;
  EXPECT_FALSE(run.isOver());
  EXPECT_FALSE(run.part(0).isOver());
  EXPECT_TRUE(run.allows(1e18));
  EXPECT_FALSE(run.endedBy());
}

TEST(SearchRunTest, EndsWhenTheTimeIsOverAndSaysSo) {
  SearchRun run({/*seconds=*/0});
  EXPECT_TRUE(run.isOver());
  EXPECT_EQ(run.endedBy(), "0 s");
}

TEST(SearchRunTest, APartEndsBeforeTheWhole) {
  SearchRun run({/*seconds=*/1e6});
  EXPECT_TRUE(run.part(0).isOver());
  EXPECT_FALSE(run.part(0.5).isOver());
  EXPECT_FALSE(run.isOver());
}

TEST(SearchRunTest, WhatEndsASearchAsideEndsNotTheMainOne) {
  SearchRun run({/*seconds=*/1e6});
  EXPECT_TRUE(run.aside(0).isOver());
  EXPECT_FALSE(run.endedBy());
}

TEST(SearchRunTest, KnowsTheMemoryOfTheProcess) {
  SearchLimits limits;
  limits.bytes = defaultSearchBytes();
  SearchRun run(limits);
  EXPECT_FALSE(run.isOver());
  EXPECT_TRUE(run.allows(1));
  EXPECT_FALSE(run.allows(limits.bytes));

  limits.bytes = 1;  // which this test has
  EXPECT_TRUE(SearchRun(limits).isOver());
}

TEST(SearchRunTest, EndsWhenTheUserInterruptsItAndSaysSo) {
  const Interruption interruption;
  SearchLimits limits;
  limits.isInterrupted = Interruption::hasCome;
  SearchRun run(limits);
  EXPECT_FALSE(run.isOver());
  EXPECT_FALSE(run.endedBy());
  raise(SIGINT);
  EXPECT_TRUE(run.isOver());
  EXPECT_TRUE(run.aside(0.5).isOver());
  EXPECT_EQ(run.endedBy(), "an interruption");
}

SearchStatus statusAfter(double seconds) {
  SearchStatus status;
  status.entry = "train_step";
  status.phase = "tables";
  status.seconds = seconds;
  status.best = 0.0651;
  status.bound = 0.0649;
  return status;
}

std::string linesOf(ProgressLine::To to, const std::vector<double>& seconds) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ProgressLine line(out, to);
  for (double now : seconds) line.hear(statusAfter(now));
  line.clear();
  return text;
}

TEST(ProgressLineTest, RewritesOneLineOfATerminalAndTakesItBack) {
  EXPECT_EQ(linesOf(ProgressLine::To::Terminal, {1, 12}),
            "\r\x1b[Ksearching @train_step: 12 s, best plan 65.100 ms, "
            "none below 64.900 ms, tables\r\x1b[K");
}

TEST(ProgressLineTest, WritesALineNowAndThenElsewhere) {
  std::string log = linesOf(ProgressLine::To::Log, {1, 12, 31, 40, 62});
  EXPECT_EQ(log,
            "searching @train_step: 31 s, best plan 65.100 ms, none below "
            "64.900 ms, tables\n"
            "searching @train_step: 62 s, best plan 65.100 ms, none below "
            "64.900 ms, tables\n");
}

}  // namespace
}  // namespace sbp::search
