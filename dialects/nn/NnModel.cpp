// Parameters, constants, indices, and repeated calls.

#include <optional>

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace sbp::nn {
namespace {

/// Fails unless `name` names a parameter of type `type`. (C1) of nn.get and
/// nn.set.
LogicalResult verifyParameterUse(Operation* op, mlir::FlatSymbolRefAttr name,
                                 Type type,
                                 mlir::SymbolTableCollection& symbols) {
  auto parameter = symbols.lookupNearestSymbolFrom<ParameterOp>(op, name);
  if (!parameter)
    return op->emitOpError()
           << "names " << name << ", which is no nn.parameter of this module";
  if (parameter.getType() == type) return success();
  mlir::InFlightDiagnostic diagnostic =
      op->emitOpError() << "uses parameter " << name << " as " << type;
  diagnostic.attachNote(parameter.getLoc())
      << "the parameter has type " << parameter.getType();
  return diagnostic;
}

/// Returns the numbers that `initializer` contains.
SmallVector<llvm::APFloat> numbersOf(Attribute initializer) {
  if (auto normal = llvm::dyn_cast<NormalAttr>(initializer))
    return {normal.getStddev()};
  if (auto uniform = llvm::dyn_cast<UniformAttr>(initializer))
    return {uniform.getLower(), uniform.getUpper()};
  if (auto constant = llvm::dyn_cast<ConstantAttr>(initializer))
    return {constant.getValue()};
  return {};
}

/// Whether `number`, converted to `type`, is finite; if `type` is an integer
/// type, also whether it is an integer in its range.
bool fits(llvm::APFloat number, Type type) {
  if (auto floats = llvm::dyn_cast<mlir::FloatType>(type)) {
    bool losesInfo = false;
    number.convert(floats.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.isFinite();
  }
  llvm::APSInt integer(type.getIntOrFloatBitWidth(),
                       /*isUnsigned=*/type.isInteger(1));
  bool isExact = false;
  return number.convertToInteger(integer, llvm::APFloat::rmTowardZero,
                                 &isExact) == llvm::APFloat::opOK &&
         isExact;
}

}  // namespace

LogicalResult ParameterOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getType());
  // (C1)
  if (llvm::isa<NormalAttr, UniformAttr>(getInitializer()) &&
      !llvm::isa<mlir::FloatType>(type.getElementType()))
    return emitOpError() << "has element type " << type.getElementType()
                         << ", which " << getInitializer() << " does not fit";
  for (const llvm::APFloat& number : numbersOf(getInitializer()))
    if (!fits(number, type.getElementType()))
      return emitOpError() << "begins as " << getInitializer()
                           << ", but its elements are " << type.getElementType()
                           << ", none of which is " << number.convertToDouble();
  // (C2)
  if (NdSbpAttr placement = NdSbpAttr::of(type))
    if (placement.hasPartial())
      return emitOpError() << "is kept as " << placement
                           << "; a parameter must not be partial";
  return success();
}

LogicalResult GetOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  return verifyParameterUse(*this, getNameAttr(), getResult().getType(),
                            symbols);
}

LogicalResult SetOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  return verifyParameterUse(*this, getNameAttr(), getValue().getType(),
                            symbols);
}

// ---- Repeat -----------------------------------------------------------------

mlir::CallInterfaceCallable RepeatOp::getCallableForCallee() {
  return llvm::cast<mlir::SymbolRefAttr>(getCalleeAttr());
}

void RepeatOp::setCalleeFromCallable(mlir::CallInterfaceCallable callee) {
  setCalleeAttr(llvm::cast<mlir::FlatSymbolRefAttr>(
      llvm::cast<mlir::SymbolRefAttr>(callee)));
}

mlir::Operation::operand_range RepeatOp::getArgOperands() {
  return getOperands();
}

mlir::MutableOperandRange RepeatOp::getArgOperandsMutable() {
  return getOperandsMutable();
}

void RepeatOp::build(OpBuilder& builder, mlir::OperationState& state,
                     TypeRange results, int64_t times, StringRef callee,
                     ValueRange operands) {
  build(builder, state, results, times, /*only=*/nullptr, callee, operands);
}

SmallVector<int64_t> RepeatOp::numbers() {
  if (auto only = getOnly()) return llvm::to_vector(*only);
  return llvm::to_vector(llvm::seq<int64_t>(0, getTimes()));
}

LogicalResult RepeatOp::verify() {
  auto times = static_cast<int64_t>(getTimes());
  // (C1)
  if (times < 1)
    return emitOpError() << "calls " << getCalleeAttr() << " " << times
                         << " times; it must be at least once";
  // (C2)
  if (!getOnly()) return success();
  const ArrayRef<int64_t> only = *getOnly();
  if (only.empty())
    return emitOpError() << "makes no call of " << getCalleeAttr()
                         << "; it must make at least one";
  int64_t last = -1;
  for (int64_t number : only) {
    if (number <= last || number >= times)
      return emitOpError() << "makes call " << number << " of " << times
                           << " after " << last
                           << "; their numbers ascend from 0 to " << times - 1;
    last = number;
  }
  return success();
}

LogicalResult RepeatOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  // (C3)
  auto function = symbols.lookupNearestSymbolFrom<mlir::FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!function)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", which is no function here";
  SmallVector<Type> arguments(getOperands().getTypes());
  llvm::append_range(arguments, getResultTypes());
  auto type =
      mlir::FunctionType::get(getContext(), arguments, getResultTypes());
  if (function.getFunctionType() == type) return success();
  mlir::InFlightDiagnostic diagnostic =
      emitOpError() << "calls " << getCalleeAttr() << " as " << type;
  diagnostic.attachNote(function.getLoc())
      << "the function has type " << function.getFunctionType();
  return diagnostic;
}

