// The command line of sbp-lab: results on small machines, and errors.

#include "tools/lab/LabMain.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::search::lab {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  int status = 0;
  std::string printed, said;
};

Outcome run(std::vector<std::string> words) {
  words.insert(words.begin(), "sbp-lab");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = labMain(static_cast<int>(arguments.size()), arguments.data(),
                           "sbp-lab 1");
  outcome.printed = testing::internal::GetCapturedStdout();
  outcome.said = testing::internal::GetCapturedStderr();
  return outcome;
}

/// Expects that an error is one line that contains all of `words`.
void expectError(const std::vector<std::string>& command,
                 const std::vector<std::string>& words) {
  Outcome found = run(command);
  std::string line = testing::PrintToString(command);
  EXPECT_EQ(found.status, 1) << line;
  EXPECT_EQ(found.printed, "") << line;
  EXPECT_THAT(found.said, StartsWith("error: ")) << line;
  EXPECT_EQ(found.said.find('\n'), found.said.size() - 1) << found.said;
  for (const std::string& word : words)
    EXPECT_THAT(found.said, HasSubstr(word)) << line;
}

TEST(Labs, AnswerForOneDevice) {
  for (const char* name :
       {"mlp", "vgg", "transformer", "attention", "figure8"}) {
    std::vector<std::string> command = {name, "--nodes", "1"};
    if (command[0] == "figure8")
      command.insert(command.end(), {"--evaluations", "16"});
    Outcome found = run(command);
    EXPECT_EQ(found.status, 0) << name;
    EXPECT_EQ(found.said, "") << name;
    EXPECT_THAT(found.printed, Not(HasSubstr("null"))) << name;
  }
}

TEST(Labs, TakeSeedsThatAreNumbersOf64Bits) {
  for (const char* name : {"mlp", "vgg", "figure8"})
    for (const char* seed : {"-1", "99999999999999999999", "1.5", "many"})
      expectError({name, "--seed", seed},
                  {"--seed", seed, "0 to 18446744073709551615"});
  EXPECT_EQ(run({"mlp", "--seed", "18446744073709551615"}).status, 0);
}

TEST(Labs, ReadListsWithoutGaps) {
  for (const char* dims : {"64,", ",8", "8,,8", "", ","})
    expectError({"mlp", "--dims", dims},
                {"--dims", "\"\"", "no integer from 1"});
  expectError({"mlp", "--dims", "512,,256"}, {"--dims", "in \"512,,256\""});
  expectError({"mlp", "--dims", "512"}, {"1 value;", "2 to 1000"});
}

TEST(Labs, NameTheSubcommandsWhereNoneIsKnown) {
  for (const char* known : {"mlp", "vgg", "transformer", "attention", "figure8",
                            "cfn", "schedule", "memory", "chimera", "vtrain"}) {
    expectError({"nope"}, {"no subcommand 'nope'", known});
    expectError({}, {"a subcommand is needed", known});
  }
  expectError({"--seed", "3"}, {"--seed needs a subcommand"});
  expectError({"mlp", "nope"}, {"nope"});
}

TEST(Labs, ShowTheirOwnExamplesInTheirHelp) {
  const Outcome all = run({"--help"}), one = run({"vgg", "--help"});
  EXPECT_THAT(all.printed, AllOf(HasSubstr("Usage: sbp-lab [OPTIONS]"),
                                 HasSubstr("(cfn)"), HasSubstr("(chain)")));
  EXPECT_THAT(one.printed, AllOf(HasSubstr("Usage: sbp-lab vgg [OPTIONS]"),
                                 HasSubstr("sbp-lab vgg --nodes 32"),
                                 Not(HasSubstr("sbp-lab mlp"))));
}

TEST(Schedule, IsDrawnWithWhatFollowsFromIt) {
  const Outcome found = run({"schedule", "--family", "chimera", "--stages", "4",
                             "--micro-batches", "4"});
  EXPECT_EQ(found.status, 0) << found.said;
  EXPECT_THAT(found.printed,
              AllOf(HasSubstr("worker 0 | 0F0 0F1 .   3F2 3B2 3B2 3F3 3B3 3B3 "
                              ".   0B0 0B0 .   .   0B1 0B1\n"),
                    ContainsRegex("makespan +16\n"),
                    ContainsRegex("bubble ratio +0.25\n"),
                    ContainsRegex("lower bound +15 ")));
}

TEST(Schedule, IsReadBackFromItsTable) {
  for (const char* family : {"zb-v", "chimera", "pipedream-2bw"}) {
    const std::vector<std::string> words = {"schedule", "--family", family};
    std::vector<std::string> csv = words;
    csv.push_back("--csv");
    const std::string path = testing::TempDir() + "/table.csv";
    std::ofstream(path) << run(csv).printed;
    EXPECT_EQ(run({"schedule", "--table", path}).printed, run(words).printed);
    expectError({"schedule", "--table", path, "--micro-batches", "5"},
                {path, "--micro-batches says 5"});
    expectError({"schedule", "--table", path, "--pairs", "2"},
                {path, "--pairs"});
  }
}

