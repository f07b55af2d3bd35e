// A program as the search sees it: decisions, and the tensors that flow between
// them.
//
// A decision is how an op runs: which of its loops each mesh axis splits. It
// has a state per legal signature. What is decided together is one decision: an
// op of the forward program, the ops that compute its gradients, and ops that
// do the same with the same tensor (the projections to queries, keys and
// values). How an argument or a parameter lies is a decision too.
//
// In each of its states a decision lays every tensor that it touches in some
// placement. Each such touch is a slot:
//
//   decision "up" = einsum "btd,df->btf"        slots:  x     w     y     ...
//     state 0   every device does all                   B     B     B
//     state 1   axis splits b                           S(0)  B     S(0)
//     state 2   axis splits f                           B     S(1)  S(2)
//     state 3   axis splits d                           S(2)  S(0)  P(sum)
//
// A tensor flows from the slot that makes it to the slots that use it. Where
// they lay it otherwise it must be moved, which is what links the decisions:
//
//   layer norm --x--> up --h--> gelu --h'--> down --y--> add
//
// Nothing here knows IR; ReadProgram.h makes such a graph from a program.

#ifndef PASSES_SEARCH_PROGRAM_DECISIONGRAPH_H_
#define PASSES_SEARCH_PROGRAM_DECISIONGRAPH_H_

#include <map>
#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/boxing/Terms.h"
#include "passes/cost/Collectives.h"

namespace sbp::search {

/// Placements, each known by a number.
class PlacementTable {
 public:
  using Number = int32_t;

  Number numberOf(llvm::ArrayRef<Component> placement);
  llvm::ArrayRef<Component> operator[](Number number) const {
    return placements_[number];
  }
  /// Whether some component is Partial.
  bool isPartial(Number number) const { return isPartial_[number]; }
  size_t size() const { return placements_.size(); }

 private:
  std::vector<Placement> placements_;
  std::vector<bool> isPartial_;
  std::map<std::vector<Component>, Number> numbers_;
};

/// Where a decision touches a tensor.
struct Slot {
  int64_t decision = -1;
  int64_t index = -1;  // among the slots of the decision

  friend bool operator==(Slot a, Slot b) {
    return a.decision == b.decision && a.index == b.index;
  }
};

struct Decision {
  struct State {
    /// Per slot.
    std::vector<PlacementTable::Number> placements;
    /// What the ops of the decision compute, over a whole step.
    double seconds = 0;
    /// What those of them take that communicate themselves.
    double communicatingSeconds = 0;
    /// Bytes that each member works in, beside operands and results; empty if
    /// none does.
    std::vector<double> workingBytes;
    /// What each member takes for certain beside its operands: what its kernel
    /// works in, and results that cannot lie where an operand lies; empty if
    /// none does.
    std::vector<double> certainBytes;
  };
  /// An op, and the function that it stands in.
  struct Member {
    int64_t function = 0, op = 0;
  };

  std::string name;
  std::vector<State> states;
  std::vector<Member> members;
};

/// A tensor on its way from the slot that makes it to those that use it.
struct Flow {
  struct Use {
    Slot slot;
    /// Written to where a parameter is kept, so it takes no memory of its own.
    bool isStored = false;
    /// The first op and the last one that use the tensor so.
    int64_t first = 0, last = 0;
    /// The pin that stands before this use, as its number among the uses, or
    /// -1. The use is served from what was laid for the pin (PinnedFlows.h).
    int64_t behind = -1;
    /// The last op during which the tensor is in memory so for certain.
    int64_t certainUntil = -1;

    bool isLike(const Use& other) const {
      return slot == other.slot && isStored == other.isStored &&
             behind == other.behind;
    }
  };

  enum class Kind { Input, Activation, Gradient };

  Kind kind = Kind::Activation;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  Slot made;
  llvm::SmallVector<Use, 2> uses;  // in the order in which they are served
  Bucketing bucketing = Bucketing::alone();
  /// How often per step.
  double times = 1;

  /// The function in which it flows. Ops are numbers in that function.
  int64_t function = 0;
  /// The op that makes it, and the last one that uses it as it was made.
  int64_t madeAt = 0, keptUntil = 0;
  /// The last op that uses a tensor which may be in one bucket with this one;
  /// -1 if this one moves alone.
  int64_t waitsUntil = -1;
  /// The ops during which it is in memory for certain, as it was made and in
  /// memory of its own; none if the last comes before the first.
  int64_t certainFrom = 0, certainUntil = -1;
  /// Who gave the tensor keeps it in memory: a caller, or a parameter.
  bool isLent = false;
  /// Whether it may be laid otherwise on its way.
  bool mayMove = true;
  /// Whether its terms may not be added up
  /// (passes/boxing/UnreducedGradients.h).
  bool keepsTerms = false;

  /// Returns whether it may be laid so on its way.
  bool mayBecome(PlacementTable::Number from, PlacementTable::Number to,
                 const PlacementTable& placements) const {
    if (from == to) return true;
    return mayMove &&
           !(keepsTerms && addsUpTerms(placements[from], placements[to]));
  }
};

/// A function, as far as memory goes: its ops run in order.
struct Frame {
  struct Call {
    int64_t op = 0;
    int64_t function = 0;
  };

  int64_t numOps = 0;
  llvm::SmallVector<Call, 2> calls;
};

/// A parameter, which is in memory all the time.
struct KeptTensor {
  bool isState = false;  // of the optimiser
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  Slot slot;
};

struct DecisionGraph {
  Mesh mesh;
  PlacementTable placements;
  std::vector<Decision> decisions;
  std::vector<Flow> flows;
  std::vector<Frame> functions;  // the entry first
  std::vector<KeptTensor> kept;
  /// Bytes of parameters, and of the optimiser's state, that the entry has
  /// nothing to do with.
  double otherParameterBytes = 0, otherStateBytes = 0;

  double otherBytes() const { return otherParameterBytes + otherStateBytes; }

  PlacementTable::Number placementAt(Slot slot, int64_t state) const {
    return decisions[slot.decision].states[state].placements[slot.index];
  }
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_DECISIONGRAPH_H_
