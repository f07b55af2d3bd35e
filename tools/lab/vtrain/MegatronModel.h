// A model of a training step of Megatron-DeepSpeed with seven numbers.
//
// A layer's forward on b sequences of s tokens and width h, with t GPUs that
// share its products, has 24 b s h^2 + 4 b s^2 h FLOPs in all. It takes
//
//   max(launch, (FLOPs / t + half) / rate + bytes * memory) + 2 all-reduces
//
// and its backward twice the work. The kernels of a layer are launched while
// earlier ones run, so launching is a floor and not a term. `half` is the work
// at which half of the rate is reached. Bytes are those of element-wise ops and
// of attention's scores. All-reduces take as long as measured by themselves,
// times a factor. The last stage has the head, too.
//
// The step is the makespan of 1f1b with these stages, messages between them,
// and the all-reduce of each stage's gradients, plus a constant.

#ifndef TOOLS_LAB_VTRAIN_MEGATRONMODEL_H_
#define TOOLS_LAB_VTRAIN_MEGATRONMODEL_H_

#include <array>
#include <cstdint>
#include <vector>

#include "passes/schedule/Bounds.h"
#include "tools/lab/vtrain/MeasuredRuns.h"

namespace sbp::vtrain {

/// The numbers of the model.
struct MachineNumbers {
  double rate = 200e12;    // FLOP/s of a GPU
  double half = 75e9;      // FLOPs per layer
  double memory = 1e-12;   // seconds per byte
  double launch = 1.5e-3;  // seconds per layer and direction
  double allReduce = 1;    // factor of measured all-reduces
  double message = 1e-11;  // seconds per byte between stages
  double constant = 5e-3;  // seconds per step

  static constexpr size_t kNumber = 7;
  std::array<double*, kNumber> all() {
    return {&rate, &half, &memory, &launch, &allReduce, &message, &constant};
  }
};

/// Returns the stages of a run. `allReduces` must have the times for its
/// degrees.
std::vector<schedule::PipeStage> stagesOf(const MeasuredRun& run,
                                          const MachineNumbers& numbers,
                                          const AllReduces& allReduces);

/// Returns the seconds of a step by a bound of 1f1b (Bounds.h), which is nearly
/// exact and fast.
double estimatedSeconds(const MeasuredRun& run, const MachineNumbers& numbers,
                        const AllReduces& allReduces);

/// Returns the seconds of a step by simulation of the table of 1f1b.
double simulatedSeconds(const MeasuredRun& run, const MachineNumbers& numbers,
                        const AllReduces& allReduces);

}  // namespace sbp::vtrain

#endif  // TOOLS_LAB_VTRAIN_MEGATRONMODEL_H_
