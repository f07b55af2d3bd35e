// Memory and time to train a transformer in mixed precision on a grid of
// devices, by the formulas of Myelin (Singh and Bhatele) and ZeRO (Rajbhandari
// et al., arXiv 1910.02054).
//
// The grid has G_inter stages, each of which has a share phi of the parameters,
// and G_data copies of each stage. Bytes per device:
//
//   weights, gradients and Adam's state     20 phi
//   ... with master weights and state in    4 phi + 16 bsize
//       the host's memory, fetched in
//       buckets of bsize parameters
//   activations   G_inter (l / (G_inter ac) + 1) outputs of layers, one per
//                 micro-batch in flight and checkpoint, and those of ac layers
//                 while they are recomputed
//
// Myelin's rule: as few stages as fit into memory, since the time to fill and
// drain a pipeline grows with its depth.

#ifndef TOOLS_LAB_TRAININGMEMORY_H_
#define TOOLS_LAB_TRAININGMEMORY_H_

#include <cstdint>
#include <string>

#include "tools/lab/Experiments.h"

namespace sbp::search::lab {

/// The model, the batch and the machine.
struct TrainingMemory {
  /// Parameters; if 0, those of `layers` blocks with embedding: 12 l h^2 (1 +
  /// 13 / (12 h) + (V + s) / (12 l h)).
  double parameters = 0;
  int64_t layers = 48;         // l
  int64_t hidden = 4512;       // h
  int64_t heads = 24;          // a
  int64_t vocabulary = 51200;  // V
  int64_t length = 512;        // s, tokens per sequence
  int64_t batch = 16384;       // b, sequences per step
  int64_t microBatch = 1;      // sequences
  int64_t devices = 48;
  int64_t stages = 0;         // G_inter; 0: chosen by Myelin's rule
  int64_t bucket = 16000000;  // bsize, parameters
  /// ac, layers per checkpoint; 0: by Myelin's rule, the factor of l / G_inter
  /// that is nearest to the root of l.
  int64_t interval = 0;
  double memoryBytes = 16e9;       // per device
  double flopsPerSecond = 125e12;  // peak of a device
  double efficiency = 0.5;         // part of the peak that is reached
  double seconds = 0;              // per step; 0: by the efficiency
  double tokens = 3e11;            // of the training

  double numParameters() const;
  /// Returns the FLOPs of a step with recomputation: 96 b s l h^2 (1 + s / (6
  /// h) + V / (16 l h)) (Narayanan et al., arXiv 2104.04473).
  double flopsPerStep() const;
  int64_t intervalFor(int64_t stages) const;

  /// Returns the bytes of weights, gradients and state with offloaded state.
  double offloadedBytes(int64_t stages) const;
  /// Returns the bytes of the output of a layer, two per element, and of all
  /// activations of a layer: b s h (34 + 5 a s / h) (Korthikanti et al., arXiv
  /// 2205.05198), both per micro-batch.
  double outputBytes() const;
  double layerBytes() const;
  /// Returns the bytes of activations as above.
  double activationBytes(int64_t stages) const;
  double bytesWith(int64_t stages) const {
    return offloadedBytes(stages) + activationBytes(stages);
  }

  /// Returns the least number of stages that divides devices and layers and
  /// fits; 0 if none does.
  int64_t chosenStages() const;

  /// Returns what is wrong with the settings; empty if nothing is.
  std::string check() const;
};

/// Returns the result as JSON. If there is none, sets `error` to one line.
Json trainingMemory(const TrainingMemory& settings, std::string& error);

}  // namespace sbp::search::lab

#endif  // TOOLS_LAB_TRAININGMEMORY_H_
