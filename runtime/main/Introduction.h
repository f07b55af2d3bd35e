// The introduction of a compiled program's help, before the options.

#ifndef RUNTIME_MAIN_INTRODUCTION_H_
#define RUNTIME_MAIN_INTRODUCTION_H_

#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Returns the introduction: the entries of the program, their inputs, and
/// examples of how to start it.
std::string introduction(const plan::Plan& plan);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_INTRODUCTION_H_
