#include "passes/search/solvers/Blend.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>

namespace sbp::search {
namespace {

/// A connected set of variables in which two assignments differ.
struct Part {
  std::vector<int64_t> variables;
  double saves = 0;
  /// Per resource, the additional use, as a fraction of the resource's limit.
  std::vector<double> uses;

  double allUses() const {
    return std::accumulate(uses.begin(), uses.end(), 0.0);
  }
};

class Blend {
 public:
  Blend(const Problem& problem, const std::vector<Resource>& resources,
        const Assignment& fitting, const Assignment& other)
      : problem_(problem),
        resources_(resources),
        other_(other),
        blend_(fitting),
        linkedTo_(problem.numVariables()) {
    std::iota(linkedTo_.begin(), linkedTo_.end(), 0);
  }

  Assignment run() {
    std::vector<Part> parts = findParts();
    // Parts that free memory come before parts that take memory.
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      bool isFree = a.allUses() <= 0, isOtherFree = b.allUses() <= 0;
      if (isFree || isOtherFree) return isFree && !isOtherFree;
      return a.saves * b.allUses() > b.saves * a.allUses();
    });
    std::vector<double> left;
    for (const Resource& resource : resources_)
      left.push_back(1 - resource.usedBy(problem_, blend_) / resource.limit);
    for (const Part& part : parts) {
      if (part.saves <= 0 || !fits(part, left)) continue;
      for (size_t r = 0; r < left.size(); ++r) left[r] -= part.uses[r];
      for (int64_t variable : part.variables)
        blend_[variable] = other_[variable];
    }
    return blend_;
  }

 private:
  bool isAlike(int64_t variable) const {
    return blend_[variable] == other_[variable];
  }

  /// Returns the first variable of the part of `variable` (union-find).
  int64_t firstOf(int64_t variable) {
    while (linkedTo_[variable] != variable)
      variable = linkedTo_[variable] = linkedTo_[linkedTo_[variable]];
    return variable;
  }

  static bool fits(const Part& part, const std::vector<double>& left) {
    for (size_t r = 0; r < left.size(); ++r)
      if (part.uses[r] > 0 && part.uses[r] > left[r]) return false;
    return true;
  }

  std::vector<Part> findParts() {
    const std::vector<Table>& tables = problem_.tables();
    // Per table over a variable that differs, one such variable.
    std::vector<std::pair<size_t, int64_t>> touched;
    for (size_t t = 0; t < tables.size(); ++t) {
      int64_t first = -1;
      for (int64_t variable : tables[t].variables) {
        if (isAlike(variable)) continue;
        if (first < 0) first = variable;
        int64_t a = firstOf(first), b = firstOf(variable);
        linkedTo_[std::max(a, b)] = std::min(a, b);
      }
      if (first >= 0) touched.push_back({t, first});
    }
    std::map<int64_t, Part> parts;  // by their first variables
    for (int64_t variable = 0; variable < problem_.numVariables(); ++variable)
      if (!isAlike(variable))
        parts[firstOf(variable)].variables.push_back(variable);
    for (auto [table, variable] : touched)
      addTable(table, parts[firstOf(variable)]);
    std::vector<Part> all;
    for (auto& [first, part] : parts) {
      part.uses.resize(resources_.size(), 0);
      all.push_back(std::move(part));
    }
    return all;
  }

  void addTable(size_t table, Part& part) const {
    int64_t from = problem_.entryOf(table, blend_);
    int64_t to = problem_.entryOf(table, other_);
    const std::vector<Cost>& costs = problem_.tables()[table].costs;
    part.saves += costs[from] - costs[to];
    part.uses.resize(resources_.size(), 0);
    for (size_t r = 0; r < resources_.size(); ++r) {
      const std::vector<double>& uses = resources_[r].uses[table];
      if (!uses.empty())
        part.uses[r] += (uses[to] - uses[from]) / resources_[r].limit;
    }
  }

  const Problem& problem_;
  const std::vector<Resource>& resources_;
  const Assignment& other_;
  Assignment blend_;
  std::vector<int64_t> linkedTo_;  // a smaller variable of the part, or itself
};

}  // namespace

Assignment blend(const Problem& problem, const std::vector<Resource>& resources,
                 const Assignment& fitting, const Assignment& other) {
  return Blend(problem, resources, fitting, other).run();
}

}  // namespace sbp::search
