// Example command lines for starting a program.

#ifndef RUNTIME_MAIN_STARTEXAMPLE_H_
#define RUNTIME_MAIN_STARTEXAMPLE_H_

#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The parts of an example command line.
struct StartExample {
  std::string launch;        // "sbprun -n 4 ./gpt"
  std::string data;          // " --text book.txt"; empty if no data is needed
  bool readsTokens = false;  // whether the entry has an input called "tokens"
};

/// Returns an example of how to start the program in the file `path`, which has
/// the plan `plan`. The example gives data for the entry train_step, or for the
/// first entry if there is no train_step.
StartExample startExampleOf(const plan::Plan& plan, const std::string& path);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTEXAMPLE_H_
