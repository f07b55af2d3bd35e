// The forms of files with chains, and the errors of their readers.

#include "passes/search/allocation/ChainFiles.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LayerChain chainOf(const std::string& text) {
  const absl::StatusOr<ChainFile> file = readChain(text, std::nullopt);
  EXPECT_TRUE(file.ok()) << textOf(file.status());
  return file.ok() ? file->chain : LayerChain();
}

void expectError(const std::string& text, const std::string& words,
                 std::optional<int64_t> instance = std::nullopt) {
  const absl::StatusOr<ChainFile> file = readChain(text, instance);
  ASSERT_FALSE(file.ok()) << text;
  EXPECT_THAT(textOf(file.status()), HasSubstr(words));
}

constexpr char kTwoLayers[] =
    R"({"uF": [1, 2], "uB": [3, 4], "W": [5, 6], "a": [7, 8, 9]})";

TEST(ChainFilesTest, JsonIsInMillisecondsAndMegabytes) {
  const LayerChain chain = chainOf(kTwoLayers);
  EXPECT_THAT(chain.forward, ElementsAre(1, 2));
  EXPECT_THAT(chain.backward, ElementsAre(3, 4));
  EXPECT_THAT(chain.weights, ElementsAre(5e6, 6e6));
  EXPECT_THAT(chain.cuts, ElementsAre(7e6, 8e6, 9e6));
  EXPECT_THAT(chain.outputs, ElementsAre(8e6, 9e6));
}

TEST(ChainFilesTest, JsonMayHaveUnitsInNamesAndALimit) {
  const auto file = readChain(
      R"([{}, {"inputs": {"uF_ms": [1], "uB_ms": [3], "W_MB": [5],
          "a_MB": [7, 8], "P": 3, "M": 146, "beta": 2}}])",
      1);
  ASSERT_TRUE(file.ok()) << textOf(file.status());
  EXPECT_THAT(file->chain.weights, ElementsAre(5e6));
  EXPECT_EQ(file->processors, 3);
  EXPECT_EQ(file->memory, 146e6);
  EXPECT_EQ(file->bandwidth, 2e6);
}

TEST(ChainFilesTest, CsvHasARowPerLayer) {
  const LayerChain chain = chainOf(
      "pos,fwd_ms,bwd_ms,cut_bytes_after,act_bytes,weight_bytes,node\n"
      "1,6.5,2,200,100,30,\"Conv2d(3, 64)\"\n"
      "2,1,1.5,0,50,0,ReLU\n");
  EXPECT_THAT(chain.forward, ElementsAre(6.5, 1));
  EXPECT_THAT(chain.cuts, ElementsAre(0, 200, 0));
  EXPECT_THAT(chain.outputs, ElementsAre(100, 50));
  EXPECT_THAT(chain.names, ElementsAre("Conv2d(3, 64)", "ReLU"));
}

/// Returns a node of a profile.
std::string node(const std::string& name, const std::string& size,
                 const std::string& description = "Op(a=1, b -- c)") {
  return name + " -- " + description +
         " -- forward_compute_time=1.5, backward_compute_time=2.000, "
         "activation_size=" +
         size + ", parameter_size=10.0\n";
}

TEST(ChainFilesTest, AProfileIsAChainOfItsNodesInTopologicalOrder) {
  // 1 (input) -> 3 -> 2 -> 10, and 3 -> 10: two tensors cross the second cut.
  const LayerChain chain = chainOf(
      "node1 -- Input0 -- forward_compute_time=0.0, "
      "backward_compute_time=0.0, activation_size=0.0, parameter_size=0.0\n" +
      node("node10", "7") + node("node2", "[5; 6.5]", "LSTM") +
      node("node3", "100") +
      "\tnode1 -- node3\n\tnode3 -- node2\n\tnode2 -- node10\n"
      "    node3 -- node10\n");
  EXPECT_THAT(chain.names,
              ElementsAre("Op(a=1, b -- c)", "LSTM", "Op(a=1, b -- c)"));
  EXPECT_THAT(chain.outputs, ElementsAre(100, 11.5, 7));
  EXPECT_THAT(chain.cuts, ElementsAre(0, 100, 111.5, 0));
  EXPECT_THAT(chain.weights, ElementsAre(10, 10, 10));
}

TEST(ChainFilesTest, AResultThatNobodyReadsIsNoLayer) {
  const LayerChain chain = chainOf(
      node("node1", "8") +
      "node2 -- __getitem__(1) -- forward_compute_time=0, "
      "backward_compute_time=0, activation_size=64, parameter_size=0\n" +
      node("node3", "9") + "\tnode1 -- node2\n\tnode1 -- node3\n");
  EXPECT_EQ(chain.numLayers(), 2);
  EXPECT_THAT(chain.cuts, ElementsAre(0, 8, 0));
}

TEST(ChainFilesTest, ErrorsNameTheLineAndWhatIsWrong) {
  expectError("", "the file is empty");
  expectError("hello\n", "line 1: 'hello' is no node");
  expectError("node1 -- Op -- forward_compute_time=1\n",
              "line 1: node node1 has no backward_compute_time");
  expectError(node("node1", "many"),
              "line 1: activation_size is 'many'; a number of at least 0");
  expectError(node("node1", "[1; 2"), "line 1: activation_size is '[1; 2'");
  expectError(node("node1", "1") + node("node1", "1"),
              "line 2: there are two nodes node1");
  expectError(node("node1", "1") + "\n\tnode1 -- node2\n",
              "line 3: the edge 'node1 -- node2' names node2, and there is no");
  expectError(node("node1", "1") + "\tnode1\n", "line 2: 'node1' is no edge");
  expectError(node("node1", "1") + node("node2", "1") +
                  "\tnode1 -- node2\n\tnode2 -- node1\n",
              "the edges have a cycle");
  expectError("pos,fwd_ms\n", "line 1: there is no column bwd_ms");
  expectError(
      "pos,fwd_ms,bwd_ms,cut_bytes_after,act_bytes,weight_bytes\n1,2,x,1,1,1\n",
      "line 2: column bwd_ms has 'x' where a number is needed");
}

TEST(ChainFilesTest, ErrorsOfJsonNameTheValue) {
  expectError("{\"uF\": [1,", "");
  expectError(R"({"uF": [1], "uB": ["x"], "W": [1], "a": [1, 1]})",
              "uB[0]: expected a number");
  expectError(R"({"uF": [1], "uB": [1], "W": [1], "a": [1]})",
              "the chain has 1 layers and 1 cuts; 2 are needed");
  expectError(R"({"uF": [-1], "uB": [1], "W": [1], "a": [1, 1]})",
              "number 0 of the forward times is -1");
  expectError(R"({"uF": [0], "uB": [0], "W": [1], "a": [1, 1]})",
              "no layer of the chain takes time");
  const std::string two =
      std::string("[") + kTwoLayers + "," + kTwoLayers + "]";
  expectError(two, "the file has 2 chains; --instance chooses one, from 0");
  expectError(two, "--instance is 2, and the file has 2 chains", 2);
  expectError(kTwoLayers, "--instance is 1, and the file has one chain", 1);
}

}  // namespace
}  // namespace sbp::search
