// Random models, as text, whose ops keep samples apart or mix them: what people
// write in transformers, recurrences and losses, and now and then an op over
// the batch. Extents of the batch stand everywhere: in slices, constants,
// masks, merged dimensions, states that begin with zeros.

#ifndef TEST_PROPERTIES_RANDOMMIXING_H_
#define TEST_PROPERTIES_RANDOMMIXING_H_

#include <cstdint>
#include <string>

#include "test/properties/Choices.h"

namespace sbp::properties {

struct RandomMixing {
  std::string text;
  /// Into how many micro-batches the batch may go.
  int64_t parts = 1;
  /// Whether an op over the batch was written: the model may be refused.
  bool mixes = false;
};

/// The model of `choices`. With `mayMix` false all its ops keep samples apart.
RandomMixing randomMixing(Choices& choices, bool mayMix);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMMIXING_H_
