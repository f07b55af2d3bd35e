// The part of the help of a compiled program that comes before its options.

#ifndef RUNTIME_MAIN_INTRODUCTION_H_
#define RUNTIME_MAIN_INTRODUCTION_H_

#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The entries of the program, what they take, and how to start it.
std::string introduction(const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_INTRODUCTION_H_
