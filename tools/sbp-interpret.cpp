// sbp-interpret: runs a program without compiling it.

#include "codegen/interpreter/tool/InterpretMain.h"
#include "runtime/file/ProcessSetup.h"
#include "tools/crash/CrashReport.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  sbp::CrashReport report(argc, argv, "sbp-interpret",
                          "the program, its inputs\n"
                          "and this command line.");
  return sbp::interpreter::interpretMain(argc, argv,
                                         sbp::versionOf("sbp-interpret"));
}
