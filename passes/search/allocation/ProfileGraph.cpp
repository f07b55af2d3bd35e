#include "passes/search/allocation/ProfileGraph.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

struct Node {
  std::string name, description;
  int64_t number = 0;  // at the end of the name; 0 without one
  double forward = 0, backward = 0, output = 0, weights = 0;
  std::vector<int64_t> readers;  // indices of nodes
  int64_t numSources = 0;

  bool isInput() const { return description.compare(0, 5, "Input") == 0; }
  bool isLayer() const {
    return !isInput() &&
           (forward > 0 || backward > 0 || weights > 0 || !readers.empty());
  }
};

/// Returns the number at the end of a name: 4 for "node4".
int64_t numberOf(llvm::StringRef name) {
  int64_t number = 0;
  name.drop_front(name.find_last_not_of("0123456789") + 1)
      .getAsInteger(10, number);
  return number;
}

/// Returns the sum of "1.5", or of "[1.5; 2]".
absl::StatusOr<double> sumOf(llvm::StringRef key, llvm::StringRef text) {
  llvm::StringRef list = text;
  if (list.consume_front("[") && !list.consume_back("]"))
    return error("{} is '{}', a list without its ]", key.str(), text.str());
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, ';');
  double sum = 0;
  for (llvm::StringRef part : parts) {
    double value = 0;
    if (part.trim().getAsDouble(value) || !(value >= 0))
      return error("{} is '{}'; a number of at least 0 is needed", key.str(),
                   part.trim().str());
    sum += value;
  }
  return sum;
}

/// Reads the "key=value" pairs of a node's line.
absl::Status readCosts(llvm::StringRef text, Node& node) {
  std::pair<llvm::StringRef, double*> wanted[] = {
      {"forward_compute_time", &node.forward},
      {"backward_compute_time", &node.backward},
      {"activation_size", &node.output},
      {"parameter_size", &node.weights}};
  std::map<llvm::StringRef, llvm::StringRef> found;
  llvm::SmallVector<llvm::StringRef> pairs;
  text.split(pairs, ',');
  for (llvm::StringRef pair : pairs) found.insert(pair.trim().split('='));
  for (auto& [key, value] : wanted) {
    if (found.count(key) == 0)
      return error("node {} has no {}", node.name, key.str());
    SBP_ASSIGN_OR_RETURN(*value, sumOf(key, found[key]));
  }
  return absl::OkStatus();
}

class Profile {
 public:
  absl::Status read(llvm::StringRef text) {
    // Edges may stand before their nodes.
    std::vector<std::pair<int64_t, llvm::StringRef>> edges;
    for (int64_t number = 1; !text.empty(); ++number) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      if (line.trim().empty()) continue;
      if (line[0] == ' ' || line[0] == '\t') {
        edges.emplace_back(number, line.trim());
        continue;
      }
      if (const absl::Status read = readNode(line.trim()); !read.ok())
        return error("line {}: {}", number, textOf(read));
    }
    for (const auto& [number, edge] : edges)
      if (const absl::Status read = readEdge(edge); !read.ok())
        return error("line {}: {}", number, textOf(read));
    return absl::OkStatus();
  }

  absl::StatusOr<LayerChain> chain() const {
    SBP_ASSIGN_OR_RETURN(const std::vector<int64_t> order, topologicalOrder());
    std::vector<int64_t> positions(nodes_.size());
    for (size_t i = 0; i < order.size(); ++i)
      positions[order[i]] = static_cast<int64_t>(i);
    LayerChain chain;
    // What crosses the cut after each layer: added where a tensor begins,
    // subtracted after its last reader.
    std::vector<double> changes(order.size() + 1, 0);
    for (int64_t index : order) {
      const Node& node = nodes_[index];
      chain.names.push_back(node.description);
      chain.forward.push_back(node.forward);
      chain.backward.push_back(node.backward);
      chain.weights.push_back(node.weights);
      chain.outputs.push_back(node.output);
      int64_t last = positions[index];
      for (int64_t reader : node.readers)
        if (nodes_[reader].isLayer()) last = std::max(last, positions[reader]);
      changes[positions[index]] += node.output;
      changes[last] -= node.output;
    }
    double crossing = 0;
    chain.cuts = {0};
    for (size_t i = 0; i < order.size(); ++i)
      chain.cuts.push_back(crossing += changes[i]);
    return chain;
  }

 private:
  absl::Status readNode(llvm::StringRef line) {
    // A description may have anything in it.
    const auto [name, rest] = line.split(" -- ");
    const auto [description, costs] = rest.rsplit(" -- ");
    if (costs.empty())
      return error("'{}' is no node: NAME -- DESCRIPTION -- COSTS is needed",
                   line.str());
    Node node;
    node.name = name.str();
    node.number = numberOf(name);
    node.description = description.str();
    SBP_RETURN_IF_ERROR(readCosts(costs, node));
    const auto index = static_cast<int64_t>(nodes_.size());
    if (!indices_.emplace(node.name, index).second)
      return error("there are two nodes {}", node.name);
    nodes_.push_back(std::move(node));
    return absl::OkStatus();
  }

  absl::Status readEdge(llvm::StringRef edge) {
    const auto [source, reader] = edge.split(" -- ");
    if (reader.empty())
      return error("'{}' is no edge: NAME -- NAME is needed", edge.str());
    for (llvm::StringRef name : {source, reader})
      if (indices_.count(name.str()) == 0)
        return error("the edge '{}' names {}, and there is no such node",
                     edge.str(), name.str());
    const int64_t to = indices_[reader.str()];
    nodes_[indices_[source.str()]].readers.push_back(to);
    ++nodes_[to].numSources;
    return absl::OkStatus();
  }

  /// Returns the layers in the order described in the header.
  absl::StatusOr<std::vector<int64_t>> topologicalOrder() const {
    using Entry = std::tuple<int64_t, int64_t>;  // number, index
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    std::vector<int64_t> missing;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      missing.push_back(nodes_[i].numSources);
      if (missing[i] == 0) ready.emplace(nodes_[i].number, i);
    }
    std::vector<int64_t> order;
    size_t numVisited = 0;
    while (!ready.empty()) {
      const int64_t index = std::get<1>(ready.top());
      ready.pop();
      ++numVisited;
      if (nodes_[index].isLayer()) order.push_back(index);
      for (int64_t reader : nodes_[index].readers)
        if (--missing[reader] == 0)
          ready.emplace(nodes_[reader].number, reader);
    }
    if (numVisited < nodes_.size()) {
      const auto inCycle =
          std::find_if(missing.begin(), missing.end(),
                       [](int64_t number) { return number > 0; });
      return error(
          "the edges have a cycle; node {} waits for itself or for a "
          "node of the cycle",
          nodes_[inCycle - missing.begin()].name);
    }
    return order;
  }

  std::vector<Node> nodes_;
  std::map<std::string, int64_t> indices_;  // by name
};

}  // namespace

absl::StatusOr<LayerChain> readProfile(std::string_view text) {
  Profile profile;
  SBP_RETURN_IF_ERROR(profile.read(text));
  return profile.chain();
}

}  // namespace sbp::search
