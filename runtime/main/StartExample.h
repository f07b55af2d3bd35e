// A command line that starts a program, as an example for people.

#ifndef RUNTIME_MAIN_STARTEXAMPLE_H_
#define RUNTIME_MAIN_STARTEXAMPLE_H_

#include <string>

#include "runtime/plan/Plan.h"

namespace sbp::program {

struct StartExample {
  std::string launch;  // "sbprun -n 4 ./gpt"
  std::string data;    // " --text book.txt", or empty
  bool readsTokens = false;
};

/// Returns how `plan`, a program in the file `path`, may be started, and what
/// the entry that trains, else the first, may be fed from.
StartExample startExampleOf(const plan::Plan& plan, const std::string& path);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_STARTEXAMPLE_H_
