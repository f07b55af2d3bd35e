// Runs a command on emulated hosts: sbp-hosts --hosts 4 ... sbprun ...

#include "runtime/emulation/CommandLine.h"

int main(int argc, char** argv) {
  return sbp::emulation::runCommandLine(argc, argv);
}
