#include "dialects/Dialects.h"

#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

void registerDialects(mlir::DialectRegistry& registry) {
  registry.insert<mlir::func::FuncDialect, SbpDialect, nn::NnDialect,
                  rank::RankDialect>();
}

bool isOfProject(mlir::Operation* op) {
  return llvm::isa_and_present<nn::NnDialect, SbpDialect, rank::RankDialect>(
      op->getDialect());
}

}  // namespace sbp
