// A model that is small enough to compile by hand: linear regression with
// momentum, on a mesh of data x model ranks.
//
//   p = x w                x: 8x4 [S(0), S(1)], w: 4 [B, S(0)];
//                          p is partial over model, and is summed
//   loss = |p - t|^2 / 8   partial over data
//   g = x^T 2 (p - t) / 8  partial over data, and is summed
//   m = 0.9 m + g,  w = w - lr m
//
// Entries:
//
//   train_step   takes x, t and lr; gives the loss
//   loss         takes x and t; gives the loss and p
//   next         takes 16 tokens; gives scores of the next token; after byte b,
//                b + 1 has the best score

#ifndef RUNTIME_MAIN_TESTING_LINEARMODEL_H_
#define RUNTIME_MAIN_TESTING_LINEARMODEL_H_

#include <cstdint>
#include <vector>

#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"

namespace sbp::program::testing {

inline constexpr int64_t kBatch = 8;     // samples
inline constexpr int64_t kFeatures = 4;  // of a sample
inline constexpr int64_t kLength = 16;   // tokens
inline constexpr int64_t kVocabulary = 256;

/// Returns the plan for `data` x `model` ranks; both must be 1 or 2.
plan::Plan linearPlan(int64_t data, int64_t model);

/// Returns the kernels of linearPlan(data, model), in the order of
/// Plan::kernels. A rank has kBatch / data samples and kFeatures / model
/// features.
std::vector<SbpKernel> linearKernels(int64_t data, int64_t model);

}  // namespace sbp::program::testing

#endif  // RUNTIME_MAIN_TESTING_LINEARMODEL_H_
