#include "passes/search/solvers/EliminationOrder.h"

#include <algorithm>
#include <utility>

namespace sbp::search {
namespace {

enum class Rule { LeastWork, LeastTable };

class Ordering {
 public:
  Ordering(const Problem& problem, Neighbours neighbours, Rule rule)
      : problem_(problem), neighbours_(std::move(neighbours)), rule_(rule) {}

  EliminationOrder run() {
    EliminationOrder order;
    std::set<std::pair<double, int64_t>> left;
    std::vector<double> scores;
    for (int64_t v = 0; v < problem_.numVariables(); ++v) {
      scores.push_back(scoreOf(v));
      left.insert({scores[v], v});
    }
    while (!left.empty()) {
      int64_t next = left.begin()->second;
      left.erase(left.begin());
      order.variables.push_back(next);
      order.largestTable = std::max(order.largestTable, tableOf(next));
      order.tableEntries += tableOf(next);
      order.work += tableOf(next) * numStates(next);
      std::set<int64_t> scope = std::move(neighbours_[next]);
      for (int64_t neighbour : scope) {
        neighbours_[neighbour].erase(next);
        for (int64_t other : scope)
          if (other != neighbour) neighbours_[neighbour].insert(other);
      }
      for (int64_t neighbour : scope) {
        left.erase({scores[neighbour], neighbour});
        scores[neighbour] = scoreOf(neighbour);
        left.insert({scores[neighbour], neighbour});
      }
    }
    return order;
  }

 private:
  double numStates(int64_t variable) const {
    return static_cast<double>(problem_.numStates(variable));
  }
  double tableOf(int64_t variable) const {
    double entries = 1;
    for (int64_t neighbour : neighbours_[variable])
      entries *= numStates(neighbour);
    return entries;
  }
  double scoreOf(int64_t variable) const {
    return rule_ == Rule::LeastTable ? tableOf(variable)
                                     : tableOf(variable) * numStates(variable);
  }

  const Problem& problem_;
  Neighbours neighbours_;
  Rule rule_;
};

}  // namespace

EliminationOrder findEliminationOrder(const Problem& problem,
                                      const Neighbours& neighbours) {
  EliminationOrder byWork =
      Ordering(problem, neighbours, Rule::LeastWork).run();
  EliminationOrder byTable =
      Ordering(problem, neighbours, Rule::LeastTable).run();
  return byTable.work < byWork.work ? byTable : byWork;
}

}  // namespace sbp::search
