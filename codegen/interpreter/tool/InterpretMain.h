// The command `sbp-interpret`.

#ifndef CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
#define CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_

namespace sbp::interpreter {

/// Runs the command; returns its exit status: 0, or 1 after one message.
int interpretMain(int argc, char** argv);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TOOL_INTERPRETMAIN_H_
