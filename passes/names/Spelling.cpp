#include "passes/names/Spelling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/names/Names.h"

namespace sbp {
namespace {

/// Gives the values of one function names, each another.
class FunctionSpelling {
 public:
  void run(mlir::FunctionOpInterface function) {
    int64_t unnamed = 0;
    for (mlir::BlockArgument argument : function.getArguments()) {
      std::string name = spelled(nameIn(argument.getLoc()));
      if (name.empty()) name = "arg" + std::to_string(unnamed++);
      argument.setLoc(named(own(name), argument.getLoc()));
    }
    function.walk([&](Operation* op) {
      if (op != function && op->getNumResults() > 0) spell(op);
    });
  }

 private:
  /// Several results are one group: %both:2.
  void spell(Operation* op) {
    std::string name = nameIn(op->getLoc());
    if (name.empty()) name = nameIn(locationOf(op->getResult(0)));
    name = spelled(name);
    op->setLoc(name.empty() ? withoutNames(op->getLoc())
                            : named(own(name), op->getLoc()));
  }

  /// `name`, or with a number behind it what nothing is called yet.
  std::string own(const std::string& name) {
    std::string free = name;
    for (int64_t number = 0; !taken_.insert(free).second; ++number)
      free = name + "_" + std::to_string(number);
    return free;
  }

  llvm::StringSet<> taken_;
};

}  // namespace

std::string spelled(StringRef name) {
  if (llvm::all_of(name, llvm::isDigit)) return "";
  std::string text;
  // A name that begins with a digit would be a number.
  if (llvm::isDigit(name.front())) text = "_";
  for (char letter : name)
    text += llvm::isAlnum(letter) || StringRef("$._-").contains(letter) ? letter
                                                                        : '_';
  return text;
}

void spellNames(ModuleOp module) {
  module.walk([](mlir::FunctionOpInterface function) {
    FunctionSpelling().run(function);
    return mlir::WalkResult::skip();
  });
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, mlir::OpPrintingFlags().printNameLocAsPrefix());
  out << "\n";
  return text;
}

}  // namespace sbp
