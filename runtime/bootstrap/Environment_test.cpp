#include "runtime/bootstrap/Environment.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sbp::bootstrap {
namespace {

using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

absl::StatusOr<Environment> read(const Variables& variables) {
  return readEnvironment(
      [&](const std::string& name) -> std::optional<std::string> {
        auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
      });
}

std::string errorOf(const Variables& variables) {
  return std::string(read(variables).status().message());
}

TEST(Environment, WithoutLauncherIsAWorldOfOne) {
  auto env = read({{"PATH", "/bin"}});
  ASSERT_TRUE(env.ok());
  EXPECT_EQ(env->rank, 0);
  EXPECT_EQ(env->size, 1);
  EXPECT_EQ(env->launcher, "none");
}

TEST(Environment, OfSbprunAndTorchrunNamesTheMaster) {
  auto env = read({{"RANK", "3"},
                   {"WORLD_SIZE", "8"},
                   {"LOCAL_RANK", "1"},
                   {"MASTER_ADDR", "node7"},
                   {"MASTER_PORT", "1234"}});
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->rank, 3);
  EXPECT_EQ(env->size, 8);
  EXPECT_EQ(env->localRank, 1);
  EXPECT_EQ(env->meetingPoint.describe(), "node7:1234");
}

TEST(Environment, WithoutMasterMeetsOnThisHost) {
  auto env = read({{"RANK", "0"}, {"WORLD_SIZE", "2"}});
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->meetingPoint.describe(), "127.0.0.1:29500");
}

Variables ofMpirun(const std::string& job, const std::string& localSize) {
  return {{"OMPI_COMM_WORLD_RANK", "1"},
          {"OMPI_COMM_WORLD_SIZE", "4"},
          {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
          {"OMPI_COMM_WORLD_LOCAL_SIZE", localSize},
          {"PMIX_NAMESPACE", job}};
}

TEST(Environment, OfMpirunOnOneHostMeetsAtASocketNamedForTheJob) {
  auto first = read(ofMpirun("111", "4"));
  auto second = read(ofMpirun("222", "4"));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT(first->meetingPoint.socketName, HasSubstr("111"));
  EXPECT_NE(first->meetingPoint.socketName, second->meetingPoint.socketName);
}

TEST(Environment, OfMpirunOnSeveralHostsAsksForTheMaster) {
  Variables variables = ofMpirun("111", "2");
  EXPECT_THAT(errorOf(variables), HasSubstr("set MASTER_ADDR"));
  variables["MASTER_ADDR"] = "node1";
  auto env = read(variables);
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->meetingPoint.host, "node1");
  EXPECT_GE(env->meetingPoint.port, 20000);
  EXPECT_LT(env->meetingPoint.port, 32768);
}

TEST(Environment, OfSrunMeetsOnTheFirstHostOfTheStep) {
  Variables variables = {{"SLURM_PROCID", "5"},
                         {"SLURM_STEP_NUM_TASKS", "8"},
                         {"SLURM_NTASKS", "16"},
                         {"SLURM_LOCALID", "1"},
                         {"SLURM_JOB_ID", "42"},
                         {"SLURM_STEP_ID", "0"},
                         {"SLURM_STEP_NUM_NODES", "2"},
                         {"SLURM_STEP_NODELIST", "gpu[03-05,9],login"}};
  auto env = read(variables);
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->size, 8);
  EXPECT_EQ(env->meetingPoint.host, "gpu03");
  variables["SLURM_STEP_ID"] = "1";
  EXPECT_NE(read(variables)->meetingPoint.port, env->meetingPoint.port);
}

TEST(Environment, OfABatchScriptWithoutSrunIsAWorldOfOne) {
  auto env = read(
      {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "42"}});
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->size, 1);
}

TEST(Environment, ErrorsNameTheVariable) {
  EXPECT_THAT(errorOf({{"RANK", "1"}}), HasSubstr("WORLD_SIZE is not set"));
  EXPECT_THAT(errorOf({{"WORLD_SIZE", "2"}}), HasSubstr("RANK is not set"));
  EXPECT_THAT(errorOf({{"RANK", "x"}, {"WORLD_SIZE", "2"}}),
              HasSubstr("RANK is \"x\""));
  EXPECT_THAT(errorOf({{"RANK", "2"}, {"WORLD_SIZE", "2"}}),
              HasSubstr("RANK is 2, but WORLD_SIZE is 2"));
  EXPECT_THAT(
      errorOf({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "99999"}}),
      HasSubstr("MASTER_PORT is 99999"));
}

TEST(FirstHost, OfAListIsExpanded) {
  EXPECT_EQ(firstHost("node1"), "node1");
  EXPECT_EQ(firstHost("node1,node2"), "node1");
  EXPECT_EQ(firstHost("node[7]"), "node7");
  EXPECT_EQ(firstHost("node[07-12,15]"), "node07");
  EXPECT_EQ(firstHost("a[3,5-6],b2"), "a3");
}

}  // namespace
}  // namespace sbp::bootstrap
