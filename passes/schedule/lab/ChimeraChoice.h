// Chimera's choice of a configuration (Li and Hoefler, arXiv 2107.06925,
// section 3.4): depth D and number W of pipelines for a given number of
// devices, with the largest micro-batches that fit into memory. The paper does
// not say that a pipeline gets D micro-batches or more, but its figures have
// them: with fewer, pipes are idle.

#ifndef PASSES_SCHEDULE_LAB_CHIMERACHOICE_H_
#define PASSES_SCHEDULE_LAB_CHIMERACHOICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace sbp::schedule::lab {

/// The model, its batch and the machine. The usual values are rough ones of
/// Bert-48 in f32 on 32 nodes of Piz Daint.
struct ChimeraSettings {
  int64_t devices = 32;  // P = W D
  int64_t layers = 48;
  int64_t batch = 512;  // samples per step, of all pipelines
  int64_t pairs = 1;    // f: pairs of opposite pipes in a pipeline
  std::string variant = "direct";
  double weightBytes = 1.07e10;    // of the model, with gradients and state
  double gradientBytes = 2.68e9;   // of the model, that are summed
  double activationBytes = 1.6e9;  // of the model, per sample
  double messageBytes = 5.2e5;     // between two stages, per sample
  double forwardSeconds = 0.024;   // of the model, per sample
  double overheadSeconds = 5e-4;   // per forward of a stage
  double backwardRatio = 2;        // to a forward; 3 with recomputation
  double alphaSeconds = 1e-5;
  double betaSecondsPerByte = 1.2e-10;
  double memoryBytes = 16e9;  // per device
};

/// A configuration, and its time by the model.
struct ChimeraConfiguration {
  int64_t depth = 0, pipelines = 0;
  int64_t microBatch = 0, microBatches = 0;  // samples; number per pipeline
  double forwards = 0, backwards = 0;        // on the critical path
  double seconds = 0;                        // per step, by equation 1
  double simulated = 0;  // per step, by the table, without reductions
  double bytes = 0;      // per device
};

/// Returns the configurations that fit, by depth, each with its largest
/// micro-batch. Fails if there are none.
absl::StatusOr<std::vector<ChimeraConfiguration>> chimeraConfigurations(
    const ChimeraSettings& settings);

}  // namespace sbp::schedule::lab

#endif  // PASSES_SCHEDULE_LAB_CHIMERACHOICE_H_
