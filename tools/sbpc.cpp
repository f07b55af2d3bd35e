// sbpc: from a model to one program for all ranks.

#include "codegen/driver/SbpcMain.h"
#include "runtime/file/ProcessStart.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::startProcess();
  return sbp::sbpcMain(argc, argv, sbp::versionOf("sbpc"));
}
