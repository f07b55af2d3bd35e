// sbp-lab: experiments of papers, on problems without a program.

#include "runtime/file/ProcessSetup.h"
#include "tools/crash/CrashReport.h"
#include "tools/lab/LabMain.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  sbp::CrashReport report(argc, argv, "sbp-lab",
                          "this command line and\n"
                          "the files that it names.");
  return sbp::search::lab::labMain(argc, argv, sbp::versionOf("sbp-lab"));
}
