// sbp-opt: runs passes on a program, from any form to any other.

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dialects/Dialects.h"
#include "dialects/LoadPlugin.h"
#include "dialects/text/ReadModule.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Pipelines.h"
#include "passes/VerifyTensors.h"
#include "passes/names/ParseNamed.h"
#include "passes/names/Spelling.h"
#include "runtime/file/ProcessStart.h"
#include "tools/crash/CrashReport.h"
#include "tools/version/Version.h"

namespace {

constexpr char kOverview[] =
    R"(sbp-opt runs passes on a program, from any of its forms to any later one

  sbp-opt model.mlir --sbp-to-placed=mesh=cluster     how every tensor is laid
  sbp-opt model.mlir --sbp-to-boxed | sbp-opt --sbp-to-local
                                                      every form is a model again
  sbp-opt model.mlir --sbp-differentiate --sbp-place --mlir-print-ir-after-all
                                                      pass by pass
  sbp-opt model.mlir                                  only reads and verifies

--sbp-to-FORM runs what leads to the form: differentiated, placed, boxed, local.
--sbp-verify-FORM says what does not belong there. From placed on the module needs
an sbp.machine; sbpc --emit adds one of -n ranks by itself. Options have the names,
values and defaults that they have in sbpc: plans are searched for, unless it is said
by=propagation (of a pipeline, place-by). docs/opt-tool.md tells more.
)";

constexpr char kCrashMessage[] =
    R"(sbp-opt has come to an end by a fault of its own. To whoever is to mend it, send
the program and this command line, or one file with both:
  --mlir-pass-pipeline-crash-reproducer=FILE --mlir-disable-threading
writes the program as it was before the passes, with their names; sbp-opt FILE
--run-reproducer runs it again.
)";

/// Hides the options that are registered so far: those of LLVM's libraries, of
/// which none concerns these passes. --help-hidden shows them.
void hideOthersOptions() {
  for (auto& option : llvm::cl::getRegisteredOptions())
    if (option.second->getOptionHiddenFlag() == llvm::cl::NotHidden &&
        option.first != "help")
      option.second->setHiddenFlag(llvm::cl::Hidden);
}

/// MLIR's option ignores a plug-in that it cannot load, and does not find one
/// in this folder: here it is an error, and is found.
void loadPluginsInto(mlir::DialectRegistry& registry) {
  auto* option = static_cast<llvm::cl::list<std::string>*>(
      llvm::cl::getRegisteredOptions().lookup("load-dialect-plugin"));
  option->setCallback([&registry](const std::string& path) {
    llvm::Error error = sbp::loadDialectPlugin(path, registry);
    if (!error) return;
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    std::exit(1);
  });
}

/// Makes `value` the default of the option `name`, which MLIR has declared.
void setDefault(llvm::StringRef name, bool value) {
  static_cast<llvm::cl::opt<bool>*>(
      llvm::cl::getRegisteredOptions().lookup(name))
      ->setInitialValue(value);
}

/// Whether MLIR's driver reads the file by itself, as text: what it looks for
/// in it is no part of a module.
bool isReadByDriver(const mlir::MlirOptMainConfig& config) {
  return !config.inputSplitMarker().empty() ||
         config.shouldVerifyDiagnostics() || config.shouldRunReproducer() ||
         config.shouldUseExplicitModule() || !config.shouldVerifyOnParsing() ||
         !config.getIrdlFile().empty();
}

/// The program of `text`, as bytecode, which keeps what the text calls tensors.
/// Null after an error where it is none.
std::unique_ptr<llvm::MemoryBuffer> readNamed(
    std::unique_ptr<llvm::MemoryBuffer> text,
    const mlir::DialectRegistry& registry,
    const mlir::MlirOptMainConfig& config) {
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = sbp::parseNamed(context, sources);
  if (!module || mlir::failed(sbp::verifyTensors(*module))) return nullptr;
  sbp::spellNames(*module);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(*module, out))) return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, "<bytecode>");
}

/// Shows the lines of a text that errors of passes are about; it may be one of
/// standard input or of a pipe, which cannot be read again.
class ShownText : public mlir::PassInstrumentation {
 public:
  ShownText(const llvm::MemoryBuffer& text, mlir::MLIRContext* context) {
    sources_.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text),
                                llvm::SMLoc());
    handler_.emplace(sources_, context);
  }

 private:
  llvm::SourceMgr sources_;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler_;
};

/// Runs what the command line says on the file `inputPath`.
mlir::LogicalResult run(llvm::StringRef inputPath, llvm::StringRef outputPath,
                        mlir::DialectRegistry& registry) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputPath, &error);
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (input) output = mlir::openOutputFile(outputPath, &error);
  if (!output) {
    llvm::errs() << "error: " << error << "\n";
    return mlir::failure();
  }
  {
    mlir::MLIRContext context;
    llvm::SourceMgr sources;
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
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
    config.setPassPipelineSetupFn([&](mlir::PassManager& passes) {
      passes.addInstrumentation(
          std::make_unique<ShownText>(*text, passes.getContext()));
      return asked.setupPassPipeline(passes);
    });
  }
  if (!input || mlir::failed(mlir::MlirOptMain(output->os(), std::move(input),
                                               registry, config)))
    return mlir::failure();
  // Or the stream would say it as it is destroyed, and end the process.
  output->os().flush();
  if (output->os().has_error()) {
    llvm::errs() << "error: cannot write "
                 << (outputPath == "-" ? "standard output" : outputPath) << ": "
                 << output->os().error().message() << "\n";
    output->os().clear_error();
    return mlir::failure();
  }
  output->keep();
  return mlir::success();
}

}  // namespace

int main(int argc, char** argv) {
  sbp::file::startProcess();
  sbp::CrashReport report(argc, argv, kCrashMessage);
  hideOthersOptions();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream& stream) {
    stream << sbp::versionOf("sbp-opt") << "\n";
  });
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  // The form of kernels for GPUs.
  registry.insert<mlir::arith::ArithDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::NVVM::NVVMDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  mlir::registerPrintOpStatsPass();
  mlir::registerViewOpGraphPass();
  sbp::registerPasses();
  std::string help = mlir::registerCLIOptions(kOverview, registry);
  loadPluginsInto(registry);
  // An error is a line: the op is in the user's file.
  setDefault("mlir-print-op-on-diagnostic", false);
  setDefault("mlir-use-nameloc-as-prefix", true);
  auto [input, output] = mlir::parseCLIOptions(argc, argv, help);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  // These read no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return mlir::asMainReturnCode(run(input, output, registry));
}
