// The values that parameters start from.
//
// Element i of a parameter depends on the seed, the parameter's name and i,
// where i counts through the whole tensor; so a rank makes its own box and
// nobody sends anything, and any placement starts from the same numbers.

#ifndef RUNTIME_INITIALIZE_INITIALIZE_H_
#define RUNTIME_INITIALIZE_INITIALIZE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/Box.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Fills `local`, a dense tensor of the shape of `box`, with the first values
/// of that box of `parameter`. Numbers are rounded to the element type, towards
/// zero to an integer; i1 is true for what is not 0.
void initialize(const plan::Parameter& parameter, const plan::Box& box,
                uint64_t seed, std::byte* local);

}  // namespace sbp

#endif  // RUNTIME_INITIALIZE_INITIALIZE_H_
