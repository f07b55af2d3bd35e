// The command `sbp-interpret`.

#ifndef CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
#define CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_

#include <string>

namespace sbp::interpreter {

/// Runs the command; `version` is what it answers to --version. Returns its
/// exit status: 0, or 1 after one message.
int interpretMain(int argc, char** argv, const std::string& version);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
