// The command line of sbp-lab: answers on small machines, and mistakes.

#include "passes/search/lab/LabMain.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::search::lab {
namespace {

using ::testing::AllOf;
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

/// Checks that a mistake is said in one line that names all of `words`.
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
  for (const std::vector<std::string>& machine :
       {std::vector<std::string>{"1", "1e-5", "1e-10"},
        {"1x1", "1e-5,1e-6", "1e-10,1e-11"}}) {
    Outcome found = run({"gpt", "--levels", machine[0], "--alpha", machine[1],
                         "--beta", machine[2], "--layers", "3", "--memory",
                         "1e14", "--pareto", "--compare", "--pin", "0:up="});
    EXPECT_EQ(found.status, 0) << machine[0];
    EXPECT_EQ(found.said, "") << machine[0];
    EXPECT_THAT(found.printed,
                AllOf(Not(HasSubstr("null")), Not(HasSubstr("\"move\""))));
  }
}

TEST(Labs, TakeSeedsThatAreNumbersOf64Bits) {
  for (const char* name : {"mlp", "vgg", "figure8"})
    for (const char* seed : {"-1", "99999999999999999999", "1.5", "many"})
      expectError({name, "--seed", seed},
                  {"--seed", seed, "0 to 18446744073709551615"});
  EXPECT_EQ(run({"mlp", "--seed", "18446744073709551615"}).status, 0);
}

TEST(Labs, TakeHeadsThatDivideTheHiddenSize) {
  expectError({"gpt", "--heads", "7"}, {"hidden", "12288", "7 heads"});
}

TEST(Labs, ReadListsWithoutGaps) {
  for (const char* levels : {"64x", "x8", "8xx8", "", "x"})
    expectError({"gpt", "--levels", levels},
                {"--levels", "\"\"", "1 to 1048576"});
  expectError({"gpt", "--levels", "64x"}, {"in \"64x\""});
  expectError({"gpt", "--levels", "2x2x2x2x2x2x2x2x2"}, {"9 values", "1 to 8"});
  expectError({"gpt", "--alpha", "1e-5,"}, {"--alpha", "in \"1e-5,\""});
  expectError({"mlp", "--dims", "512,,256"}, {"--dims", "in \"512,,256\""});
  expectError({"mlp", "--dims", "512"}, {"1 value;", "2 to 1000"});
}

TEST(Labs, NameTheSubcommandsWhereNoneIsKnown) {
  for (const char* known :
       {"mlp", "vgg", "transformer", "attention", "figure8", "gpt"}) {
    expectError({"nope"}, {"no subcommand 'nope'", known});
    expectError({}, {"a subcommand is needed", known});
  }
  expectError({"--seed", "3"}, {"--seed needs a subcommand"});
  expectError({"mlp", "nope"}, {"nope"});
}

}  // namespace
}  // namespace sbp::search::lab
