// The command `sbp-interpret`.

#ifndef CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
#define CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_

#include <string>

namespace sbp::interpreter {

/// Runs the command, and returns its exit status: 0, or 1 after one message.
/// `version` is printed for --version.
int interpretMain(int argc, char** argv, const std::string& version);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
