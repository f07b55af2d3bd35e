// Lower bounds by messages: what each state costs at least, without any table
// over more than two variables.
//
// Elimination is exact, but its tables may be too large to form. Here every
// variable only tells its neighbours, per state of theirs, what it would cost
// at best to live with that state:
//
//   a --- b --- c        b hears from a and c, adds its own costs, and passes
//    \_________/         on a share of the sum to each
//
// The variables stand in an order. A sweep goes forward, where each variable
// tells those after it, and back, where it tells those before. The links form
// chains along the order, a variable of k links to one side is on k chains, and
// its share for each is one k-th. In every chain messages are exact, as in
// elimination; so what the chains cost at best adds up to a bound for the
// whole, and it never falls from sweep to sweep. Where the links are one chain
// it is the optimum after the first. This is sequential tree-reweighted message
// passing (V. Kolmogorov, Convergent Tree-Reweighted Message Passing for Energy
// Minimization, 2006, section 4).
//
// At its turn a variable knows, for each of its states, by how much the chains
// through it cost more with that state; so each state has a bound as well.
//
// Many states are alike to a neighbour: an op that runs in a thousand ways lays
// one tensor in a few hundred. So a link sees a variable by faces, and what a
// message costs is the product of two numbers of faces.

#ifndef PASSES_SEARCH_SOLVERS_MESSAGES_H_
#define PASSES_SEARCH_SOLVERS_MESSAGES_H_

#include <cstddef>
#include <vector>

#include "passes/search/Problem.h"

namespace sbp::search {

/// Costs of two faces: `rows` x `columns`, row-major, all finite.
struct FaceCosts {
  size_t rows = 0, columns = 0;
  std::vector<Cost> costs;
};

/// A variable as links see it.
struct FacedVariable {
  size_t variable = 0;
  size_t numFaces = 0;
  std::vector<State> faceOf;  // per state
};

/// Variables with costs of their own, and links between two of them.
struct LinkedProblem {
  struct Link {
    /// Which of `views`; of two variables.
    size_t rows = 0, columns = 0;
    size_t costs = 0;  // which of `costs`
    double times = 1;  // a factor of these
  };

  std::vector<std::vector<Cost>> own;  // per variable and state, finite
  std::vector<FacedVariable> views;
  std::vector<FaceCosts> costs;
  std::vector<Link> links;
};

class Messages {
 public:
  /// `problem` must outlive this.
  explicit Messages(const LinkedProblem& problem);

  /// Once forward and back.
  void sweep();

  /// No assignment costs less; known after the first sweep.
  Cost bound() const { return bound_; }

  /// Per variable and state, what no assignment with it costs less than; known
  /// after the second sweep.
  const std::vector<std::vector<Cost>>& with() const { return with_; }

 private:
  enum class Direction { Forward, Back };

  /// What a link has told the variable at each of its ends, per face.
  struct Heard {
    std::vector<Cost> byRows, byColumns;
  };
  /// One end of a link.
  struct End {
    size_t link = 0;
    bool isRows = false;
  };

  /// What `variable` costs by all that it has heard, per state.
  std::vector<Cost> sumOf(size_t variable) const;
  /// Tells the other end of a link of `share` of what its variable costs;
  /// returns the least of it, which the message leaves out.
  Cost tell(const End& from, const std::vector<Cost>& sum, double share);
  /// Processes one variable; returns how much the bound gains by it.
  Cost process(size_t variable, Direction direction);

  const FacedVariable& viewOf(const End& end) const;
  size_t otherVariable(const End& end) const;

  const LinkedProblem& problem_;
  std::vector<Heard> heard_;                       // per link
  std::vector<std::vector<End>> earlier_, later_;  // links, per variable
  std::vector<std::vector<Cost>> with_;
  Cost bound_ = 0;
  int sweeps_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_MESSAGES_H_
