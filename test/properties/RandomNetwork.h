// Random networks, as text, that treat samples separately and alike. Layers are
// called or inline, and called layers keep all, products or inputs. Parameters
// may be used several times, and values may skip layers. The loss is a sum or a
// mean over samples, or a difference of two.

#ifndef TEST_PROPERTIES_RANDOMNETWORK_H_
#define TEST_PROPERTIES_RANDOMNETWORK_H_

#include <cstdint>
#include <string>

#include "test/properties/Choices.h"

namespace sbp::properties {

/// A random network.
struct RandomNetwork {
  std::string text;
  /// Number of micro-batches into which the batch can be divided.
  int64_t parts = 1;
  /// Number of stages. The text marks ops with their stages, but has no groups.
  int64_t stages = 1;
  /// Whether the loss has a mean in which samples have weights. The sum of the
  /// weights must be known before gradients are, so steps cannot overlap.
  bool isWeighted = false;
};

/// Returns a random network with up to `maxStages` stages, or without stages if
/// `maxStages` is 1. The stage of a layer is an attribute of its first op, or
/// of its call. The network may be one that isWeighted only if `mayWeigh`.
RandomNetwork randomNetwork(Choices& choices, int64_t maxStages = 1,
                            bool mayWeigh = false);

/// Returns `text` without the attributes for stages.
std::string unstaged(const std::string& text);

/// Returns `text` with f32 in place of f64.
std::string inF32(const std::string& text);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANDOMNETWORK_H_
