// sbpc: compiles a model into one program for all ranks.

#include "codegen/driver/SbpcMain.h"
#include "runtime/file/ProcessSetup.h"
#include "tools/crash/CrashReport.h"
#include "tools/version/Version.h"

namespace {

constexpr char kCrashMaterial[] =
    R"(the model and this command
line. With --dump-forms FOLDER, sbpc keeps the forms that it reached; the last one can
be compiled again.)";

}  // namespace

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  sbp::CrashReport report(argc, argv, "sbpc", kCrashMaterial);
  return sbp::sbpcMain(argc, argv, sbp::versionOf("sbpc"));
}
