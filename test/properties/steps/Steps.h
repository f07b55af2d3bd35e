// The steps that generate a random function. Each adds one op of nn, with
// random operands and attributes.

#ifndef TEST_PROPERTIES_STEPS_STEPS_H_
#define TEST_PROPERTIES_STEPS_STEPS_H_

#include <vector>

#include "test/properties/FunctionWriter.h"

namespace sbp::properties {

using Step = void (*)(FunctionWriter& f);

/// Return the steps of one family of ops, one family per file.
std::vector<Step> elementwiseSteps();
std::vector<Step> shapeSteps();
std::vector<Step> tensorSteps();
std::vector<Step> windowSteps();

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_STEPS_STEPS_H_
