// The functions that make the families' tables, for the list in Family.cpp.
//
// D is the depth, N the number of micro-batches. F and B are the durations of a
// forward and a backward of one stage; if the backward is in halves, B = I + W.
// T is the makespan without latency. A worker "holds" the number of
// micro-batches that it has in flight at once, counted once per stage
// (Slots.h), but at most N per stage.

#ifndef PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
#define PASSES_SCHEDULE_FAMILIES_GENERATORS_H_

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

/// GPipe: all forwards, then all backwards (Huang et al., arXiv 1811.06965). T
/// = (N + D - 1)(F + B). A worker holds N micro-batches.
absl::StatusOr<Table> makeGPipe(const Shape& shape);

/// 1F1B: worker s starts with D - 1 - s forwards, then alternates one forward
/// and one backward (Fan et al., DAPPLE, arXiv 2007.01045). T is that of GPipe.
/// Worker s holds D - s micro-batches.
absl::StatusOr<Table> makeOneForwardOneBackward(const Shape& shape);

/// Eager 1F1B: like 1F1B, but worker s starts with 2(D - 1 - s) forwards. This
/// hides latencies up to about (F + B)/2. Worker s holds 2(D - s) - 1
/// micro-batches.
absl::StatusOr<Table> makeEagerOneForwardOneBackward(const Shape& shape);

/// List scheduling with F = 1 and B = 2 for all stages. Of the backwards that
/// are ready, a free worker runs that of the first micro-batch. If no backward
/// is ready, it runs, of the forwards that are ready, that of the first
/// micro-batch. A forward of stage s of S is not run while the stage holds S -
/// s micro-batches. Stages may be on any workers (Shape::workerOfStage). With
/// one stage per worker, the result is 1F1B.
absl::StatusOr<Table> makeList(const Shape& shape);

/// Interleaved 1F1B: the model has v chunks per worker, and stage cD + r is
/// chunk c of worker r (Narayanan et al., Megatron-LM, arXiv 2104.04473,
/// section 2.2). If F and B are the durations for all chunks of a worker
/// together, T = (N + (D - 1)/v)(F + B).
absl::StatusOr<Table> makeInterleaved(const Shape& shape);

/// Zero bubble schedules: backwards are in halves, and backwards of weights
/// fill bubbles (Qi et al., Zero Bubble Pipeline Parallelism, arXiv
/// 2401.10241). For F = I = W = 1:
///
///   zb-h1  T = 3N + D - 1 if N >= D; a worker holds D micro-batches;
///   zb-h2  no worker idles between its first and last task; a worker holds up
///          to 2D - 1 micro-batches;
///   zb-v   stages r and 2D - 1 - r are on worker r; T = 6N + D - 1, since a
///          worker has two stages; a worker holds 2D micro-batches.
absl::StatusOr<Table> makeZeroBubbleH1(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleH2(const Shape& shape);
absl::StatusOr<Table> makeZeroBubbleV(const Shape& shape);

/// DualPipe: two pipes in opposite directions, each with half of the
/// micro-batches (DeepSeek-V3, arXiv 2412.19437, section 3.2.1). In the paper,
/// a forward of one pipe overlaps with a backward of the other. In the table,
/// the two are one after the other. DualPipe-V folds a single pipe in the
/// middle, so that both of its ends are on one worker.
absl::StatusOr<Table> makeDualPipe(const Shape& shape);
absl::StatusOr<Table> makeDualPipeV(const Shape& shape);

/// GEMS: two pipes in opposite directions that alternate (Jain et al., SC
/// 2020). A worker holds one micro-batch. T = N(2D + 1) + D - 1 for F = 1, B =
/// 2.
absl::StatusOr<Table> makeGems(const Shape& shape);

/// Chimera: f pairs of opposite pipes that fill one another's bubbles (Li and
/// Hoefler, arXiv 2107.06925, sections 3.1, 3.5 and 3.6). The variants are
/// `direct`; `doubling`, with forwards of two micro-batches; and `halving`,
/// with backwards of half a micro-batch.
absl::StatusOr<Table> makeChimera(const Shape& shape);

/// 1F1B without a flush. PipeDream (Narayanan et al., SOSP 2019) updates
/// weights after every backward. PipeDream-2BW (the same authors, arXiv
/// 2006.09503) updates them after N backwards, and reads weights that are one
/// update old.
absl::StatusOr<Table> makePipeDream(const Shape& shape);
absl::StatusOr<Table> makePipeDream2bw(const Shape& shape);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_GENERATORS_H_
