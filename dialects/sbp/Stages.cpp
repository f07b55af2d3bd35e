// Checks of sbp.stages and sbp.schedule.

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/OpImplementation.h"

namespace sbp {
namespace {

/// Fails if `op` is not the first op of its kind in its module. `rule` is the
/// reason, for the diagnostic.
template <typename OpT>
LogicalResult verifyFirst(OpT op, StringRef rule) {
  OpT first = *op->getParentOp()->getRegion(0).template getOps<OpT>().begin();
  if (first == op) return success();
  mlir::InFlightDiagnostic diagnostic = op.emitOpError()
                                        << "is a second one; " << rule;
  diagnostic.attachNote(first.getLoc()) << "the first is here";
  return diagnostic;
}

}  // namespace

Attribute TaskAttr::parse(mlir::AsmParser& parser, Type) {
  StageTask task;
  StringRef letter;
  llvm::SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseInteger(task.stage) || parser.parseKeyword(&letter) ||
      parser.parseGreater())
    return {};
  const std::optional<TaskKind> kind =
      letter.size() == 1 ? taskKindOf(letter.front()) : std::nullopt;
  if (!kind || task.stage < 0) {
    parser.emitError(loc, "'")
        << task.stage << letter
        << "' is no task; it must be the number of a stage and one of the "
           "letters F, B, I, W, R, G, U, such as 1F";
    return {};
  }
  task.kind = *kind;
  return get(parser.getContext(), task);
}

void TaskAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<" << getTask().text() << ">";
}

Attribute TaskKindAttr::parse(mlir::AsmParser& parser, Type) {
  StringRef letter;
  llvm::SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseKeyword(&letter) || parser.parseGreater())
    return {};
  const std::optional<TaskKind> kind =
      letter.size() == 1 ? taskKindOf(letter.front()) : std::nullopt;
  if (!kind || !callsStageFunction(*kind)) {
    parser.emitError(loc, "'")
        << letter
        << "' is no kind of work of a function; known are F, B, I, W, R";
    return {};
  }
  return get(parser.getContext(), *kind);
}

void TaskKindAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<" << letterOf(getValue()) << ">";
}

LogicalResult StagesOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  // (C1)
  if (getGroups().empty())
    return emitOpError() << "lists no groups; it needs at least one";
  MeshOp first;
  for (auto name : getGroups().getAsRange<mlir::FlatSymbolRefAttr>()) {
    auto group = symbols.lookupNearestSymbolFrom<MeshOp>(*this, name);
    if (!group)
      return emitOpError() << "names the group " << name
                           << ", which is no sbp.mesh of this module";
    if (!first) first = group;
    if (group.getMachineAttr() != first.getMachineAttr())
      return emitOpError() << "names groups of two machines: @"
                           << first.getSymName() << " of "
                           << first.getMachineAttr() << " and " << name
                           << " of " << group.getMachineAttr();
  }
  return verifyFirst(*this, "a program has one list of stages");  // (C2)
}

LogicalResult ScheduleOp::verify() {
  // (C2)
  if (getGroups().size() != getRows().size())
    return emitOpError() << "has " << getRows().size() << " rows for "
                         << getGroups().size() << " groups; each group has one";
  for (auto [group, row] :
       llvm::zip(getGroups(), getRows().getAsRange<mlir::StringAttr>()))
    if (row.getValue().contains('\n'))
      return emitOpError() << "has a row of " << group
                           << " of several lines; a row is one line";
  return success();
}

LogicalResult ScheduleOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  // (C1)
  auto all = (*this)->getParentOp()->getRegion(0).getOps<StagesOp>();
  if (all.empty())
    return emitOpError() << "is a schedule of stages, but the module has no "
                            "sbp.stages";
  StagesOp stages = *all.begin();
  llvm::SetVector<Attribute> expected(stages.getGroups().begin(),
                                      stages.getGroups().end());
  if (getGroups().getValue() != expected.getArrayRef()) {
    mlir::InFlightDiagnostic diagnostic = emitOpError();
    diagnostic << "has rows of " << getGroups() << "; those of sbp.stages are "
               << mlir::ArrayAttr::get(getContext(), expected.getArrayRef())
               << ", in the order in which it first names them";
    diagnostic.attachNote(stages.getLoc()) << "the stages are here";
    return diagnostic;
  }
  return verifyFirst(*this, "a program has one schedule");  // (C3)
}

}  // namespace sbp
