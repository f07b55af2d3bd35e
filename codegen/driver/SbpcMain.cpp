#include "codegen/driver/SbpcMain.h"

#include <CLI/CLI.hpp>
#include <map>

#include "codegen/driver/Compile.h"
#include "llvm/Support/Path.h"

namespace sbp {
namespace {

const std::map<std::string, Emit> kEmitNames = {
    {"logical", Emit::Logical}, {"differentiated", Emit::Differentiated},
    {"placed", Emit::Placed},   {"boxed", Emit::Boxed},
    {"local", Emit::Local},     {"plan", Emit::Plan},
    {"llvm", Emit::Llvm},       {"asm", Emit::Assembly},
    {"obj", Emit::Object},      {"exe", Emit::Executable},
};

constexpr char kFooter[] = R"(
Examples:
  sbpc gpt.mlir -n 4 -o gpt          one program for 4 ranks of this host
  sbprun -n 4 ./gpt --text book.txt  trains it

  sbpc gpt.mlir --machine cluster.mlir -o gpt
                                     for a machine described in a file
  sbpc gpt.mlir -n 4 --emit placed   prints how every tensor is laid
  sbpc gpt.mlir -n 4 --dump-forms forms -o gpt
                                     keeps every form; each is a model again:
  sbpc forms/4-boxed.mlir -o gpt     gives the same program

A model says how tensors are laid by pins (sbp.pin); what it leaves open follows
by propagation. A model without any pin is trained data-parallel.
)";

}  // namespace

int sbpcMain(int argc, char** argv) {
  CompileOptions options;
  std::string emit = "exe";

  CLI::App app(
      "sbpc compiles a neural network, written for one device in MLIR, into "
      "one "
      "native program that N ranks run together.");
  app.footer(kFooter);
  app.add_option("model", options.source.path,
                 "The model; - reads it from standard input")
      ->required();
  app.add_option("-o,--output", options.outputPath,
                 "Where the output goes (default: the model's name for a "
                 "program, standard output for a text)");
  app.add_option("-n,--ranks", options.source.numRanks,
                 "How many ranks; without a machine they share this host")
      ->check(CLI::PositiveNumber);
  app.add_option(
      "--machine", options.source.machinePath,
      "A file that defines the sbp.machine, and a sbp.mesh if need be");
  app.add_option("--mesh", options.mesh,
                 "The mesh to place on, when there are several");
  app.add_option("--emit", emit,
                 "What to make: logical, differentiated, placed, boxed, local, "
                 "plan, llvm, asm, obj or exe")
      ->capture_default_str();
  app.add_option("--dump-forms", options.formsFolder,
                 "A folder that gets every form as a file");
  app.add_option("--cpu", options.cpu,
                 "The CPU to generate code for, by LLVM's name, such as "
                 "x86-64-v3")
      ->capture_default_str();
  app.add_option("--load-dialect-plugin", options.dialectPlugins,
                 "A shared library that brings dialects of its own");
  app.add_flag("-v,--verbose", options.isVerbose, "Says what takes how long");

  try {
    app.parse(argc, argv);
    auto found = kEmitNames.find(emit);
    if (found == kEmitNames.end())
      throw CLI::ValidationError(
          "--emit", "knows no '" + emit + "'; see --help for what it does");
    options.emit = found->second;
  } catch (const CLI::ParseError& error) {
    // CLI11 has a status for each kind of error; ours has one.
    return app.exit(error) == 0 ? 0 : 1;
  }

  if (options.outputPath.empty())
    options.outputPath =
        options.emit == Emit::Executable
            ? llvm::sys::path::stem(options.source.path).str()
        : options.emit == Emit::Object
            ? llvm::sys::path::stem(options.source.path).str() + ".o"
            : "-";
  return mlir::failed(compile(options)) ? 1 : 0;
}

}  // namespace sbp
