// Logarithm, exponential, square root and cosine with the same bits on every
// machine.
//
// The C library chooses its implementation of these functions by the processor,
// and the implementations differ in the last bits. Initial parameters and
// sampled texts should depend on the seed alone, so they use these functions
// instead: additions, multiplications and divisions in a fixed order, and the
// square root of the processor, which is correctly rounded. (This also keeps a
// compiled program free of libm.)
//
// The logarithm, the exponential and the cosine have errors of a few units in
// the last place; the test compares them with libm.

#ifndef RUNTIME_MATH_ELEMENTARY_H_
#define RUNTIME_MATH_ELEMENTARY_H_

namespace sbp::math {

/// Returns the natural logarithm of a positive, normal number.
double naturalLogarithm(double x);

/// Returns e^x; 0 for x < -708, infinity for x > 709.
double exponential(double x);

/// Returns the square root of a number >= 0.
double squareRoot(double x);

/// Returns cos(2 pi turns), for |turns| < 2^51.
double cosineOfTurns(double turns);

}  // namespace sbp::math

#endif  // RUNTIME_MATH_ELEMENTARY_H_
