// Random networks that treat samples alike, as text: layers that are called or
// written out, parameters that are used several times, values that skip layers.
// The loss is a sum or a mean over samples.

#ifndef TEST_PROPERTIES_RANDOMNETWORK_H_
#define TEST_PROPERTIES_RANDOMNETWORK_H_

#include <cstdint>
#include <string>

#include "test/properties/Choices.h"

namespace sbp::properties {

/// A network, and into how many parts its batch may go.
struct RandomNetwork {
  std::string text;
  int64_t parts = 1;
  /// With stages, how many: ops say of which they are, but groups are still to
  /// be given to them.
  int64_t stages = 1;
};

/// The network of `choices`, with up to `maxStages` stages, and none if that is
/// 1. What carries its stage is the first op of a layer, or its call.
RandomNetwork randomNetwork(Choices& choices, int64_t maxStages = 1);

/// `text` without what it says of stages.
std::string unstaged(const std::string& text);

/// `text`, but in single precision.
std::string inF32(const std::string& text);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMNETWORK_H_
