#include "runtime/bootstrap/Environment.h"

#include <map>
#include <vector>

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

Variables ofTorchrun(const std::string& name, const std::string& port,
                     const std::string& hasAgentPort) {
  return {{"RANK", "1"},
          {"WORLD_SIZE", "4"},
          {"LOCAL_RANK", "1"},
          {"MASTER_ADDR", "node7"},
          {"MASTER_PORT", port},
          {"TORCHELASTIC_RUN_ID", name},
          {"TORCHELASTIC_USE_AGENT_STORE", hasAgentPort}};
}

TEST(Environment, OfTorchrunLeavesThePortToItsAgent) {
  const auto env = read(ofTorchrun("none", "1234", "True"));
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->launcher, "torchrun");
  const std::vector<MeetingPoint> points = env->candidates();
  ASSERT_GT(points.size(), 4);
  for (const MeetingPoint& point : points) {
    EXPECT_EQ(point.host, "node7");
    EXPECT_GE(point.port, 20000);
    EXPECT_LT(point.port, 32768);
  }
  // All ranks of a job get the same ports, and ranks of another job others.
  Variables other = ofTorchrun("none", "1234", "True");
  other["RANK"] = "0";
  EXPECT_EQ(read(other)->candidates()[3].port, points[3].port);
  const auto second = read(ofTorchrun("none", "1235", "True"));
  EXPECT_NE(second->candidates()[0].port, points[0].port);
  EXPECT_NE(second->jobName, env->jobName);
}

TEST(Environment, OfTorchrunTakesThePortThatIsFree) {
  const auto env = read(ofTorchrun("none", "1234", "False"));
  ASSERT_TRUE(env.ok()) << env.status();
  ASSERT_EQ(env->candidates().size(), 1);
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

TEST(Environment, TellsOfLaunchersThatContradictTheFirst) {
  Variables variables = ofMpirun("111", "4");
  EXPECT_TRUE(read(variables)->contradictions.empty());
  variables["RANK"] = "0";
  variables["WORLD_SIZE"] = "1";
  const auto env = read(variables);
  ASSERT_TRUE(env.ok()) << env.status();
  EXPECT_EQ(env->size, 1);
  EXPECT_EQ(env->variables, "RANK=0, WORLD_SIZE=1");
  ASSERT_EQ(env->contradictions.size(), 1);
  EXPECT_EQ(env->contradictions[0].launcher, "mpirun");
  EXPECT_EQ(env->contradictions[0].variables,
            "OMPI_COMM_WORLD_RANK=1, OMPI_COMM_WORLD_SIZE=4");
  variables["RANK"] = "1";
  variables["WORLD_SIZE"] = "4";
  EXPECT_TRUE(read(variables)->contradictions.empty());
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
