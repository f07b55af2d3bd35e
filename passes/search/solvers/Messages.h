// Lower bounds by min-sum message passing: a bound for each state of each
// variable, without tables over more than two variables.
//
// Elimination is exact, but its tables may be too large. Messages move costs
// between variables and factors instead (FactorGraph.h; a reparametrisation). A
// variable takes from its factors what they cost at least with each of its
// states (min-marginals), adds its own costs, and gives each factor a share of
// the sum:
//
//   a --- b --- c        b takes what a and c cost at least per state of b,
//    \_________/         adds its own costs, and gives each link a share
//
// No sum of costs changes. The least cost over all states of a variable, after
// it has taken, is a constant that is set aside. The sum of all costs set aside
// is a lower bound for every assignment. The cost that remains with a state,
// plus this sum, is a bound for the assignments with this state. The bound
// never falls, whatever the order of the steps.
//
// Variables that are alike (AlikeVariables.h) exchange equal messages, so one
// of them is computed for all.
//
// The variables have an order, and a sweep goes forward and back. On the way
// forward a variable gives to the factors that have later variables. If the
// factors are one chain, all costs arrive at its end, and the bound is the
// optimum after the first sweep. In general a variable divides its costs among
// the factors with later variables, and keeps some if more factors have earlier
// ones. With links this is sequential tree-reweighted message passing (V.
// Kolmogorov, Convergent Tree-Reweighted Message Passing for Energy
// Minimization, 2006, section 4); with factors it is Kolmogorov's extension to
// factors of more variables (A New Look at Reweighted Message Passing, 2015).

#ifndef PASSES_SEARCH_SOLVERS_MESSAGES_H_
#define PASSES_SEARCH_SOLVERS_MESSAGES_H_

#include <cstddef>
#include <vector>

#include "passes/search/solvers/AlikeVariables.h"
#include "passes/search/solvers/FactorGraph.h"
#include "passes/search/solvers/FactorMessages.h"

namespace sbp::search {

/// The messages of a factor graph, and the bounds that they give.
class Messages {
 public:
  /// `problem` must outlive this.
  explicit Messages(const FactorGraph& problem);

  /// Goes once forward and once back over all variables.
  void sweep();

  /// Has all variables take from their factors and give nothing. Afterwards the
  /// ends of each factor have taken as much of its costs as possible.
  void collect();

  /// Returns the costs that an end of a factor has taken, per projection. For
  /// every choice of a projection per end, the factor costs no less than the
  /// sum of what its ends have taken.
  std::vector<Cost> takenBy(size_t factor, size_t end) const;

  /// Returns a lower bound of the cost of every assignment.
  Cost bound() const { return bound_; }

  /// Returns a lower bound, per state of `variable`, of the cost of every
  /// assignment with this state.
  const std::vector<Cost>& with(size_t variable) const {
    return classes_[alike_.classOf[variable]].with;
  }

 private:
  /// One end of `count` factors that are alike.
  struct End {
    size_t factor = 0;  // Index into factors_.
    size_t number = 0;
    double count = 0;
    const ProjectedVariable* view = nullptr;
    /// Whether the factor has earlier, or later, variables in the order.
    bool hasEarlier = false, hasLater = false;
  };

  /// A class of variables that are alike. Its values are those of the first
  /// one.
  struct Class {
    const std::vector<Cost>* own = nullptr;
    size_t numVariables = 0;
    std::vector<End> ends;
    Cost setAside = 0;
    std::vector<Cost> with;
  };

  void addFactor(const FactorGraph& problem, size_t index);

  enum class Give { ToLater, ToEarlier, Nothing };

  /// Has the variables of a class take what their factors cost at least, and
  /// give shares to the factors with later or earlier variables.
  void process(Class& variables, Give give);

  AlikeVariables alike_;
  std::vector<FactorMessages> factors_;  // per class of factors
  std::vector<Class> classes_;
  Cost bound_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_MESSAGES_H_
