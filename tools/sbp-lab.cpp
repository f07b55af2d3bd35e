// sbp-lab: experiments of papers, on problems without a program.

#include "passes/search/lab/LabMain.h"
#include "runtime/file/ProcessStart.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::startProcess();
  return sbp::search::lab::labMain(argc, argv, sbp::versionOf("sbp-lab"));
}
