#include "runtime/cuda/LaunchGraphs.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::cuda {
namespace {

/// The calls that the driver has got, in the words of the tests: "a(1)" is a
/// launch of function a with one argument, "[a(1) b(2)]" a graph, and "record"
/// the beginning of a recording.
std::vector<std::string> calls;
/// The launches that are being recorded.
std::vector<std::string> recorded;
bool isRecording = false;
Result resultOfInstantiate = 0;
int numGraphs = 0;  // that have been made and not destroyed

std::string textOfLaunches(const std::vector<std::string>& launches) {
  std::string text;
  for (const std::string& launch : launches)
    text += (text.empty() ? "" : " ") + launch;
  return "[" + text + "]";
}

Driver fakeDriver() {
  Driver driver = {};
  driver.getErrorName = [](Result, const char** name) {
    *name = "NAME";
    return 0;
  };
  driver.getErrorString = [](Result, const char** text) {
    *text = "text";
    return 0;
  };
  driver.launchKernel = [](Function function, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, unsigned, StreamHandle,
                           void** parameters, void**) {
    const std::string launch =
        std::string(1,
                    static_cast<char>(reinterpret_cast<intptr_t>(function))) +
        "(" + std::to_string(*static_cast<Address*>(parameters[0])) + ")";
    (isRecording ? recorded : calls).push_back(launch);
    return 0;
  };
  driver.streamBeginCapture = [](StreamHandle, int) {
    calls.push_back("record");
    isRecording = true;
    recorded.clear();
    return 0;
  };
  // A graph is the text of its launches.
  driver.streamEndCapture = [](StreamHandle, Graph* graph) {
    isRecording = false;
    *graph = reinterpret_cast<Graph>(new std::string(textOfLaunches(recorded)));
    return 0;
  };
  driver.graphInstantiate = [](ExecutableGraph* made, Graph graph,
                               unsigned long long) {
    if (resultOfInstantiate != 0) return resultOfInstantiate;
    ++numGraphs;
    *made = reinterpret_cast<ExecutableGraph>(
        new std::string(*reinterpret_cast<std::string*>(graph)));
    return 0;
  };
  driver.graphLaunch = [](ExecutableGraph graph, StreamHandle) {
    calls.push_back(*reinterpret_cast<std::string*>(graph));
    return 0;
  };
  driver.graphDestroy = [](Graph graph) {
    delete reinterpret_cast<std::string*>(graph);
    return 0;
  };
  driver.graphExecDestroy = [](ExecutableGraph graph) {
    delete reinterpret_cast<std::string*>(graph);
    --numGraphs;
    return 0;
  };
  return driver;
}

using Calls = std::vector<std::string>;

class LaunchGraphsTest : public testing::Test {
 protected:
  LaunchGraphsTest() {
    calls.clear();
    resultOfInstantiate = 0;
  }

  /// Collects launches of functions a, b, c... with argument `argument`, as
  /// many as `functions` has letters, and starts them. Returns what the driver
  /// has been told since the last call.
  Calls start(const std::string& functions, Address argument) {
    static const std::string kName = "kernel";
    for (const char function : functions)
      status_.Update(graphs_.add(
          {reinterpret_cast<Function>(static_cast<intptr_t>(function)), 1, 1},
          {argument}, kName));
    status_.Update(graphs_.submit());
    return std::exchange(calls, {});
  }

  const Driver driver_ = fakeDriver();
  LaunchGraphs graphs_{driver_, nullptr};
  absl::Status status_;
};

TEST_F(LaunchGraphsTest, LaunchesThatRecurAreAGraph) {
  EXPECT_EQ(start("abc", 1), Calls({"a(1)", "b(1)", "c(1)"}));
  EXPECT_EQ(start("abc", 1), Calls({"record", "[a(1) b(1) c(1)]"}));
  EXPECT_EQ(start("abc", 1), Calls({"[a(1) b(1) c(1)]"}));
  EXPECT_TRUE(status_.ok());
}

TEST_F(LaunchGraphsTest, OtherArgumentsAreAnotherGraph) {
  for (int step = 0; step < 2; ++step)
    for (Address argument : {1, 2}) start("abc", argument);
  EXPECT_EQ(start("abc", 1), Calls({"[a(1) b(1) c(1)]"}));
  EXPECT_EQ(start("abc", 2), Calls({"[a(2) b(2) c(2)]"}));
  EXPECT_EQ(start("abd", 2), Calls({"a(2)", "b(2)", "d(2)"}));
}

TEST_F(LaunchGraphsTest, FewLaunchesStartOneByOne) {
  for (int step = 0; step < 4; ++step)
    EXPECT_EQ(start("ab", 1), Calls({"a(1)", "b(1)"}));
}

TEST_F(LaunchGraphsTest, ManyLaunchesAreSeveralGraphs) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += static_cast<char>('a' + i % 26);
  EXPECT_EQ(start(many, 1).size(), 300);
  start(many, 1);
  EXPECT_EQ(start(many, 1).size(), 3);
  EXPECT_EQ(numGraphs, 3);
}

TEST_F(LaunchGraphsTest, ListsThatNeverRecurTakeBoundedMemory) {
  const std::string many(100, 'a');
  for (Address step = 0; step < 1000; ++step) start(many, step);
  // The first ones are still remembered, and the last ones are not.
  EXPECT_EQ(start(many, 0).size(), 2);
  EXPECT_EQ(start(many, 999).size(), 100);
  EXPECT_TRUE(status_.ok());
}

TEST_F(LaunchGraphsTest, AnErrorOfTheDriverIsReported) {
  resultOfInstantiate = 2;
  start("abc", 1);
  EXPECT_TRUE(status_.ok());
  start("abc", 1);
  EXPECT_EQ(status_.message(),
            "cuGraphInstantiateWithFlags failed: NAME (2): text");
}

TEST_F(LaunchGraphsTest, GraphsAreDestroyed) {
  {
    LaunchGraphs graphs(driver_, nullptr);
    static const std::string kName = "kernel";
    for (int step = 0; step < 2; ++step) {
      for (int launch = 0; launch < 5; ++launch)
        EXPECT_TRUE(graphs.add({}, {1}, kName).ok());
      EXPECT_TRUE(graphs.submit().ok());
    }
    EXPECT_EQ(numGraphs, 1);
  }
  EXPECT_EQ(numGraphs, 0);
}

}  // namespace
}  // namespace sbp::cuda
