// --sbp-spell-names: gives tensors the names that the form's text prints.

#include "mlir/IR/BuiltinOps.h"
#include "passes/names/Passes.h"
#include "passes/names/Spelling.h"

namespace sbp {

#define GEN_PASS_DEF_SPELLNAMES
#include "passes/names/Passes.h.inc"

namespace {

struct SpellNames : impl::SpellNamesBase<SpellNames> {
  void runOnOperation() override { spellNames(getOperation()); }
};

}  // namespace
}  // namespace sbp