TEST(Schedule, IsChosenByTextAsByOptions) {
  EXPECT_EQ(run({"schedule", "--family",
                 "chimera<variant = doubling, pairs = 2, recompute = true>",
                 "--stages", "8", "--csv"})
                .printed,
            run({"schedule", "--family", "chimera", "--variant", "doubling",
                 "--pairs", "2", "--with-recompute", "--stages", "8", "--csv"})
                .printed);
  expectError({"schedule", "--family", "chimera<pairs = 2>", "--pairs", "2"},
              {"'chimera<pairs = 2>' gives a value that an option gives too"});
}

TEST(Schedule, IsOrderedAnewWithinACap) {
  const std::string path = testing::TempDir() + "/best.csv";
  const Outcome found = run({"schedule", "--family", "chimera", "--synthesise",
                             "--cap", "4", "--output", path});
  EXPECT_EQ(found.status, 0) << found.said;
  EXPECT_THAT(
      found.printed,
      AllOf(ContainsRegex("order +28 .the given order takes 30.\n"),
            ContainsRegex("bound of orders +28, gap 0 %, proven: none is fas"),
            ContainsRegex("memory kept +4, 4, 4, 4 of 4, 4, 4, 4\n")));
  EXPECT_THAT(run({"schedule", "--table", path}).printed,
              ContainsRegex("makespan +28\n"));
  EXPECT_THAT(
      run({"schedule", "--family", "chimera", "--synthesise", "--cap", "4",
           "--json"})
          .printed,
      AllOf(HasSubstr("\"makespan_before\": 30.0"),
            HasSubstr("\"bound\": 28.0"), HasSubstr("\"is_proven\": true")));
  // A pipe that goes there and back.
  EXPECT_THAT(run({"schedule", "--family", "list", "--stages", "2",
                   "--stage-workers", "0,1,1,0", "--synthesise"})
                  .printed,
              ContainsRegex("order +51 .the given order takes 55.\n"));
}

TEST(Schedule, SaysWhyItIsNotOrderedAnew) {
  expectError({"schedule", "--family", "1f1b", "--synthesise", "--cap", "0"},
              {"worker 0 has room for 0", "keeps 1 there"});
  expectError({"schedule", "--family", "1f1b", "--synthesise", "--cap", "1,2"},
              {"--cap has 2 values for 4 workers"});
  expectError({"schedule", "--family", "1f1b", "--cap", "4"},
              {"--cap", "--synthesise"});
  expectError({"schedule", "--family", "1f1b", "--stage-workers", "0,1"},
              {"--stage-workers belongs to --family list", "1f1b"});
  expectError({"schedule", "--family", "pipedream", "--synthesise"},
              {"earlier steps", "flush"});
  expectError({"schedule", "--family", "1f1b", "--output", "/nowhere/a.csv"},
              {"/nowhere/a.csv"});
}

TEST(Schedule, HasChimerasModelBesideIt) {
  const std::vector<std::string> words = {
      "schedule", "--family",        "chimera", "--stages",
      "6",        "--micro-batches", "6"};
  EXPECT_THAT(run(words).printed,
              AllOf(ContainsRegex("makespan +26\n"),
                    ContainsRegex("Chimera's model +26 .C_f = 6, C_b = 10, ")));
  std::vector<std::string> more = words;
  more.insert(more.end(), {"--latency", "0.5", "--reduce", "3", "--json"});
  // (1 + 0.5) 6 + (2 + 0.5) 10, and what is left of two reductions.
  EXPECT_THAT(run(more).printed, AllOf(HasSubstr("\"forwards\": 6.0"),
                                       HasSubstr("\"backwards\": 10.0"),
                                       HasSubstr("\"unoverlapped\": 3.0"),
                                       HasSubstr("\"makespan\": 37.0")));
  EXPECT_THAT(run({"schedule", "--family", "1f1b"}).printed,
              Not(HasSubstr("model")));
}

TEST(Memory, PrintsTheGridThatFits) {
  const Outcome found = run({"memory", "--micro-batch", "8"});
  EXPECT_EQ(found.status, 0) << found.said;
  EXPECT_THAT(found.printed,
              AllOf(ContainsRegex("stages +6\n"), ContainsRegex("copies +8\n"),
                    ContainsRegex("chosen +true\n")));
  expectError({"memory", "--stages", "7"},
              {"48 devices cannot be divided into 7 stages"});
}

TEST(Schedule, IsOneObjectWithJson) {
  const Outcome found = run({"schedule", "--family", "1f1b", "--json"});
  EXPECT_EQ(found.status, 0) << found.said;
  EXPECT_THAT(found.printed,
              AllOf(StartsWith("{"), HasSubstr("\"makespan\": 33.0"),
                    HasSubstr("\"in_flight\": 4"),
                    HasSubstr("\"task\": \"3B7\""), Not(HasSubstr("null"))));
}

