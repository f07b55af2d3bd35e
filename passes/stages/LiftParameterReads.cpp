#include "passes/stages/LiftParameterReads.h"

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

class Lifter {
 public:
  explicit Lifter(ModuleOp module)
      : module_(module), symbols_(module), users_(tables_, module) {}

  void run() {
    for (FuncOp function : llvm::to_vector(module_.getOps<FuncOp>()))
      lift(function);
  }

 private:
  /// The reads of a function that become arguments, by the parameter's name:
  /// the first read of each parameter.
  using Reads = llvm::MapVector<Attribute, nn::GetOp>;

  /// Lifts the reads of all functions that `function` calls, and then its own.
  void lift(FuncOp function) {
    if (!lifted_.insert(function).second) return;
    function.walk([&](CallOp call) {
      if (auto callee = symbols_.lookup<FuncOp>(call.getCallee())) lift(callee);
    });
    if (!canLift(function)) return;
    Reads reads;
    for (auto get : llvm::make_early_inc_range(
             function.getBody().front().getOps<nn::GetOp>())) {
      if (get.getBefore() > 0) continue;
      reads.try_emplace(get.getNameAttr(), get);
    }
    if (reads.empty()) return;
    for (Operation* user : users_.getUsers(function))
      addOperands(llvm::cast<CallOp>(user), reads);
    for (auto& [name, first] : reads) addArgument(function, first);
  }

  bool canLift(FuncOp function) const {
    ArrayRef<Operation*> users = users_.getUsers(function);
    return function.isPrivate() && function.getBody().hasOneBlock() &&
           !users.empty() && llvm::all_of(users, llvm::IsaPred<CallOp>);
  }

  /// Adds the parameters of `reads` to the operands of `call`.
  static void addOperands(CallOp call, Reads& reads) {
    OpBuilder builder(call);
    for (auto& [name, read] : reads) {
      Operation* copy = builder.clone(*read);
      call.getOperandsMutable().append(copy->getResult(0));
    }
  }

  /// Makes the parameter of `read` the last argument of `function`.
  static void addArgument(FuncOp function, nn::GetOp read) {
    const unsigned last = function.getNumArguments();
    (void)function.insertArgument(last, read.getType(), /*argAttrs=*/{},
                                  read.getLoc());
    const mlir::FlatSymbolRefAttr name = read.getNameAttr();
    for (auto get : llvm::make_early_inc_range(
             function.getBody().front().getOps<nn::GetOp>())) {
      if (get.getNameAttr() != name || get.getBefore() > 0) continue;
      get.getResult().replaceAllUsesWith(function.getArgument(last));
      get.erase();
    }
  }

  ModuleOp module_;
  mlir::SymbolTable symbols_;
  mlir::SymbolTableCollection tables_;
  mlir::SymbolUserMap users_;
  llvm::DenseSet<Operation*> lifted_;
};

}  // namespace

void liftParameterReads(ModuleOp module) { Lifter(module).run(); }

}  // namespace sbp
