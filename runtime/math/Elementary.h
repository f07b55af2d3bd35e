// Logarithm, exponential and cosine that are the same bits on every machine.
//
// The C library chooses its versions of these functions by the processor, and
// their last bits differ. The values that parameters start from, and the bytes
// that a model is sampled to, should depend on the seed alone, so they are made
// with these: additions, multiplications and divisions in a fixed order. (It
// also keeps a compiled program free of libm.)
//
// Errors are a few units in the last place, checked against libm in the test.

#ifndef RUNTIME_MATH_ELEMENTARY_H_
#define RUNTIME_MATH_ELEMENTARY_H_

namespace sbp::math {

/// The natural logarithm of a positive, normal number.
double naturalLogarithm(double x);

/// e to the power of x; 0 below -708, infinity above 709.
double exponential(double x);

/// The square root of a number of at least 0, which processors give exactly.
double squareRoot(double x);

/// The cosine of `turns` whole turns: cos(2 pi turns), |turns| < 2^51.
double cosineOfTurns(double turns);

}  // namespace sbp::math

#endif  // RUNTIME_MATH_ELEMENTARY_H_
