#include "passes/names/Spelling.h"

#include <vector>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/names/Names.h"

namespace sbp {
namespace {

/// Gives the values of one function distinct names.
class FunctionSpelling {
 public:
  void run(mlir::FunctionOpInterface function) {
    int64_t unnamed = 0;
    for (mlir::BlockArgument argument : function.getArguments()) {
      std::string name = spelled(nameIn(argument.getLoc()));
      if (name.empty()) name = "arg" + std::to_string(unnamed++);
      argument.setLoc(named(claim(name), argument.getLoc()));
    }
    function.walk<mlir::WalkOrder::PreOrder>([&](Operation* op) {
      if (op == function) return;
      if (op->getNumResults() > 0) spell(op);
      for (mlir::Region& region : op->getRegions())
        for (mlir::BlockArgument argument : region.getArguments()) {
          const std::string name = spelled(nameIn(argument.getLoc()));
          if (!name.empty())
            argument.setLoc(named(claim(name), argument.getLoc()));
        }
    });
  }

 private:
  void spell(Operation* op) {
    std::string name = nameIn(op->getLoc());
    if (name.empty()) name = nameIn(locationOf(op->getResult(0)));
    name = spelled(name);
    if (name.empty()) return op->setLoc(withoutNames(op->getLoc()));
    name = claim(name);
    // The results of one group, such as %both:2, share a name.
    llvm::SetVector<unsigned> groups = groupsOf(op);
    if (groups.size() == 1) return op->setLoc(named(name, op->getLoc()));
    std::vector<std::string> names;
    std::string group = name;
    for (unsigned result = 0, first = 0; result < op->getNumResults();
         ++result) {
      if (groups.contains(result)) {
        if (result > 0) group = claimNext(name);
        first = result;
      }
      const bool isAlone =
          first == result &&
          (result + 1 == op->getNumResults() || groups.contains(result + 1));
      names.push_back(isAlone ? group
                              : group + "#" + std::to_string(result - first));
    }
    nameResults(op, names);
  }

  /// Returns the index of the first result of each group into which the printer
  /// divides the results of `op`.
  static llvm::SetVector<unsigned> groupsOf(Operation* op) {
    llvm::SetVector<unsigned> firsts;
    firsts.insert(0);
    if (auto text = llvm::dyn_cast<mlir::OpAsmOpInterface>(op))
      text.getAsmResultNames([&](Value result, StringRef) {
        firsts.insert(llvm::cast<mlir::OpResult>(result).getResultNumber());
      });
    return firsts;
  }

  /// Returns `name` if it is not taken, else `name` with a number appended.
  /// Marks the result as taken.
  std::string claim(const std::string& name) {
    std::string free = name;
    for (int64_t number = 0; !taken_.insert(free).second; ++number)
      free = name + "_" + std::to_string(number);
    return free;
  }

  /// Returns the name that MLIR's printer gives to a further result of an op
  /// whose first result is `name`. The printer uses one counter for all
  /// conflicts of names.
  std::string claimNext(const std::string& name) {
    std::string free;
    do {
      free = name + "_" + std::to_string(numConflicts_++);
    } while (!taken_.insert(free).second);
    return free;
  }

  int64_t numConflicts_ = 0;
  llvm::StringSet<> taken_;
};

}  // namespace

std::string spelled(StringRef name) {
  if (llvm::all_of(name, llvm::isDigit)) return "";
  std::string text;
  // A name that begins with a digit would be parsed as a number.
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

std::string textOf(ModuleOp module, bool withPlaces) {
  std::string text;
  llvm::raw_string_ostream out(text);
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  if (withPlaces) flags.enableDebugInfo();
  module.print(out, flags);
  out << "\n";
  return text;
}

}  // namespace sbp
