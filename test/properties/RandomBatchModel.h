// Random models, as text, with ops that treat samples separately, as in
// transformers, recurrences and losses, and sometimes an op that mixes samples.
// The extent of the batch occurs everywhere: in slices, constants, masks,
// merged dimensions, and states that begin with zeros. A loss combines sums,
// means, and sums that are divided by sums of weights.

#ifndef TEST_PROPERTIES_RANDOMBATCHMODEL_H_
#define TEST_PROPERTIES_RANDOMBATCHMODEL_H_

#include <cstdint>
#include <string>

#include "test/properties/Choices.h"

namespace sbp::properties {

/// A random model.
struct RandomBatchModel {
  std::string text;
  /// Number of micro-batches into which the batch can be divided.
  int64_t parts = 1;
  /// Whether an op mixes samples, or the loss is not linear in several sums, so
  /// that the model may be refused.
  bool mixes = false;
};

/// Returns a random model. Unless `mayMix`, all its ops treat samples
/// separately, and its loss is linear in sums over samples or a function of one
/// such sum.
RandomBatchModel randomBatchModel(Choices& choices, bool mayMix);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMBATCHMODEL_H_
