#include "dialects/rank/Rank.h"

#include <optional>

#include "dialects/rank/Bucket.h"
#include "dialects/rank/GradientCopies.h"
#include "dialects/rank/RankDialect.cpp.inc"
#include "dialects/rank/RankEnums.cpp.inc"
#include "dialects/support/KnownAttributes.h"

#define GET_OP_CLASSES
#include "dialects/rank/RankOps.cpp.inc"

namespace sbp::rank {

void RankDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/rank/RankOps.cpp.inc"
      >();
}

namespace {

/// The discardable attributes of the dialect, on ops, and on arguments and
/// results of functions.
constexpr llvm::StringLiteral kOpAttributes[] = {kWholeAttrName, kGroupAttrName,
                                                 kTaskAttrName, kBucketAttrName,
                                                 kGradientCopiesAttrName};
constexpr llvm::StringLiteral kPartAttributes[] = {kWholeAttrName,
                                                   kPositionAttrName};

int64_t bytesOf(Value tensor) {
  auto type = llvm::cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() * elementBytes(type.getElementType());
}

}  // namespace

LogicalResult RankDialect::verifyRegionArgAttribute(
    Operation* op, unsigned, unsigned, mlir::NamedAttribute attribute) {
  return verifyKnown(op, attribute, "an argument", kPartAttributes);
}

LogicalResult RankDialect::verifyRegionResultAttribute(
    Operation* op, unsigned, unsigned, mlir::NamedAttribute attribute) {
  return verifyKnown(op, attribute, "a result", kPartAttributes);
}

LogicalResult RankDialect::verifyOperationAttribute(
    Operation* op, mlir::NamedAttribute attribute) {
  if (failed(verifyKnown(op, attribute, "an op", kOpAttributes)))
    return failure();
  if (attribute.getName() == kTaskAttrName &&
      !llvm::isa<TaskAttr>(attribute.getValue()))
    return op->emitOpError()
           << "has '" << kTaskAttrName << "' = " << attribute.getValue()
           << "; it must be a task of a stage, such as #sbp.task<1F>";
  if (attribute.getName() != kBucketAttrName) return success();
  if (!llvm::isa<AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp>(op))
    return op->emitOpError()
           << "has '" << kBucketAttrName << "', but is none of all_reduce, "
           << "all_gather, reduce_scatter and all_to_all";
  std::optional<Bucket> bucket = bucketOf(op);
  if (!bucket || bucket->step < 0 || bucket->bytes < 0 ||
      bucket->bytes >= bucket->fullBytes)
    return op->emitOpError()
           << "has '" << kBucketAttrName << "' = " << attribute.getValue()
           << "; it must be array<i64: step, bytes, bytes of a full bucket>, "
              "with step >= 0 and 0 <= bytes < bytes of a full bucket";
  const int64_t here =
      std::max(bytesOf(op->getOperand(0)), bytesOf(op->getResult(0)));
  if (bucket->bytes >= here) return success();
  return op->emitOpError() << "has '" << kBucketAttrName
                           << "' = " << attribute.getValue()
                           << " for a tensor of " << bucket->bytes
                           << " bytes, but has one of " << here
                           << " on this rank; the bytes are "
                           << "those of the rank that has most";
}

// Also verifies the constraint on `axes` of all ops that have this attribute.
FailureOr<SmallVector<int64_t>> axesNamed(Operation* op, mlir::ArrayAttr names,
                                          const Mesh& mesh) {
  SmallVector<int64_t> axes;
  for (auto name : names.getAsRange<mlir::StringAttr>()) {
    int64_t axis = mesh.axisNamed(name);
    if (axis < 0)
      return op->emitOpError()
             << "spans the axis " << name << ", which the mesh does not have";
    if (!axes.empty() && axis <= axes.back())
      return op->emitOpError() << "names the axis " << name << " after "
                               << "\"" << mesh.axes[axes.back()].name
                               << "\", out of the mesh's order";
    axes.push_back(axis);
  }
  if (axes.empty())
    return op->emitOpError() << "spans no axis; it needs at least one";
  return axes;
}

