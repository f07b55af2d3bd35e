// Initial values of parameters.
//
// The value of an element of a parameter depends only on the seed, the
// parameter's name and the element's index in the whole tensor. So each rank
// computes its own box without communication, and all placements start from the
// same values.

#ifndef RUNTIME_INITIALIZE_INITIALIZE_H_
#define RUNTIME_INITIALIZE_INITIALIZE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Fills `local`, a dense tensor of the shape of `box`, with the initial values
/// of that box of `parameter`. Values are converted to the parameter's element
/// type: rounded for a floating-point type, and truncated for an integer type.
/// An i1 is true unless the value is 0.
void initialize(const plan::Parameter& parameter, const plan::Box& box,
                uint64_t seed, std::byte* local);

}  // namespace sbp

#endif  // RUNTIME_INITIALIZE_INITIALIZE_H_
