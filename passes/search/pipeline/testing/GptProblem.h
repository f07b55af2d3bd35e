// A joint problem of the size of a GPT-3 on a large machine, with prices by
// simple formulas: roofline of products, rings of collectives.
//
// Units are an embedding, layers and a head. A case gives the pipeline a
// divisor of each level of the machine, and the group the rest; N is a power
// of 2. The options of a unit in a group of G devices: tensor parallelism of
// degree t (a power of 2) over its innermost devices and data parallelism of G
// / t, times ZeRO 1 or 3, times recomputation or not. The layout is that of t.

#ifndef PASSES_SEARCH_PIPELINE_TESTING_GPTPROBLEM_H_
#define PASSES_SEARCH_PIPELINE_TESTING_GPTPROBLEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "passes/search/pipeline/JointProblem.h"

namespace sbp::search {

/// A level of a machine.
struct GptLevel {
  int64_t count = 1;
  double alpha = 0, beta = 0;  // seconds, and seconds per byte and device
};

/// A model and a machine.
struct GptSize {
  int64_t layers = 96, width = 12288, vocabulary = 51200;
  /// Part of a layer that a unit is. 960 tenths of layers are as much work as
  /// 96 layers.
  double partOfLayer = 1;
  int64_t batch = 1536, sequence = 2048;  // texts per step, tokens per text
  double memory = 80e9;                   // bytes per device
  double rate = 0.5 * 312e12;             // FLOP per second and device
  std::vector<GptLevel> levels = {{64, 9.6e-6, 8 / 200e9},
                                  {8, 3.4e-6, 1 / 235e9}};
  std::vector<std::string> families = {"1f1b"};
};

/// Returns the problem. Each option fits at least one text per device and
/// micro-batch; cases without an option are left out.
JointProblem gptProblem(const GptSize& size);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_TESTING_GPTPROBLEM_H_
