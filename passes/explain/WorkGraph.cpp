#include "passes/explain/WorkGraph.h"

#include <algorithm>
#include <map>

namespace sbp {

int64_t WorkGraph::add(double seconds, int64_t worker,
                       const std::vector<int64_t>& before) {
  auto number = static_cast<int64_t>(nodes_.size());
  Node node = {seconds, worker, 0};
  for (int64_t from : before) {
    node.head = std::max(node.head, nodes_[from].head + nodes_[from].seconds);
    edges_.push_back({from, number});
  }
  nodes_.push_back(node);
  return number;
}

double WorkGraph::longestChain() const {
  double longest = 0;
  for (const Node& node : nodes_)
    longest = std::max(longest, node.head + node.seconds);
  return longest;
}

std::vector<double> WorkGraph::tails() const {
  std::vector<double> tails(nodes_.size(), 0);
  // The list has all edges to a node before the edges from it. So the tail of
  // `edge->to` is complete when it is read.
  for (auto edge = edges_.rbegin(); edge != edges_.rend(); ++edge)
    tails[edge->from] =
        std::max(tails[edge->from], nodes_[edge->to].seconds + tails[edge->to]);
  return tails;
}

double WorkGraph::workersBound() const {
  struct Share {
    double head, work, tail;
  };
  std::map<int64_t, Share> shares;
  const std::vector<double> tailOf = tails();
  for (size_t number = 0; number < nodes_.size(); ++number) {
    const Node& node = nodes_[number];
    if (node.worker == kNoWorker) continue;
    auto [known, isNew] =
        shares.try_emplace(node.worker, Share{node.head, 0, tailOf[number]});
    Share& share = known->second;
    share.head = std::min(share.head, node.head);
    share.work += node.seconds;
    share.tail = std::min(share.tail, tailOf[number]);
  }
  double bound = 0;
  for (const auto& [worker, share] : shares)
    bound = std::max(bound, share.head + share.work + share.tail);
  return bound;
}

}  // namespace sbp
