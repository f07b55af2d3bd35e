#include "codegen/kernels/ReduceKinds.h"

namespace sbp {

using namespace mlir;
using vector::CombiningKind;

CombiningKind combiningKind(nn::ReduceKind kind, Type element) {
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
    case nn::ReduceKind::Max:
      return isFloat ? CombiningKind::MAXIMUMF : CombiningKind::MAXSI;
    case nn::ReduceKind::Min:
      return isFloat ? CombiningKind::MINIMUMF : CombiningKind::MINSI;
    case nn::ReduceKind::Sum:
    case nn::ReduceKind::Mean:
      return CombiningKind::ADD;
  }
  llvm_unreachable("all kinds are above");
}

}  // namespace sbp
