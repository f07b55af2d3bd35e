// Example command lines for starting a program.

#ifndef RUNTIME_MAIN_STARTEXAMPLE_H_
#define RUNTIME_MAIN_STARTEXAMPLE_H_

#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The parts of an example command line.
struct StartExample {
  std::string launch;  // "sbprun -n 4 ./gpt"
  std::string data;    // " --text book.txt", or empty
  bool readsTokens = false;
};

/// Returns an example of how to start the program with `plan` in the file
/// `path`, and of data for the entry that trains, or else the first entry.
StartExample startExampleOf(const plan::Plan& plan, const std::string& path);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTEXAMPLE_H_
