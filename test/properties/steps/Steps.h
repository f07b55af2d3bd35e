// The steps that generate a random function. Each adds one op of nn, with
// random operands and attributes.

#ifndef TEST_PROPERTIES_STEPS_STEPS_H_
#define TEST_PROPERTIES_STEPS_STEPS_H_

#include <vector>

#include "test/properties/FunctionWriter.h"

namespace sbp::properties {

using FunctionStep = void (*)(FunctionWriter& f);

/// Return the steps of one family of ops, one family per file.
std::vector<FunctionStep> elementwiseSteps();
std::vector<FunctionStep> shapeSteps();
std::vector<FunctionStep> tensorSteps();
std::vector<FunctionStep> windowSteps();

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_STEPS_STEPS_H_
