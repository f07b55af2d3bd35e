// Lower bounds by messages: what each state costs at least, without any table
// over more than two variables.
//
// Elimination is exact, but its tables may be too large to form. Here costs are
// moved about instead. A variable takes what the fans that link it to others
// (LinkedProblem.h) must cost with each of its states, and gives back a share
// of what it costs then:
//
//   a --- b --- c        b takes what a and c cost at least per state of b,
//    \_________/         adds its own costs, and gives each link a share
//
// That moves costs between variables and fans and changes no sum. What all
// states of a variable cost at least when it has taken all that it can is set
// aside: no assignment costs less than what has been set aside in all, the
// bound; and one with a certain state costs what that has left, besides. So the
// bound never falls, in whatever order this is done.
//
// Variables that are alike (AlikeVariables.h) do the same, so one of them is
// looked at for all.
//
// The variables have an order, and a sweep goes forward and back. On its way
// forward a variable gives to the fans that lead on. Where the fans are one
// chain, all costs arrive at its end, and the bound is the optimum after the
// first sweep. In general a variable divides what it has among its fans that
// lead on, or keeps some where more lead to it. With links this is sequential
// tree-reweighted message passing (V. Kolmogorov, Convergent Tree-Reweighted
// Message Passing for Energy Minimization, 2006, section 4), with fans what he
// made of it for factors of more variables (A New Look at Reweighted Message
// Passing, 2015).

#ifndef PASSES_SEARCH_SOLVERS_MESSAGES_H_
#define PASSES_SEARCH_SOLVERS_MESSAGES_H_

#include <cstddef>
#include <vector>

#include "passes/search/solvers/AlikeVariables.h"
#include "passes/search/solvers/Fan.h"
#include "passes/search/solvers/LinkedProblem.h"

namespace sbp::search {

class Messages {
 public:
  /// `problem` must outlive this.
  explicit Messages(const LinkedProblem& problem);

  /// Once forward and back.
  void sweep();

  /// Has variables take what they can from their fans and give nothing: what
  /// fans cost is as far as may be what their ends have taken then.
  void settle();

  /// Per face of an end of a fan, what the end has taken. The fan costs no less
  /// than its ends have taken together, whatever faces they show.
  std::vector<Cost> takenBy(size_t fan, size_t end) const;

  /// No assignment costs less.
  Cost bound() const { return bound_; }

  /// Of a variable, per state, what no assignment with it costs less than.
  const std::vector<Cost>& with(size_t variable) const {
    return classes_[alike_.classOf[variable]].with;
  }

 private:
  /// One end of `count` fans that are alike.
  struct End {
    size_t fan = 0;  // which of `fans_`
    size_t number = 0;
    double count = 0;
    const FacedVariable* view = nullptr;
    /// Whether variables come before, or after, in the fan.
    bool hasEarlier = false, hasLater = false;
  };

  /// Variables that are alike, of which one is looked at.
  struct Class {
    const std::vector<Cost>* own = nullptr;
    size_t numVariables = 0;
    std::vector<End> ends;
    Cost setAside = 0;
    std::vector<Cost> with;
  };

  void addFan(const LinkedProblem& problem, size_t index);

  enum class Give { ToLater, ToEarlier, Nothing };

  /// Has the variables of a class take what their fans cost, and give a share
  /// to those that lead on.
  void process(Class& variables, Give give);

  AlikeVariables alike_;
  std::vector<FanMessages> fans_;  // per class of fans
  std::vector<Class> classes_;
  Cost bound_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_MESSAGES_H_
