#include "passes/search/solvers/AlikeVariables.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sbp::search {
namespace {

/// Numbers of distinct values, in the order in which the values are first seen.
template <typename Thing>
class Numbers {
 public:
  size_t of(Thing thing) {
    return known_.try_emplace(std::move(thing), known_.size()).first->second;
  }
  size_t size() const { return known_.size(); }

 private:
  std::map<Thing, size_t> known_;
};

class Refinement {
 public:
  explicit Refinement(const FactorGraph& problem)
      : problem_(problem), endsOf_(problem.own.size()) {
    Numbers<std::vector<Cost>> owns;
    for (const std::vector<Cost>& own : problem.own)
      alike_.classOf.push_back(owns.of(own));
    Numbers<std::vector<State>> projections;
    std::vector<size_t> projectionsOf;  // per view
    for (const ProjectedVariable& view : problem.views)
      projectionsOf.push_back(projections.of(view.projectionOf));
    Numbers<std::tuple<double, std::vector<size_t>, std::vector<size_t>>>
        factors;
    for (size_t index = 0; index < problem.factors.size(); ++index) {
      const FactorGraph::Factor& factor = problem.factors[index];
      std::vector<size_t> ends;
      for (size_t number = 0; number < factor.views.size(); ++number) {
        ends.push_back(projectionsOf[factor.views[number]]);
        endsOf_[variableAt(factor, number)].push_back({index, number});
      }
      alike_.factorClassOf.push_back(
          factors.of({factor.times, factor.costs, ends}));
    }
  }

  AlikeVariables run() {
    do refine();
    while (tellApart());
    return std::move(alike_);
  }

 private:
  size_t variableAt(const FactorGraph::Factor& factor, size_t number) const {
    return problem_.views[factor.views[number]].variable;
  }

  /// Splits classes until the classes of variables and those of factors agree.
  void refine() {
    for (size_t before = 0, after = 1; before != after;) {
      before = after;
      Numbers<std::pair<size_t, std::vector<size_t>>> factors;
      for (size_t index = 0; index < problem_.factors.size(); ++index) {
        const FactorGraph::Factor& factor = problem_.factors[index];
        std::vector<size_t> ends;
        for (size_t number = 0; number < factor.views.size(); ++number)
          ends.push_back(alike_.classOf[variableAt(factor, number)]);
        size_t& known = alike_.factorClassOf[index];
        known = factors.of({known, std::move(ends)});
      }
      Numbers<std::pair<size_t, std::vector<std::pair<size_t, size_t>>>>
          variables;
      for (size_t v = 0; v < endsOf_.size(); ++v) {
        std::vector<std::pair<size_t, size_t>> ends;
        for (auto [factor, number] : endsOf_[v])
          ends.push_back({alike_.factorClassOf[factor], number});
        std::sort(ends.begin(), ends.end());
        alike_.classOf[v] = variables.of({alike_.classOf[v], std::move(ends)});
      }
      after = factors.size() + variables.size();
    }
  }

  /// Looks for a factor with two ends in one class, and gives each variable of
  /// this class a class of its own. Returns whether there was such a factor.
  bool tellApart() {
    for (const FactorGraph::Factor& factor : problem_.factors) {
      std::vector<size_t> classes;
      for (size_t number = 0; number < factor.views.size(); ++number)
        classes.push_back(alike_.classOf[variableAt(factor, number)]);
      std::sort(classes.begin(), classes.end());
      auto twice = std::adjacent_find(classes.begin(), classes.end());
      if (twice == classes.end()) continue;
      for (size_t v = 0; v < alike_.classOf.size(); ++v)
        if (alike_.classOf[v] == *twice)
          alike_.classOf[v] = alike_.classOf.size() + v;
      return true;
    }
    return false;
  }

  const FactorGraph& problem_;
  /// Per variable, its factors, and the number of its end in each of them.
  std::vector<std::vector<std::pair<size_t, size_t>>> endsOf_;
  AlikeVariables alike_;
};

}  // namespace

AlikeVariables alikeVariablesOf(const FactorGraph& problem) {
  return Refinement(problem).run();
}

}  // namespace sbp::search
