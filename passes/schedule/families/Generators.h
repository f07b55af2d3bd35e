// The functions behind the families, for their list (Family.cpp).
//
// D is the depth, N the number of micro-batches, F and B the time of a forward
// and of a backward of one stage, with B = I + W; T is the makespan without
// latency.

#ifndef PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
#define PASSES_SCHEDULE_FAMILIES_GENERATORS_H_

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

/// All forwards, then all backwards (Huang et al., GPipe, arXiv 1811.06965).
/// T = (N + D - 1)(F + B); N micro-batches are held.
absl::StatusOr<Table> makeGPipe(const Shape& shape);

/// One forward, one backward: worker s goes D - 1 - s forwards ahead (Fan et
/// al., DAPPLE, arXiv 2007.01045). T as GPipe; D - s micro-batches are held.
absl::StatusOr<Table> makeOneForwardOneBackward(const Shape& shape);

/// The same with 2(D - 1 - s) forwards ahead, which hides latencies up to about
/// half of F + B; 2(D - s) - 1 micro-batches are held.
absl::StatusOr<Table> makeEagerOneForwardOneBackward(const Shape& shape);

/// A worker that is free does the backward of the least micro-batch that has
/// come to it, or else the forward; with F = 1 and B = 2 for all stages, of
/// which stage s of S holds at most S - s micro-batches. Takes any workers of
/// stages; with one stage each it is 1f1b.
absl::StatusOr<Table> makeList(const Shape& shape);

/// Stage cD + r is chunk c of worker r, of v (Narayanan et al., Megatron-LM,
/// arXiv 2104.04473, section 2.2). In stages of a whole worker,
/// T = (N + (D - 1)/v)(F + B).
absl::StatusOr<Table> makeInterleaved(const Shape& shape);

/// Backwards in halves, the second of which fill bubbles (Qi et al., Zero
/// Bubble Pipeline Parallelism, arXiv 2401.10241). For F = I = W = 1:
///   zb-h1  T = 3N + D - 1 if N >= D, and every worker holds D micro-batches;
///   zb-h2  no worker idles between its first and last task; 2D - 1 are held;
///   zb-v   stages r and 2D - 1 - r on worker r; T = 6N + D - 1 (a worker has
///          two stages); 2D micro-batches of a stage are held.
absl::StatusOr<Table> makeZeroBubbleH1(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleH2(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleV(const Shape& shape);

/// Two pipes in opposite directions, half of the micro-batches through each,
/// with what they have in common overlapped (DeepSeek-V3, arXiv 2412.19437,
/// section 3.2.1); and folded, with both ends of one pipe on each worker.
absl::StatusOr<Table> makeDualPipe(const Shape& shape);
absl::StatusOr<Table> makeDualPipeV(const Shape& shape);

/// Two opposite pipes by turns, with hardly more than one micro-batch under way
/// (Jain et al., GEMS, SC 2020). T = N(2D + 1) + D - 1 for F = 1, B = 2.
absl::StatusOr<Table> makeGems(const Shape& shape);

/// f pairs of opposite pipes whose bubbles fill one another (Li and Hoefler,
/// Chimera, arXiv 2107.06925, sections 3.1, 3.5 and 3.6). Variants: direct;
/// doubling, with forwards of two micro-batches; halving, with backwards of
/// half a one.
absl::StatusOr<Table> makeChimera(const Shape& shape);

/// One forward, one backward without a flush: after every backward an update
/// (Narayanan et al., PipeDream, SOSP 2019); after N of them, with weights one
/// update late (the same, PipeDream-2BW, arXiv 2006.09503).
absl::StatusOr<Table> makePipeDream(const Shape& shape);
absl::StatusOr<Table> makePipeDream2bw(const Shape& shape);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
