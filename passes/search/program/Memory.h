// How much memory a plan takes: what is kept all the time, and what is needed
// at once when most is.
//
// Ops run in order, so a moment is an op of the entry, and if that is a call an
// op of the function that runs then, and so on:
//
//   entry    ... call @layer, call @layer, [call @layer], call @head ...
//   @layer                   ... norm, [einsum], gelu ...
//
// What is in memory at a moment is the sum of what each flow keeps there
// (FlowVersions.h), and of the parameters. So the most that a plan takes is
// found function by function, and one moment is a sum over flows, a resource
// that the search can keep within a limit.
//
// What a kernel works in beside its operands and results is there while its op
// runs, as far as there is a code generator to ask (KernelRoom.h).
//
// Bytes are counted in one of two ways:
//
//   Ample    Each tensor has memory of its own, from before the op that makes
//            it until after the last that uses it. A plan mostly takes less
//            than that, as results overwrite operands; more only by gaps
//            between buffers. What moves in a bucket is there, before and
//            after, until the last tensor of such buckets moves: of each as
//            large a part as a full bucket is of all.
//   Certain  What no layout of buffers does without. An operand that an op is
//            the last to use, and a result that may lie in its place, count
//            once; what a tensor is moved from does not count while it moves;
//            what a call uses last does not count during the call; a reshape
//            has no memory of its own. This is a bound for what is allocated.

#ifndef PASSES_SEARCH_PROGRAM_MEMORY_H_
#define PASSES_SEARCH_PROGRAM_MEMORY_H_

#include <iterator>
#include <vector>

#include "passes/search/Problem.h"
#include "passes/search/program/Counting.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// Per function the op that runs; -1 where none does.
using Moment = std::vector<int64_t>;

/// What memory is taken for at some moment, in bytes.
struct MemoryParts {
  double parameters = 0;
  double state = 0;  // of the optimiser
  double inputs = 0;
  double activations = 0;
  double gradients = 0;
  double boxed = 0;    // copies in other placements than they were made in
  double working = 0;  // what kernels and halos take while an op runs
  double gaps = 0;     // between buffers; a search does not know of them

  double sum() const;
};

/// One of the parts of `MemoryParts`, with its name for programs and for
/// readers.
struct MemoryPart {
  using Member = double MemoryParts::*;

  const char* key;    // "state"
  const char* words;  // "optimiser state"
  Member bytes;
};

/// All of them, so that whoever shows some shows what adds up.
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

struct PeakMemory {
  double bytes = 0;   // on the device that has most
  MemoryParts parts;  // of these
  Moment moment;
};

/// The most memory that one run of the entry takes at once if decision i has
/// `assignment[i]`.
PeakMemory peakMemory(const DecisionGraph& graph, const Assignment& assignment,
                      Movements& movements,
                      Counting counting = Counting::Ample);

/// The moments at which that run takes more than just before and no less than
/// just after; those at which it takes most come first.
std::vector<Moment> highMoments(const DecisionGraph& graph,
                                const Assignment& assignment,
                                Movements& movements,
                                Counting counting = Counting::Ample);

/// What of `memoryBytes` there is for tensors of the entry, parameters that it
/// has nothing to do with being there too; at least one byte.
double ownLimit(const DecisionGraph& graph, double memoryBytes);

/// Bytes of a parameter that lies as `placement`.
double keptBytes(const KeptTensor& tensor, llvm::ArrayRef<Component> placement,
                 const Mesh& mesh);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_MEMORY_H_
