#include "codegen/driver/SbpcMain.h"

#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "codegen/driver/CheckOps.h"
#include "codegen/driver/Compile.h"
#include "codegen/driver/Diff.h"
#include "codegen/driver/Explain.h"
#include "codegen/driver/MachineMain.h"
#include "codegen/driver/ModelCommandLine.h"
#include "dialects/text/People.h"
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

  sbpc gpt.mlir -n 4 -o gpt              compiles a program for 4 ranks of this host
  sbprun -n 4 ./gpt --text book.txt      trains the model; ./gpt --help shows its options

  sbpc gpt.mlir --machine cluster.mlir -o gpt
                                         compiles for the machine that a file describes
  sbpc gpt.mlir --target cuda --machine auto -o gpt
                                         compiles for the GPUs of this host; sbpc machine
                                         prints them as such a file
  sbpc explain gpt.mlir -n 4             explains the plan: its time, memory, alternatives
  sbpc diff plan.mlir edited.mlir        compares two planned programs
  sbpc check-ops gpt.mlir                tests whether ops keep what they declare
  sbpc gpt.mlir -n 4 --stages 2 --micro-batches 8 -o gpt
                                         makes a pipeline of two stages, of 2 ranks each
  sbpc gpt.mlir -n 4 --emit placed       prints the placement of every tensor
  sbpc gpt.mlir -n 4 --dump-forms forms -o gpt
                                         writes every form of the model to a folder,
                                         and the tasks from which the plan is made
  sbpc forms/4-boxed.mlir -o gpt         compiles one of these forms to such a program

sbpc chooses the placement of every tensor. It searches for the plan that takes the least
time, by the speeds of links and devices that the machine states. A pin in the model
(sbp.pin) fixes the placement of one tensor: S(dimension) for split, B for broadcast or
P(sum) for partial, on each level of the machine. The search places the other tensors.
)";

constexpr char kFooter[] = R"(
Forms for --emit, which --dump-forms writes too. Each is made from the one before:
  logical         the model as it was written, on whole tensors
  differentiated  the model with the entry train_step: backward pass, optimiser step
  placed          the type of every tensor has its placement on the machine
  boxed           an sbp.box wherever a tensor is needed in another placement
  local           the program of one rank: its parts of tensors, and collectives
  plan            the buffers and tasks of every rank, as JSON
  llvm, asm, obj  kernels and plan: as LLVM IR, as assembly, as an object
  exe             the program
With --target cuda, the plan states how kernels are launched, and is followed by:
  gpu, llvm, ptx  the kernels in MLIR's gpu dialect, as LLVM IR, and as PTX

--schedule takes a family of schedules, such as 1f1b, if need be with its parameters:
  --schedule 'interleaved<chunks = 2, recompute = true>'
or a file. sbp-lab schedule lists the families, shows how they run, and writes files.

A machine file holds one sbp.machine, and optionally an sbp.mesh with other axes:
  sbp.machine @cluster [
    #sbp.level<"node" x 2, alpha = 2.0e-5, beta = 8.0e-11>,
    #sbp.level<"gpu" x 4, alpha = 5.0e-6, beta = 5.0e-12>]
alpha is the latency of a message in seconds, beta the seconds per byte.
)";

/// Returns the default output: a program and an object are named after their
/// model, a text goes to standard output.
std::string defaultOutput(const CompileOptions& options) {
  const bool isRead = options.source.path == "-";
  std::string stem = llvm::sys::path::stem(options.source.path).str();
  if (options.output.emit == Emit::Executable && !isRead) return stem;
  if (options.output.emit == Emit::Object && !isRead) return stem + ".o";
  return "-";
}

}  // namespace

int sbpcMain(int argc, char** argv, const std::string& version) {
  if (argc > 1 && std::string(argv[1]) == "explain")
    return explainMain(argc - 1, argv + 1, version);
  if (argc > 1 && std::string(argv[1]) == "diff")
    return diffMain(argc - 1, argv + 1, version);
  if (argc > 1 && std::string(argv[1]) == "check-ops")
    return checkOpsMain(argc - 1, argv + 1, version);
  if (argc > 1 && std::string(argv[1]) == "machine")
    return machineMain(argc - 1, argv + 1, version);
  CompileOptions options;
  options.compiler = version;
  constexpr char kOutput[] = "Output";
  CLI::App app(kIntroduction, "sbpc");
  app.footer(kFooter);
  app.set_version_flag("--version", version, "Print the version and exit");
  addModelOptions(app, "The model in any form; - reads it from standard input",
                  /*without=*/{"goal"}, options);
  app.add_option("-o,--output", options.output.path,
                 "File for the output; - is standard output (for a program "
                 "the model's name without its ending, for an object with .o, "
                 "for a text standard output)")
      ->type_name("FILE")
      ->group(kOutput);
  app.add_option("--emit", options.output.emit,
                 "Form of the output, one of those listed below (exe)")
      ->type_name("FORM")
      ->group(kOutput)
      ->transform(options::oneOf(emitNames()));
  app.add_option("--dump-forms", options.output.formsFolder,
                 "Folder to which every form is written as a file, except "
                 "obj and exe; FOLDER/tasks gets the tasks of each entry after "
                 "each step from the local form to the plan")
      ->type_name("FOLDER")
      ->group(kOutput);
  app.add_flag("--form-places", options.output.hasPlaces,
               "Write into forms, up to the local one, where each op stands in "
               "the model; errors of a program that is compiled from such a "
               "form name places of the model, else places of the form")
      ->group(kOutput);
  app.add_flag("-v,--verbose", options.isVerbose,
               "Print the time that each part of the compilation takes, and a "
               "summary of the program, which is always printed on a terminal")
      ->group(kOutput);

  if (auto status = parseCommandLine(app, argc, argv)) return *status;

  if (options.output.path.empty()) options.output.path = defaultOutput(options);
  if (options.output.path == "-" && options.output.emit == Emit::Executable) {
    peopleErr() << "error: a program cannot go to standard output; -o FILE "
                   "says where it goes\n";
    return 1;
  }
  // On a terminal, success is shown by more than the next prompt.
  options.hasSummary = options.isVerbose || llvm::errs().is_displayed();
  return mlir::failed(compile(options)) ? 1 : 0;
}

}  // namespace sbp
