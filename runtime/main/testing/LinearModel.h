// A model that is small enough to compile by hand: linear regression with
// momentum, on a mesh of data x model ranks.
//
//   p = x w                x: 8x4 [S(0), S(1)], w: 4 [B, S(0)];
//                          p is partial over model
//   loss = |p - t|^2 / 8   partial over data
//   g = x^T 2 (p - t) / 8  partial over data
//   m = 0.9 m + g,  w = w - lr m
//
// Entries: train_step, loss (the same without the update; it also gives p), and
// next, which takes 16 tokens and scores the byte after each token as best.

#ifndef RUNTIME_MAIN_TESTING_LINEARMODEL_H_
#define RUNTIME_MAIN_TESTING_LINEARMODEL_H_

#include <cstdint>
#include <vector>

#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"

namespace sbp::program::testing {

inline constexpr int64_t kBatch = 8;
inline constexpr int64_t kFeatures = 4;
inline constexpr int64_t kLength = 16;
inline constexpr int64_t kVocabulary = 256;

/// Returns the plan for `data` x `model` ranks; both must be 1 or 2.
plan::Plan linearPlan(int64_t data, int64_t model);

/// Returns the kernels of the plan, for ranks with kBatch / data samples and
/// kFeatures / model features.
std::vector<SbpKernel> linearKernels(int64_t data, int64_t model);

}  // namespace sbp::program::testing

#endif  // RUNTIME_MAIN_TESTING_LINEARMODEL_H_