// ---- Repetition -------------------------------------------------------------

LoopNest RepetitionOp::getLoopNest() {
  LoopNest nest = loopsOver({}, Loop::Kind::Parallel, /*whole=*/-1);
  nest.results.push_back(identityLoops(0));
  nest.flopsPerPoint = 0;
  return nest;
}

Operation* RepetitionOp::buildLocal(OpBuilder& builder, ValueRange,
                                    TypeRange results, Shard&) {
  return RepetitionOp::create(builder, getLoc(), results.front());
}

// ---- Constant ---------------------------------------------------------------

mlir::ParseResult ConstantOp::parse(mlir::OpAsmParser& parser,
                                    mlir::OperationState& result) {
  Attribute value;
  Type type;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseAttribute(value) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value);
  if (!elements)
    return parser.emitError(location,
                            "expected a tensor literal: dense, sparse or "
                            "dense_resource");
  type = elements.getType();
  // The literal has no placement, so a placed constant has its type in
  // addition.
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(type))
    return failure();
  result.getOrAddProperties<Properties>().value = elements;
  result.addTypes(type);
  return success();
}

void ConstantOp::print(mlir::OpAsmPrinter& printer) {
  printer << " " << getValue();
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  if (getValue().getType() != getResult().getType())
    printer << " -> " << getResult().getType();
}

namespace {

/// Most bytes of a sparse literal. A program stores the zeros as well, which
/// the text does not contain.
constexpr int64_t kMaxSparseBytes = int64_t{1} << 30;

/// Returns the bytes of all elements of `type`, with one byte per i1. Returns
/// nothing if their number overflows.
std::optional<int64_t> bytesOf(mlir::ShapedType type) {
  int64_t bytes = elementBytes(type.getElementType());
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bytes, extent, bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

LogicalResult ConstantOp::verify() {
  mlir::ElementsAttr value = getValue();
  // (C1)
  if (!haveSameShapes(value.getType(), getResult().getType()))
    return emitOpError() << "has a literal of type " << value.getType()
                         << " and a result of type " << getResult().getType();
  std::optional<int64_t> bytes = bytesOf(value.getShapedType());
  // (C2)
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
    mlir::AsmResourceBlob* blob = resource.getRawHandle().getBlob();
    if (!blob)
      return emitOpError() << "needs the resource '"
                           << resource.getRawHandle().getKey()
                           << "', which the file does not have";
    int64_t there = blob->getData().size();
    if (bytes == there) return success();
    return emitOpError() << "has " << there << " bytes in the resource '"
                         << resource.getRawHandle().getKey()
                         << "' for a literal of type " << value.getType();
  }
  // (C3)
  if (llvm::isa<mlir::SparseElementsAttr>(value)) {
    if (bytes && *bytes <= kMaxSparseBytes) return success();
    return emitOpError() << "has a sparse literal of type " << value.getType()
                         << ", which takes more than " << kMaxSparseBytes
                         << " bytes with its zeros";
  }
  if (llvm::isa<mlir::DenseElementsAttr>(value)) return success();
  return emitOpError() << "has the literal " << value
                       << ", which is not dense, sparse or dense_resource";
}

bool ConstantOp::isSplat() {
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(getValue());
  return dense && dense.isSplat();
}

mlir::DenseElementsAttr ConstantOp::getElements() {
  mlir::ElementsAttr value = getValue();
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value)) return dense;
  mlir::ShapedType type = value.getShapedType();
  auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value);
  if (!resource) {
    auto elements = llvm::cast<mlir::SparseElementsAttr>(value);
    return mlir::DenseElementsAttr::get(
        type, llvm::to_vector(elements.getValues<Attribute>()));
  }
  ArrayRef<char> bytes = resource.getData();
  if (!type.getElementType().isInteger(1))
    return mlir::DenseElementsAttr::getFromRawBuffer(type, bytes);
  return mlir::DenseElementsAttr::get(
      type, llvm::map_to_vector(bytes, [](char bit) { return bit != 0; }));
}

LoopNest ConstantOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getResult());
  LoopNest nest =
      loopsOver(shape, isSplat() ? Loop::Kind::Parallel : Loop::Kind::Whole,
                /*whole=*/-1);
  nest.results.push_back(identityLoops(shape.size()));
  nest.flopsPerPoint = 0;
  return nest;
}

Operation* ConstantOp::buildLocal(OpBuilder& builder, ValueRange,
                                  TypeRange results, Shard&) {
  auto type = llvm::cast<RankedTensorType>(results.front());
  mlir::ElementsAttr value = getValue();
  if (isSplat())
    value =
        mlir::DenseElementsAttr::get(type, value.getSplatValue<Attribute>());
  return ConstantOp::create(builder, getLoc(), type, value);
}

// ---- Iota -------------------------------------------------------------------

LogicalResult IotaOp::verify() {
  // (C1)
  int64_t rank = shapeOf(getResult()).size();
  int64_t dim = getDim();
  if (dim >= 0 && dim < rank) return success();
  return emitOpError() << "counts along dimension " << dim
                       << " of a tensor of rank " << rank;
}

LoopNest IotaOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getResult());
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, /*whole=*/-1);
  nest.operands.resize(getNumOperands());
  nest.results.push_back(identityLoops(shape.size()));
  return nest;
}

Operation* IotaOp::buildLocal(OpBuilder& builder, ValueRange operands,
                              TypeRange results, Shard& shard) {
  Value start = operands.empty() ? Value() : operands.front();
  return IotaOp::create(builder, getLoc(), results.front(),
                        firstIndex(builder, getLoc(), start, getDim(), shard),
                        getDim());
}

}  // namespace sbp::nn