mlir::ArrayAttr namesOf(ArrayRef<int64_t> axes, const Mesh& mesh,
                        OpBuilder& builder) {
  SmallVector<StringRef> names;
  for (int64_t axis : axes) names.push_back(mesh.axes[axis].name);
  return builder.getStrArrayAttr(names);
}

mlir::FlatSymbolRefAttr meshNameOf(Operation* op) {
  auto program = op->getParentOfType<ProgramOp>();
  if (!program) return {};
  if (auto group = op->getAttrOfType<mlir::FlatSymbolRefAttr>(kGroupAttrName))
    return group;
  return program.getMeshAttr();
}

FailureOr<Mesh> meshOf(Operation* op) {
  mlir::FlatSymbolRefAttr name = meshNameOf(op);
  if (!name) return op->emitOpError() << "stands outside of a rank.program";
  return lookupMesh(op->getParentOfType<ProgramOp>(), name);
}

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType()).getShape();
}

/// Whether some member of a group over `axes` owns a part of extent `part` of a
/// dimension of extent `whole`. The major axis splits the dimension first, and
/// the next ones split its parts.
bool isPartOf(int64_t part, int64_t whole, ArrayRef<int64_t> axes,
              const Mesh& mesh) {
  if (axes.empty()) return part == whole;
  // The extents of parts differ by at most one, so there are at most two.
  int64_t count = mesh.axes[axes.front()].size;
  int64_t small = whole / count;
  int64_t large = (whole + count - 1) / count;
  return isPartOf(part, small, axes.drop_front(), mesh) ||
         isPartOf(part, large, axes.drop_front(), mesh);
}

/// Fails unless input and result have the same rank and element type, `dims`
/// are dimensions, and the extents differ at most along them. (C1)
LogicalResult differOnlyIn(Operation* op, ArrayRef<int64_t> dims) {
  auto input = llvm::cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  bool fits = input.getRank() == result.getRank() &&
              input.getElementType() == result.getElementType();
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= input.getRank())
      return op->emitOpError()
             << "works on dimension " << dim << " of " << input;
  }
  for (int64_t dim = 0; fits && dim < input.getRank(); ++dim)
    fits = llvm::is_contained(dims, dim) ||
           input.getDimSize(dim) == result.getDimSize(dim);
  if (fits) return success();
  return op->emitOpError() << "turns " << input << " into " << result
                           << ", which differ in more than the extents of "
                              "dimensions ["
                           << dims << "]";
}

/// Fails unless the extent of `part` along `dim` is that of some member's part
/// of `whole` (C2), in a group over the axes `axisNames` of the mesh (C3).
LogicalResult verifyPart(Operation* op, mlir::ArrayAttr axisNames, Value part,
                         int64_t whole, int64_t dim) {
  FailureOr<Mesh> mesh = meshOf(op);
  if (failed(mesh)) return failure();
  FailureOr<SmallVector<int64_t>> axes = axesNamed(op, axisNames, *mesh);
  if (failed(axes)) return failure();
  if (isPartOf(shapeOf(part)[dim], whole, *axes, *mesh)) return success();
  return op->emitOpError() << "has extent " << shapeOf(part)[dim]
                           << " along dimension " << dim
                           << ", which is no part of " << whole << " over "
                           << axisNames;
}

LogicalResult verifyPart(Operation* op, mlir::ArrayAttr axisNames, Value part,
                         Value whole, int64_t dim) {
  return verifyPart(op, axisNames, part, shapeOf(whole)[dim], dim);
}

/// Fails unless `names` are axes of the op's mesh.
LogicalResult verifyAxes(Operation* op, mlir::ArrayAttr names) {
  FailureOr<Mesh> mesh = meshOf(op);
  if (failed(mesh)) return failure();
  return LogicalResult(axesNamed(op, names, *mesh));
}

}  // namespace

