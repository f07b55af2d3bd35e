// sbpc: compiles a model into one program for all ranks.

#include "codegen/driver/SbpcMain.h"
#include "runtime/file/ProcessStart.h"
#include "tools/crash/CrashReport.h"
#include "tools/version/Version.h"

namespace {

constexpr char kCrashMessage[] =
    R"(sbpc has come to an end by a fault of its own. Please report it with the model and
this command line; --dump-forms FOLDER keeps the forms that were reached, of which the
last is a model again.
)";

}  // namespace

int main(int argc, char** argv) {
  sbp::file::startProcess();
  sbp::CrashReport report(argc, argv, kCrashMessage);
  return sbp::sbpcMain(argc, argv, sbp::versionOf("sbpc"));
}
