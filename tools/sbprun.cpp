// Starts a compiled program once per rank: sbprun -n 8 ./gpt ...

#include "runtime/file/ProcessSetup.h"
#include "runtime/launch/CommandLine.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  return sbp::launch::runCommandLine(argc, argv, sbp::versionOf("sbprun"));
}
