#ifndef DIALECTS_RANK_RANKATTRS_TD_
#define DIALECTS_RANK_RANKATTRS_TD_

include "dialects/rank/RankDialect.td"
include "mlir/IR/EnumAttr.td"

// The Reduction of dialects/sbp/Algebra.h, as an attribute.
def Rank_Reduction : I32EnumAttr<"Reduction", "how terms combine", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::sbp::rank";
}

#endif  // DIALECTS_RANK_RANKATTRS_TD_
