// sbp-opt: runs passes on a program, from any form to a later one.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "codegen/driver/UnlocatedErrors.h"
#include "codegen/fuse/Passes.h"
#include "codegen/kernels/KernelDialects.h"
#include "codegen/kernels/families/PortableKernels.h"
#include "codegen/plugin/PluginOptions.h"
#include "codegen/plugin/Plugins.h"
#include "dialects/Dialects.h"
#include "dialects/text/People.h"
#include "dialects/text/ReadModule.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Pipelines.h"
#include "passes/module/VerifyTensors.h"
#include "passes/names/ParseNamed.h"
#include "passes/names/Spelling.h"
#include "runtime/file/ProcessSetup.h"
#include "tools/crash/CrashReport.h"
#include "tools/options/HideLibraryOptions.h"
#include "tools/version/Version.h"

namespace {

constexpr char kOverview[] =
    R"(sbp-opt runs passes on a program in any form, and prints the result

  sbp-opt model.mlir                                  reads and verifies it
  sbp-opt model.mlir --sbp-to-placed=mesh=cluster     the placement of every tensor
  sbp-opt model.mlir --sbp-to-boxed | sbp-opt --sbp-to-local
                                                      each form is input again
  sbp-opt model.mlir --sbp-differentiate --sbp-place --mlir-print-ir-after-all
                                                      pass by pass

--sbp-to-FORM runs all passes up to the form: differentiated, placed, boxed, local.
--sbp-verify-FORM rejects what does not belong in it. From the placed form on the
module needs an sbp.machine; sbpc --emit adds one with -n ranks. Options have the
names, values and defaults of sbpc's. Placements are searched for, unless there is
place-by=propagation. More: docs/opt-tool.md.
)";

constexpr char kCrashMaterial[] =
    R"(the program
and this command line, or with one file that has both:
  --mlir-pass-pipeline-crash-reproducer=FILE --mlir-disable-threading
writes the program before the passes, and the passes with their options;
sbp-opt FILE --run-reproducer runs it.)";

/// Makes `value` the default of MLIR's option `name`.
void setDefault(llvm::StringRef name, bool value) {
  static_cast<llvm::cl::opt<bool>*>(
      llvm::cl::getRegisteredOptions().lookup(name))
      ->setInitialValue(value);
}

/// Whether MLIR's driver must get the text of the file itself, because it looks
/// for parts of the text that are not in a module, such as split markers.
bool isReadByDriver(const mlir::MlirOptMainConfig& config) {
  return !config.inputSplitMarker().empty() ||
         config.shouldVerifyDiagnostics() || config.shouldRunReproducer() ||
         config.shouldUseExplicitModule() || !config.shouldVerifyOnParsing() ||
         !config.getIrdlFile().empty();
}

/// Parses `text` and returns the program as bytecode, which keeps the text's
/// names of tensors. Returns null after a diagnostic if the text is no program.
std::unique_ptr<llvm::MemoryBuffer> readNamed(
    std::unique_ptr<llvm::MemoryBuffer> text,
    const mlir::DialectRegistry& registry,
    const mlir::MlirOptMainConfig& config) {
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context, sbp::peopleErr());
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = sbp::parseNamed(context, sources);
  if (!module || mlir::failed(sbp::verifyTensors(*module))) return nullptr;
  sbp::spellNames(*module);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(*module, out))) return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, "<bytecode>");
}

/// Prints the errors of passes and of their options.
class ShownErrors : public mlir::PassInstrumentation {
 public:
  /// Shows the lines of `text`, which may come from standard input or a pipe
  /// and cannot be read again. If `text` is null, MLIR's driver shows the
  /// lines.
  ShownErrors(const llvm::MemoryBuffer* text, mlir::MLIRContext& context) {
    if (text) {
      sources_.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*text),
                                  llvm::SMLoc());
      located_.emplace(sources_, &context, sbp::peopleErr());
    }
    unlocated_.emplace(context);
  }

 private:
  llvm::SourceMgr sources_;
  std::optional<mlir::SourceMgrDiagnosticHandler> located_;
  std::optional<sbp::UnlocatedErrors> unlocated_;
};

/// Runs the command line on the file `inputPath`.
mlir::LogicalResult run(llvm::StringRef inputPath, llvm::StringRef outputPath,
                        mlir::DialectRegistry& registry) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input) output = mlir::openOutputFile(outputPath, &error);
  if (!output) {
    sbp::peopleErr() << "error: " << error << "\n";
    return mlir::failure();
  }
  {
    mlir::MLIRContext context;
    llvm::SourceMgr sources;
    mlir::SourceMgrDiagnosticHandler handler(sources, &context,
                                             sbp::peopleErr());
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(*input,
                                         /*RequiresNullTerminator=*/false),
        llvm::SMLoc());
    if (mlir::failed(sbp::checkNesting(sources, &context)))
      return mlir::failure();
  }
  const auto asked = mlir::MlirOptMainConfig::createFromCLOptions();
  mlir::MlirOptMainConfig config = asked;
  std::unique_ptr<llvm::MemoryBuffer> text;
  if (!mlir::isBytecode(*input) && !isReadByDriver(config)) {
    text = std::move(input);
    input =
        readNamed(llvm::MemoryBuffer::getMemBuffer(*text), registry, config);
  }
  if (!config.shouldVerifyDiagnostics())
    config.setPassPipelineSetupFn([&](mlir::PassManager& passes) {
      passes.addInstrumentation(
          std::make_unique<ShownErrors>(text.get(), *passes.getContext()));
      return asked.setupPassPipeline(passes);
    });
  if (!input || mlir::failed(mlir::MlirOptMain(output->os(), std::move(input),
                                               registry, config)))
    return mlir::failure();
  // An error that is not cleared would end the process in the destructor of the
  // stream.
  output->os().flush();
  if (output->os().has_error()) {
    sbp::peopleErr() << "error: cannot write "
                     << (outputPath == "-" ? "standard output" : outputPath)
                     << ": " << output->os().error().message() << "\n";
    output->os().clear_error();
    return mlir::failure();
  }
  output->keep();
  return mlir::success();
}

}  // namespace

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  sbp::CrashReport report(argc, argv, "sbp-opt", kCrashMaterial);
  sbp::hideLibraryOptions();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream& stream) {
    stream << sbp::versionOf("sbp-opt") << "\n";
  });
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  sbp::registerKernelDialects(registry);
  sbp::registerPortableKernels(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  mlir::registerPrintOpStatsPass();
  mlir::registerViewOpGraphPass();
  sbp::registerPasses();
  sbp::registerFusePasses();
  std::string help = mlir::registerCLIOptions(kOverview, registry);
  sbp::plugin::Plugins plugins("sbp-opt", registry);
  sbp::plugin::readPluginOption(plugins);
  // An error is one line, without the op: the op is in the user's file.
  setDefault("mlir-print-op-on-diagnostic", false);
  setDefault("mlir-use-nameloc-as-prefix", true);
  auto [input, output] = mlir::parseCLIOptions(argc, argv, help);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  // These options print information and read no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(run(input, output, registry));
}
