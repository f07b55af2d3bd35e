#include "codegen/driver/SbpcMain.h"

#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "codegen/driver/Compile.h"
#include "codegen/driver/Explain.h"
#include "codegen/driver/ModelCommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/options/Checks.h"

namespace sbp {
namespace {

/// Returns the values of `--emit`, in the order in which the outputs are made.
std::vector<std::pair<std::string, int64_t>> emitNames() {
  auto named = [](const char* name, Emit emit) {
    return std::pair<std::string, int64_t>(name, static_cast<int64_t>(emit));
  };
  return {named("logical", Emit::Logical),
          named("differentiated", Emit::Differentiated),
          named("placed", Emit::Placed),
          named("boxed", Emit::Boxed),
          named("local", Emit::Local),
          named("plan", Emit::Plan),
          named("gpu", Emit::Gpu),
          named("llvm", Emit::Llvm),
          named("ptx", Emit::Ptx),
          named("asm", Emit::Assembly),
          named("obj", Emit::Object),
          named("exe", Emit::Executable)};
}

constexpr char kIntroduction[] =
    R"(sbpc compiles a neural network, written for one device in MLIR, into one native
program that N ranks run together.

  sbpc gpt.mlir -n 4 -o gpt              a program for 4 ranks of this host
  sbprun -n 4 ./gpt --text book.txt      trains it; ./gpt --help says what else

  sbpc gpt.mlir --machine cluster.mlir -o gpt
                                         for a machine described in a file
  sbpc explain gpt.mlir -n 4             says why, and what it takes
  sbpc gpt.mlir -n 4 --stages 2 --micro-batches 8 -o gpt
                                         in two stages of 2 ranks, a pipeline
  sbpc gpt.mlir -n 4 --emit placed       prints how every tensor is laid
  sbpc gpt.mlir -n 4 --dump-forms forms -o gpt
                                         keeps every form; each is a model again:
  sbpc forms/4-boxed.mlir -o gpt         gives the same program

How tensors are laid is searched for: of all plans, the one that takes the machine
the least time, by what it says of its links and its devices. Pins in the model
(sbp.pin) decide what they name, as S(0), B or P(sum) for each level of the
machine; the search fills in the rest.
)";

constexpr char kFooter[] = R"(
What --emit and --dump-forms show, each made from the one before:
  logical         the model as it was written, on whole tensors
  differentiated  with the entry train_step: backward pass and optimiser step
  placed          every tensor type says how it lies on the machine
  boxed           where a tensor is needed otherwise than it lies, an sbp.box
  local           what one rank runs: its parts of the tensors, and collectives
  plan            buffers and tasks of every rank, as JSON
  llvm, asm, obj  the kernels and the plan, on their way to machine code
  exe             the program
and with --target cuda, after the plan, which says how kernels are launched:
  gpu, llvm, ptx  the kernels, on their way to the driver of a GPU

--schedule takes a family, such as 1f1b, with what there is to choose of it:
  --schedule 'interleaved<chunks = 2, recompute = true>'
or a file. sbp-lab schedule lists the families, shows how they run, and writes files.

A machine file holds one op, and if need be an sbp.mesh that names its axes anew:
  sbp.machine @cluster [
    #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
    #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
alpha is the latency of a message in seconds, beta the seconds per byte.
)";

/// Returns the default output: a program and an object are named after their
/// model, a text goes to standard output.
std::string defaultOutput(const CompileOptions& options) {
  const bool isRead = options.source.path == "-";
  const std::string stem = llvm::sys::path::stem(options.source.path).str();
  if (options.output.emit == Emit::Executable && !isRead) return stem;
  if (options.output.emit == Emit::Object && !isRead) return stem + ".o";
  return "-";
}

}  // namespace

int sbpcMain(int argc, char** argv, const std::string& version) {
  if (argc > 1 && std::string(argv[1]) == "explain")
    return explainMain(argc - 1, argv + 1, version);
  CompileOptions options;
  options.compiler = version;
  CLI::App app(kIntroduction, "sbpc");
  app.footer(kFooter);
  app.set_version_flag("--version", version, "Say which sbpc this is");
  addModelOptions(app, "The model, in any form; - reads it from standard input",
                  /*without=*/{"goal"}, options);
  app.add_option("-o,--output", options.output.path,
                 "Where the output goes; if not given, a program goes to the "
                 "model's name without ending, a text to standard output")
      ->type_name("FILE");
  app.add_option("--emit", options.output.emit, "What to make, see below (exe)")
      ->type_name("WHAT")
      ->transform(options::oneOf(emitNames()));
  app.add_option("--dump-forms", options.output.formsFolder,
                 "A folder that gets every form on the way as a file, but for "
                 "objects")
      ->type_name("FOLDER");
  app.add_flag(
      "-v,--verbose", options.isVerbose,
      "Print how long each part takes, and a summary of the program, which "
      "a terminal gets in any case");

  if (auto status = parseCommandLine(app, argc, argv)) return *status;

  if (options.output.path.empty()) options.output.path = defaultOutput(options);
  if (options.output.path == "-" && options.output.emit == Emit::Executable) {
    llvm::errs() << "error: a program cannot go to standard output; -o FILE "
                    "says where it goes\n";
    return 1;
  }
  // On a terminal, success is shown by more than the next prompt.
  options.hasSummary = options.isVerbose || llvm::errs().is_displayed();
  return mlir::failed(compile(options)) ? 1 : 0;
}

}  // namespace sbp
