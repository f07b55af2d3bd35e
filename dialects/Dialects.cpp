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

}  // namespace sbp