TEST(Schedule, SaysWhatItLacks) {
  expectError({"schedule"}, {"--family NAME or --table FILE", "neither"});
  expectError({"schedule", "--family", "gpipe", "--table", "t"}, {"both"});
  expectError({"schedule", "--family", "nope"}, {"'nope'", "zb-h1", "chimera"});
  expectError({"schedule", "--table", "/nowhere"}, {"/nowhere"});
  expectError({"schedule", "--family", "zb-h2", "--micro-batches", "5"},
              {"2D-1 = 7", "4 workers", "5 are given"});
  expectError({"schedule", "--family", "1f1b", "--forward", "1,2"},
              {"--forward has 2 values for 4 stages"});
  expectError({"schedule", "--family", "1f1b", "--backward", "-1"},
              {"--backward", "\"-1\""});
  expectError({"schedule", "--family", "1f1b", "--csv", "--json"},
              {"--csv and --json"});
  const std::string path = testing::TempDir() + "/cycle.csv";
  std::ofstream(path) << "0B0,0F0\n";
  expectError({"schedule", "--table", path},
              {path, "backward of stage 0, micro-batch 0 waits for"});
}

/// Writes a file for a test, and returns its path.
std::string written(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

constexpr char kChain[] = R"({"uF": [4, 4, 4, 4, 4], "uB": [8, 8, 8, 8, 8],
  "W": [1, 1, 1, 1, 1], "a": [5, 1, 1, 1, 1, 1], "P": 2, "M": 100})";

TEST(ChainCommand, ReportsPeriodsABoundAndWhoHasWhichLayers) {
  const std::string path = written("chain.json", kChain);
  const Outcome found = run({"chain", path});
  EXPECT_EQ(found.status, 0) << found.said;
  EXPECT_THAT(found.printed, HasSubstr("5 layers, 60 ms in all, on 2 "
                                       "processors of 100 MB"));
  // Five equal layers on two processors: one has three of them.
  EXPECT_THAT(found.printed, ContainsRegex("contiguous +36 ms"));
  EXPECT_THAT(found.printed, ContainsRegex("best +36 ms"));
  EXPECT_THAT(found.printed, HasSubstr("36 ms: the best is proven"));

  const Outcome json = run({"chain", path, "--json", "--processors", "5"});
  EXPECT_THAT(json.printed, HasSubstr("\"processors\": 5"));
  EXPECT_THAT(json.printed, HasSubstr("\"proven\": true"));
}

TEST(ChainCommand, WritesATableThatRunsWithThePeriod) {
  const std::string path = written("chain.json", kChain);
  const std::string table = testing::TempDir() + "best.csv";
  const Outcome found =
      run({"chain", path, "--table", table, "--with-links", "--memory", "60MB",
           "--bandwidth", "100MB", "-P", "3"});
  ASSERT_EQ(found.status, 0) << found.said;
  // The last line is a command: sbp-lab schedule --table FILE --forward ...
  std::istringstream lines(found.printed);
  std::string line, best, command;
  while (std::getline(lines, line)) {
    if (line.rfind("best ", 0) == 0) best = line;
    if (!line.empty()) command = line;
  }
  std::istringstream words(command);
  std::vector<std::string> schedule;
  for (std::string word; words >> word;) schedule.push_back(word);
  ASSERT_GT(schedule.size(), 2u) << found.printed;
  schedule.erase(schedule.begin());  // sbp-lab
  const Outcome simulated = run(schedule);
  EXPECT_EQ(simulated.status, 0) << simulated.said;
  const std::string period = best.substr(13, best.find(" ms") - 13);
  EXPECT_THAT(simulated.printed, ContainsRegex("steady step +" + period));

  const Outcome flushed =
      run({"chain", path, "--table", table, "--micro-batches", "4"});
  ASSERT_EQ(flushed.status, 0) << flushed.said;
  const Outcome checked =
      run({"schedule", "--table", table, "--micro-batches", "4"});
  EXPECT_EQ(checked.status, 0) << checked.said;
  EXPECT_THAT(checked.printed, Not(HasSubstr("steady step")));
}

TEST(ChainCommand, ErrorsSayWhatIsMissing) {
  const std::string path =
      written("bare.json", R"({"uF": [1], "uB": [2], "W": [3], "a": [4, 5]})");
  expectError({"chain"}, {"which FILE"});
  expectError({"chain", "/no/such/file"}, {"/no/such/file"});
  expectError({"chain", path}, {"how many processors", "--processors"});
  expectError({"chain", path, "-P", "2"}, {"how much memory", "--memory"});
  expectError({"chain", path, "-P", "0", "-M", "1GB"}, {"--processors", "0"});
  expectError({"chain", path, "-P", "2", "-M", "10MB"},
              {"no allocation of 1 layer on 2 processors", "10 MB",
               "a contiguous one exists from 13"});
  expectError({"chain", path, "-P", "2", "-M", "1GB", "--with-links"},
              {"--table"});
  expectError({"chain", path, "-P", "2", "-M", "1GB", "--table", "/no/t.csv"},
              {"/no/t.csv"});
  expectError({"chain", written("bad.txt", "nonsense\n"), "-P", "2"},
              {"bad.txt: line 1: 'nonsense' is no node"});
}

}  // namespace
}  // namespace sbp::search::lab