LogicalResult ProgramOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  // (C3)
  FailureOr<Mesh> mesh = lookupMesh(*this, getMeshAttr());
  if (failed(mesh)) return failure();
  // (C1)
  if (getRanks().empty())
    return emitOpError() << "lists no ranks; it needs at least one";
  int64_t previous = -1;
  for (int64_t rank : getRanks()) {
    if (rank >= mesh->numRanks() || rank < 0)
      return emitOpError() << "lists rank " << rank << " of " << getMeshAttr()
                           << ", whose ranks are 0 to " << mesh->numRanks() - 1;
    if (rank <= previous)
      return emitOpError() << "lists rank " << rank << " after " << previous
                           << "; ranks must ascend";
    previous = rank;
  }
  // (C2)
  for (auto other : (*this)->getParentOp()->getRegion(0).getOps<ProgramOp>()) {
    if (other == *this) break;
    for (int64_t rank : getRanks())
      if (llvm::is_contained(other.getRanks(), rank)) {
        mlir::InFlightDiagnostic diagnostic =
            emitOpError() << "lists rank " << rank << ", which "
                          << other.getSymNameAttr() << " lists as well";
        diagnostic.attachNote(other.getLoc()) << "listed here first";
        return diagnostic;
      }
  }
  return success();
}

namespace {

/// Returns the type of the parts of `whole` on the ranks of `program`, which
/// all have parts of the same shape. Returns null if the ranks are not in the
/// group on which `whole` is placed.
FailureOr<RankedTensorType> localType(ProgramOp program, Type whole) {
  auto type = llvm::cast<RankedTensorType>(whole);
  NdSbpAttr placement = NdSbpAttr::of(type);
  FailureOr<Mesh> mesh = lookupMesh(program, placement.getMesh());
  if (failed(mesh)) return failure();
  int64_t position = mesh->positionOf(program.getRanks().front());
  if (position < 0) return RankedTensorType();
  return RankedTensorType::get(
      localShape(type.getShape(), placement.getComponents(), *mesh,
                 mesh->coordinatesOf(position)),
      type.getElementType());
}

/// Fails unless `name` names a transfer (C1), and `part` is the type of the
/// parts of one of its ends, which `endOf` selects, on the ranks of the program
/// (C2). `verb` is "sends" or "receives".
LogicalResult verifyEnd(Operation* op, mlir::FlatSymbolRefAttr name, Type part,
                        llvm::function_ref<Type(TransferOp)> endOf,
                        StringRef verb) {
  auto program = op->getParentOfType<ProgramOp>();
  if (!program) return op->emitOpError() << "stands outside of a rank.program";
  auto transfer = llvm::dyn_cast_if_present<TransferOp>(
      mlir::SymbolTable::lookupSymbolIn(program->getParentOp(), name));
  if (!transfer)
    return op->emitOpError()
           << "names " << name << ", which is no rank.transfer of the module";
  Type end = endOf(transfer);
  FailureOr<RankedTensorType> local = localType(program, end);
  if (failed(local)) return failure();
  if (*local == part) return success();
  mlir::InFlightDiagnostic diagnostic = op->emitOpError();
  if (*local)
    diagnostic << verb << " " << part << "; these ranks have " << *local;
  else
    diagnostic << "stands in the program of ranks that are not of group "
               << NdSbpAttr::of(end).getMesh();
  diagnostic.attachNote(transfer.getLoc()) << "the transfer is here";
  return diagnostic;
}

}  // namespace

TransferOp transferOf(Operation* end) {
  auto program = end->getParentOfType<ProgramOp>();
  return llvm::cast<TransferOp>(mlir::SymbolTable::lookupSymbolIn(
      program->getParentOp(),
      end->getAttrOfType<mlir::FlatSymbolRefAttr>("transfer")));
}

