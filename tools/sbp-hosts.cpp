// Runs a command on emulated hosts: sbp-hosts --hosts 4 ... sbprun ...

#include "runtime/file/ProcessSetup.h"
#include "tools/emulation/CommandLine.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  return sbp::emulation::runCommandLine(argc, argv,
                                        sbp::versionOf("sbp-hosts"));
}
