// A program as the search sees it: decisions, and tensors that flow between
// them.
//
// A decision is how an op runs: which of its loops each mesh axis splits. It
// has a state per legal signature. Ops that must run alike are members of one
// decision: an op of the forward program, the ops that compute its gradients,
// and ops that do the same with the same tensor (the projections to queries,
// keys and values). The placement of an argument or a parameter is a decision
// too.
//
// Each state of a decision gives a placement to every tensor that the decision
// touches. Such a touch is a slot:
//
//   decision "up" = einsum "btd,df->btf"        slots:  x     w     y     ...
//     state 0   every device does all                   B     B     B
//     state 1   axis splits b                           S(0)  B     S(0)
//     state 2   axis splits f                           B     S(1)  S(2)
//     state 3   axis splits d                           S(2)  S(0)  P(sum)
//
// A flow is a tensor on its way from the slot that makes it to the slots that
// use it. If a use has another placement, the tensor must be moved. The cost of
// the move depends on both decisions, so flows link the decisions:
//
//   layer norm --x--> up --h--> gelu --h'--> down --y--> add
//
// The graph has no IR. ReadProgram.h makes it from a program.

#ifndef PASSES_SEARCH_DECISIONS_DECISIONGRAPH_H_
#define PASSES_SEARCH_DECISIONS_DECISIONGRAPH_H_

#include <map>
#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/boxing/Terms.h"
#include "passes/cost/Collectives.h"

namespace sbp::search {

/// Numbers of placements, from 0 in the order of first use.
class PlacementTable {
 public:
  using Number = int32_t;

  Number numberOf(llvm::ArrayRef<Component> placement);
  llvm::ArrayRef<Component> operator[](Number number) const {
    return placements_[number];
  }
  /// Whether a component of the placement is Partial.
  bool isPartial(Number number) const { return isPartial_[number]; }
  size_t size() const { return placements_.size(); }

 private:
  std::vector<Placement> placements_;
  std::vector<bool> isPartial_;
  std::map<std::vector<Component>, Number> numbers_;
};

/// A tensor that a decision touches.
struct Slot {
  int64_t decision = -1;
  int64_t index = -1;  // among the slots of the decision

  friend bool operator==(Slot a, Slot b) {
    return a.decision == b.decision && a.index == b.index;
  }
};

/// A decision: its states, and the ops that it decides.
struct Decision {
  /// Placements and costs of all members if this state is chosen.
  struct State {
    /// Placement per slot.
    std::vector<PlacementTable::Number> placements;
    /// Seconds that all members compute in one step.
    double seconds = 0;
    /// Seconds of communication of members that communicate themselves, in one
    /// step.
    double communicatingSeconds = 0;
    /// Bytes of scratch memory per member, beside operands and results; empty
    /// if no member has any.
    std::vector<double> workingBytes;
    /// Bytes per member that every layout of buffers needs beside its operands:
    /// scratch memory, and results that cannot overwrite an operand. Empty if
    /// no member has any.
    std::vector<double> certainBytes;
  };
  /// An op: its index in its function, and the index of the function.
  struct Member {
    int64_t function = 0, op = 0;
  };

  std::string name;
  std::vector<State> states;
  std::vector<Member> members;
};

/// A tensor that flows from the slot that makes it to the slots that use it.
struct Flow {
  /// A use. Ops are indices in the function of the flow.
  struct Use {
    Slot slot;
    /// Whether the use writes the tensor to the memory of a parameter, so that
    /// it has no memory of its own.
    bool isStored = false;
    /// The first and the last op that use the tensor in this slot.
    int64_t first = 0, last = 0;
    /// Index, in `uses`, of the pin that this use comes after; -1 if there is
    /// none. The use is served from the version that was made for the pin
    /// (PinnedFlows.h).
    int64_t behind = -1;
    /// Last op during which the version for this use is certainly in memory.
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
  /// Number of times that the tensor flows per step.
  double times = 1;

  /// Index of the function in which the tensor flows; ops are indices in this
  /// function.
  int64_t function = 0;
  /// The op that makes the tensor, and the last op that uses it in the
  /// placement in which it was made.
  int64_t madeAt = 0, keptUntil = 0;
  /// Other tensors may share a bucket with this one. This is the last op before
  /// which one of them moves; -1 if this tensor moves alone.
  int64_t waitsUntil = -1;
  /// First and last op during which the tensor is certainly in memory of its
  /// own, in the placement in which it was made; none if the last is before the
  /// first.
  int64_t certainFrom = 0, certainUntil = -1;
  /// Whether the memory belongs to a caller or a parameter, which keeps the
  /// tensor.
  bool isLent = false;
  /// Whether the tensor may be moved to another placement.
  bool mayMove = true;
  /// Whether the terms of the tensor must not be reduced
  /// (passes/boxing/UnreducedGradients.h).
  bool keepsTerms = false;

  /// Returns whether the tensor may move from placement `from` to `to`.
  bool mayBecome(PlacementTable::Number from, PlacementTable::Number to,
                 const PlacementTable& placements) const {
    if (from == to) return true;
    return mayMove &&
           !(keepsTerms && addsUpTerms(placements[from], placements[to]));
  }
};

/// A function, as a frame of memory on a stack of calls. Its ops run in order.
struct Frame {
  /// A call: its op in this function, and the function called.
  struct Call {
    int64_t op = 0;
    int64_t function = 0;
  };

  /// Two ops between which other calls of the function run, by the schedule of
  /// a pipeline. A value that lives from op `from` to op `until`, or longer,
  /// exists for `copies` calls at once.
  struct Hold {
    int64_t from = 0, until = 0;
    int64_t copies = 1;
  };

  int64_t numOps = 0;
  llvm::SmallVector<Call, 2> calls;
  /// Empty unless the function is repeated for each micro-batch of a pipeline.
  llvm::SmallVector<Hold, 2> holds;

  /// Returns the number of calls for which a value exists at once that lives
  /// from op `first` to op `last`; 0 if no other call runs in between.
  int64_t copiesOf(int64_t first, int64_t last) const;
};

/// An op per function: the one that runs; -1 if none runs.
using Moment = std::vector<int64_t>;

/// A parameter, or a tensor of the optimiser's state. It is always in memory.
struct KeptTensor {
  bool isState = false;  // whether it is state of the optimiser
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  Slot slot;
};

/// Decisions, flows and memory of an entry.
struct DecisionGraph {
  Mesh mesh;
  PlacementTable placements;
  std::vector<Decision> decisions;
  std::vector<Flow> flows;
  std::vector<Frame> functions;  // the entry first
  std::vector<KeptTensor> kept;
  /// Bytes of parameters, and of the optimiser's state, that the entry does not
  /// use.
  double otherParameterBytes = 0, otherStateBytes = 0;

  double otherBytes() const { return otherParameterBytes + otherStateBytes; }

  /// Whether the tasks of a pipeline run at `moment`.
  bool isInPipeline(const Moment& moment) const;

  PlacementTable::Number placementAt(Slot slot, int64_t state) const {
    return decisions[slot.decision].states[state].placements[slot.index];
  }

  /// Returns the placement in which `flow` is made, and the one of each use, if
  /// decision i has state `assignment[i]`.
  llvm::SmallVector<PlacementTable::Number, 4> placementsOf(
      const Flow& flow, llvm::ArrayRef<int32_t> assignment) const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_DECISIONGRAPH_H_