LogicalResult TransferOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  auto source = llvm::cast<RankedTensorType>(getSource());
  auto target = llvm::cast<RankedTensorType>(getTarget());
  // (C2)
  if (source.getShape() != target.getShape() ||
      source.getElementType() != target.getElementType())
    return emitOpError() << "changes " << source << " to " << target
                         << "; only the placement may change";
  for (RankedTensorType end : {source, target}) {
    // (C1)
    NdSbpAttr placement = NdSbpAttr::of(end);
    if (!placement || placement.hasPartial())
      return emitOpError() << "has the end " << end
                           << "; its placement must be Split or Broadcast";
    // (C3)
    FailureOr<Mesh> mesh = lookupMesh(*this, placement.getMesh());
    if (failed(mesh)) return failure();
    if (mesh->axes.size() != placement.getComponents().size())
      return emitOpError() << "has a placement of "
                           << placement.getComponents().size()
                           << " components, but " << placement.getMesh()
                           << " has " << mesh->axes.size() << " axes";
  }
  // (C1)
  if (NdSbpAttr::of(source).getMesh() == NdSbpAttr::of(target).getMesh())
    return emitOpError() << "goes from " << NdSbpAttr::of(source).getMesh()
                         << " to itself; a transfer joins two groups";
  return success();
}

LogicalResult SendOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  return verifyEnd(
      *this, getTransferAttr(), getInput().getType(),
      [](TransferOp transfer) { return transfer.getSource(); }, "sends");
}

LogicalResult ReceiveOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  return verifyEnd(
      *this, getTransferAttr(), getResult().getType(),
      [](TransferOp transfer) { return transfer.getTarget(); }, "receives");
}

LogicalResult AllReduceOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  // (C2)
  return verifyAxes(*this, getAxes());
}

LogicalResult ToPartialOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  // (C2)
  return verifyAxes(*this, getAxes());
}

LogicalResult OffsetOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  // (C1)
  return verifyAxes(*this, getAxes());
}

LogicalResult AllGatherOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t dim = getDim();
  if (failed(differOnlyIn(*this, dim))) return failure();
  return verifyPart(*this, getAxes(), getInput(), getResult(), dim);
}

LogicalResult ReduceScatterOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t dim = getDim();
  if (failed(differOnlyIn(*this, dim))) return failure();
  return verifyPart(*this, getAxes(), getResult(), getInput(), dim);
}

LogicalResult SliceOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t dim = getDim();
  if (failed(differOnlyIn(*this, dim))) return failure();
  return verifyPart(*this, getAxes(), getResult(), getInput(), dim);
}

LogicalResult PadOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t dim = getDim();
  if (failed(differOnlyIn(*this, dim))) return failure();
  return verifyPart(*this, getAxes(), getInput(), getResult(), dim);
}

LogicalResult AllToAllOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t gather = getGatherDim();
  int64_t split = getSplitDim();
  // (C1)
  if (gather == split)
    return emitOpError() << "gathers and splits the same dimension " << gather;
  if (failed(differOnlyIn(*this, {gather, split})) ||
      failed(verifyPart(*this, getAxes(), getInput(), getResult(), gather)))
    return failure();
  return verifyPart(*this, getAxes(), getResult(), getInput(), split);
}

LogicalResult HaloExchangeOp::verifySymbolUses(mlir::SymbolTableCollection&) {
  int64_t dim = getDim(), low = getLow(), high = getHigh();
  if (failed(differOnlyIn(*this, dim))) return failure();
  // (C1)
  if (low < 0 || high < 0)
    return emitOpError() << "widens a part by " << low << " and " << high
                         << " elements; both must be at least 0";
  int64_t part = shapeOf(getInput())[dim], widened = shapeOf(getResult())[dim];
  if (widened != low + part + high)
    return emitOpError() << "widens an extent of " << part << " by " << low
                         << " and " << high << " to " << widened;
  return verifyPart(*this, getAxes(), getInput(),
                    static_cast<int64_t>(getExtent()), dim);
}

}  // namespace sbp::rank
