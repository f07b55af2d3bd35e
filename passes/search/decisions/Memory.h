// Memory of a plan: the tensors that are always kept, and the peak of all
// others.
//
// Ops run in order. So a moment is an op of the entry. If this op is a call,
// the moment is also an op of the called function, and so on:
//
//   entry    ... call @layer, call @layer, [call @layer], call @head ...
//   @layer                   ... norm, [einsum], gelu ...
//
// The memory at a moment is the sum of the versions that each flow has then
// (FlowVersions.h), and of the parameters. So the peak of a plan is found
// function by function; and the memory at one moment is a sum over flows, a
// resource that the search can keep within a limit.
//
// Scratch memory of a kernel counts while its op runs, if there is a code
// generator to ask (KernelRoom.h).
//
// There are two ways to count bytes:
//
//   Ample    Each tensor has memory of its own, from before the op that makes
//            it until after the last op that uses it. A plan mostly takes less,
//            because results overwrite operands; it takes more only by gaps
//            between buffers. A tensor that moves in a bucket stays in
//            memory, in both placements, until the last tensor that may share a
//            bucket with it moves. It then counts only by a fraction: what a
//            full bucket holds of all such tensors.
//   Certain  Only what no layout of buffers can do without. An operand at its
//            last use, and a result that may overwrite it, count once. While a
//            tensor moves, its source does not count. An operand whose last
//            use is a call does not count during the call. A reshape has no
//            memory of its own. The sum bounds the allocated memory.

#ifndef PASSES_SEARCH_DECISIONS_MEMORY_H_
#define PASSES_SEARCH_DECISIONS_MEMORY_H_

#include <iterator>
#include <vector>

#include "passes/search/decisions/Counting.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Bytes at some moment, by what they are for.
struct MemoryParts {
  double parameters = 0;
  double state = 0;  // of the optimiser
  double inputs = 0;
  double activations = 0;
  double gradients = 0;
  double boxed = 0;    // versions in other placements than the first one
  double working = 0;  // scratch memory of kernels and halos
  double gaps = 0;     // between buffers; 0 in a search

  double sum() const;
};

/// A member of MemoryParts, with its key in machine-readable output and its
/// words in text.
struct MemoryPart {
  using Member = double MemoryParts::*;

  const char* key;    // "state"
  const char* words;  // "optimiser state"
  Member bytes;
};

/// All members of MemoryParts.
inline constexpr MemoryPart kMemoryParts[] = {
    {"parameters", "parameters", &MemoryParts::parameters},
    {"state", "optimiser state", &MemoryParts::state},
    {"inputs", "inputs", &MemoryParts::inputs},
    {"activations", "activations", &MemoryParts::activations},
    {"gradients", "gradients", &MemoryParts::gradients},
    {"boxed", "copies in other placements", &MemoryParts::boxed},
    {"working", "scratch memory of kernels", &MemoryParts::working},
    {"gaps", "gaps between buffers", &MemoryParts::gaps},
};
static_assert(sizeof(MemoryParts) == std::size(kMemoryParts) * sizeof(double),
              "a part is not listed");

/// The peak memory of a plan, and the moment of the peak.
struct PeakMemory {
  double bytes = 0;   // on the busiest device
  MemoryParts parts;  // the sum is `bytes`
  Moment moment;
};

/// Returns the peak memory of one run of the entry, if decision i has state
/// `assignment[i]`.
PeakMemory peakMemory(const DecisionGraph& graph, const Assignment& assignment,
                      Movements& movements,
                      Counting counting = Counting::Ample);

/// Returns the moments at which the memory has a local maximum, over the ops of
/// the entry. The highest one is first.
std::vector<Moment> highMoments(const DecisionGraph& graph,
                                const Assignment& assignment,
                                Movements& movements,
                                Counting counting = Counting::Ample);

/// Returns `memoryBytes` without the bytes of parameters that the entry does
/// not use; at least 1.
double ownLimit(const DecisionGraph& graph, double memoryBytes);

/// Returns the bytes of a parameter in `placement`, on the busiest device.
double keptBytes(const KeptTensor& tensor, llvm::ArrayRef<Component> placement,
                 const Mesh& mesh);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_MEMORY_H_
