#include "dialects/sbp/Sbp.h"

#include "dialects/sbp/MicroBatchesMark.h"
#include "dialects/sbp/SbpDialect.cpp.inc"
#include "dialects/support/KnownAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/sbp/SbpAttrs.cpp.inc"

namespace sbp {
namespace {

/// Parses `[@front "0F0,0B0", @back "1F0,1B0"]`.
mlir::ParseResult parseRows(mlir::OpAsmParser& parser, mlir::ArrayAttr& groups,
                            mlir::ArrayAttr& rows) {
  SmallVector<Attribute> names, texts;
  auto parseRow = [&] {
    mlir::SymbolRefAttr name;
    mlir::StringAttr text;
    if (parser.parseAttribute(name) || parser.parseAttribute(text))
      return mlir::ParseResult(failure());
    names.push_back(name);
    texts.push_back(text);
    return mlir::ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseRow))
    return failure();
  groups = parser.getBuilder().getArrayAttr(names);
  rows = parser.getBuilder().getArrayAttr(texts);
  return success();
}

/// Prints the rows that parseRows parses, one per line.
void printRows(mlir::OpAsmPrinter& printer, ScheduleOp, mlir::ArrayAttr groups,
               mlir::ArrayAttr rows) {
  printer << "[";
  printer.increaseIndent();
  llvm::interleave(
      llvm::zip(groups, rows),
      [&](auto row) {
        printer.printNewline();
        printer << std::get<0>(row) << " " << std::get<1>(row);
      },
      [&] { printer << ","; });
  printer.decreaseIndent();
  printer << "]";
}

}  // namespace
}  // namespace sbp

#define GET_OP_CLASSES
#include "dialects/sbp/SbpOps.cpp.inc"

namespace sbp {
namespace {

/// Short aliases of placements: the printed module uses the type
/// `tensor<8x4xf32, #S0_B_host>`, and defines `#S0_B_host` once, as
/// `#sbp.nd<@host, [S(0), B]>`.
class PlacementAliases : public mlir::OpAsmDialectInterface {
 public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute,
                       llvm::raw_ostream& out) const final {
    auto placement = llvm::dyn_cast<NdSbpAttr>(attribute);
    if (!placement) return AliasResult::NoAlias;
    for (Component component : placement.getComponents()) {
      // "S0", "B", "Psum"
      for (char letter : component.str())
        if (letter != '(' && letter != ')') out << letter;
      out << '_';
    }
    // MLIR permits no "." in an alias.
    for (char letter : placement.getMesh().getValue())
      out << (llvm::isAlnum(letter) || letter == '_' ? letter : '_');
    return AliasResult::FinalAlias;
  }
};

}  // namespace

void SbpDialect::initialize() {
  addInterfaces<PlacementAliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/sbp/SbpAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/sbp/SbpOps.cpp.inc"
      >();
}

// ---- Attributes on ops of other dialects ------------------------------------

namespace {

/// Verifies `attribute` of `op`, which only functions of stages may have.
LogicalResult verifyStageAttribute(Operation* op,
                                   mlir::NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!llvm::isa<mlir::FunctionOpInterface>(op) || !op->hasAttr(kStageAttrName))
    return op->emitOpError()
           << "has '" << name << "', which belongs on a function with '"
           << kStageAttrName << "'";
  if (name == kGroupAttrName) {
    auto group = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(attribute.getValue());
    if (!group)
      return op->emitOpError()
             << "has '" << name << "' = " << attribute.getValue()
             << "; it is the name of a group, such as @back";
    return failed(lookupMesh(op, group)) ? failure() : success();
  }
  if (name != kKindAttrName) {
    if (llvm::isa<mlir::UnitAttr>(attribute.getValue())) return success();
    return op->emitOpError()
           << "has '" << name << "' = " << attribute.getValue()
           << "; it is an attribute without a value";
  }
  if (llvm::isa<TaskKindAttr>(attribute.getValue())) return success();
  return op->emitOpError() << "has '" << name << "' = " << attribute.getValue()
                           << "; it is a kind of work, such as #sbp.kind<F>";
}

/// Verifies `attribute` of `op`, which says what a layer keeps.
LogicalResult verifyKeepAttribute(Operation* op,
                                  mlir::NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op);
  if (!llvm::isa<mlir::FunctionOpInterface>(op) || !symbol ||
      !symbol.isPrivate())
    return op->emitOpError()
           << "has '" << name
           << "', which belongs on a private function: a layer";
  if (llvm::isa<KeepAttr>(attribute.getValue())) return success();
  return op->emitOpError() << "has '" << name << "' = " << attribute.getValue()
                           << "; it says what is kept, such as "
                              "#sbp.keep<inputs>";
}

/// Verifies `attribute` of `op`, a number of micro-batches.
LogicalResult verifyMicroBatchesAttribute(Operation* op,
                                          mlir::NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!llvm::isa<mlir::FunctionOpInterface>(op))
    return op->emitOpError()
           << "has '" << name
           << "', which belongs on the function that is trained";
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
  if (number && number.getValue().isStrictlyPositive() &&
      number.getValue().isSignedIntN(32))
    return success();
  return op->emitOpError() << "has '" << name << "' = " << attribute.getValue()
                           << "; it is a number of micro-batches, such as 4";
}

/// The discardable attributes of the dialect, on ops and on arguments of
/// functions.
constexpr llvm::StringLiteral kOpAttributes[] = {
    kPinAttrName,  kStatePinAttrName, kSignatureAttrName,     kStageAttrName,
    kKindAttrName, kGroupAttrName,    kSplitBackwardAttrName, kKeepAttrName,
    kTiedAttrName, kCallsAttrName,    kMicroBatchesAttrName};
constexpr llvm::StringLiteral kArgumentAttributes[] = {kPinAttrName};

bool isPin(StringRef name) {
  return name == kPinAttrName || name == kStatePinAttrName;
}

/// Verifies `attribute` of `op`, which pins signatures. Whether the op has them
/// is verified with the op, by verifyDistributed.
LogicalResult verifySignatureAttribute(Operation* op,
                                       mlir::NamedAttribute attribute) {
  if (!llvm::isa<DistributedOpInterface>(op))
    return op->emitOpError()
           << "has '" << kSignatureAttrName
           << "', but declares no loops (DistributedOpInterface), so it has no "
              "signature";
  if (llvm::isa<SignatureAttr>(attribute.getValue())) return success();
  return op->emitOpError() << "has '" << kSignatureAttrName
                           << "' = " << attribute.getValue()
                           << "; it is a signature per mesh axis, such as "
                              "#sbp.signature<[(S(0), B) -> (S(0))]>";
}

/// Whether `op` is a symbol that declares a tensor, as nn.parameter is.
bool declaresTensor(Operation* op) {
  auto type = op->getAttrOfType<mlir::TypeAttr>("type");
  return llvm::isa<mlir::SymbolOpInterface>(op) && type &&
         llvm::isa<RankedTensorType>(type.getValue());
}

}  // namespace

LogicalResult SbpDialect::verifyOperationAttribute(
    Operation* op, mlir::NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (failed(verifyKnown(op, attribute, "an op", kOpAttributes)))
    return failure();
  if (isPin(name) && !declaresTensor(op))
    return op->emitOpError()
           << "has the attribute '" << name
           << "', which pins a parameter, or an argument of a function; the "
              "result of an op is pinned by an op after it, '%y = sbp.pin %x : "
              "... to "
           << attribute.getValue() << "'";
  if (name == kSignatureAttrName)
    return verifySignatureAttribute(op, attribute);
  if (name == kKeepAttrName) return verifyKeepAttribute(op, attribute);
  if (name == kMicroBatchesAttrName)
    return verifyMicroBatchesAttribute(op, attribute);
  if (name == kKindAttrName || name == kGroupAttrName ||
      name == kSplitBackwardAttrName)
    return verifyStageAttribute(op, attribute);
  return success();
}

LogicalResult SbpDialect::verifyRegionArgAttribute(
    Operation* op, unsigned, unsigned argument,
    mlir::NamedAttribute attribute) {
  if (attribute.getName() != kStatePinAttrName)
    return verifyKnown(op, attribute, "an argument", kArgumentAttributes);
  return op->emitOpError()
         << "has '" << kStatePinAttrName << "' on argument " << argument
         << ", which has no optimiser state; a parameter has, and an argument "
            "is pinned by '"
         << kPinAttrName << "'";
}

LogicalResult SbpDialect::verifyRegionResultAttribute(
    Operation* op, unsigned, unsigned result, mlir::NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (!isPin(name))
    return op->emitOpError() << "has '" << name << "' on result " << result
                             << "; results have no attributes of 'sbp'";
  return op->emitOpError()
         << "has '" << name << "' on result " << result
         << ", which pins a parameter or an argument; a result is pinned by an "
            "op before the return, '%y = sbp.pin %x : ... to "
         << attribute.getValue() << "'";
}

// ---- Placements -------------------------------------------------------------

namespace {

mlir::ParseResult parseComponent(mlir::AsmParser& parser,
                                 Component& component) {
  if (succeeded(parser.parseOptionalKeyword("B"))) {
    component = Component::broadcast();
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("S"))) {
    int64_t dim;
    llvm::SMLoc loc;
    if (parser.parseLParen() || parser.getCurrentLocation(&loc) ||
        parser.parseInteger(dim) || parser.parseRParen())
      return failure();
    if (dim < 0)
      return parser.emitError(loc, "split dimension is negative: ") << dim;
    component = Component::split(dim);
    return success();
  }
  if (succeeded(parser.parseOptionalKeyword("P"))) {
    llvm::SMLoc loc;
    StringRef name;
    if (parser.parseLParen() || parser.getCurrentLocation(&loc) ||
        parser.parseKeyword(&name) || parser.parseRParen())
      return failure();
    for (Reduction reduction : {Reduction::Sum, Reduction::Max, Reduction::Min})
      if (stringOf(reduction) == name) {
        component = Component::partial(reduction);
        return success();
      }
    return parser.emitError(loc, "reduction '")
           << name << "' is none of 'sum', 'max', 'min'";
  }
  return parser.emitError(parser.getCurrentLocation(),
                          "expected a component: S(dim), B, P(sum), P(max) or "
                          "P(min)");
}

}  // namespace

Attribute NdSbpAttr::parse(mlir::AsmParser& parser, Type) {
  mlir::FlatSymbolRefAttr mesh;
  SmallVector<Component> components;
  auto parseOne = [&] {
    return parseComponent(parser, components.emplace_back());
  };
  if (parser.parseLess() || parser.parseAttribute(mesh) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseOne) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<NdSbpAttr>(parser.getContext(), mesh, components);
}

void NdSbpAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<" << getMesh() << ", " << stringOf(getComponents()) << ">";
}

LogicalResult NdSbpAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
    mlir::FlatSymbolRefAttr mesh, ArrayRef<Component> components) {
  // (C2)
  const Component* firstPartial = nullptr;
  for (const Component& component : components) {
    if (!component.isPartial()) continue;
    if (firstPartial && *firstPartial != component)
      return emitError() << "placement mixes " << firstPartial->str() << " and "
                         << component.str();
    firstPartial = &component;
  }
  return success();
}

LogicalResult NdSbpAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  // (C1)
  for (const Component& component : getComponents())
    if (component.isSplit() &&
        component.dim() >= static_cast<int64_t>(shape.size()))
      return emitError() << "placement splits dimension " << component.dim()
                         << " of a tensor of rank " << shape.size();
  return success();
}

bool NdSbpAttr::hasPartial() const {
  return llvm::any_of(getComponents(),
                      [](const Component& c) { return c.isPartial(); });
}

bool NdSbpAttr::isBroadcast() const {
  return llvm::all_of(getComponents(),
                      [](const Component& c) { return c.isBroadcast(); });
}

NdSbpAttr NdSbpAttr::broadcast(mlir::FlatSymbolRefAttr mesh, size_t numAxes) {
  return NdSbpAttr::get(mesh.getContext(), mesh,
                        SmallVector<Component>(numAxes));
}

NdSbpAttr NdSbpAttr::of(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  if (!tensor) return {};
  return llvm::dyn_cast_if_present<NdSbpAttr>(tensor.getEncoding());
}

int64_t elementBytes(Type elementType) {
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

RankedTensorType withPlacement(RankedTensorType type, NdSbpAttr placement) {
  return RankedTensorType::get(type.getShape(), type.getElementType(),
                               placement);
}

// ---- Pinned signatures ------------------------------------------------------

namespace {

mlir::ParseResult parseSignature(mlir::AsmParser& parser,
                                 Signature& signature) {
  auto parseOperand = [&] {
    return parseComponent(parser, signature.operands.emplace_back());
  };
  auto parseResult = [&] {
    return parseComponent(parser, signature.results.emplace_back());
  };
  constexpr auto kParen = mlir::AsmParser::Delimiter::Paren;
  return mlir::failure(parser.parseCommaSeparatedList(kParen, parseOperand) ||
                       parser.parseArrow() ||
                       parser.parseCommaSeparatedList(kParen, parseResult));
}

/// Returns the components of all operands and results, per axis.
SmallVector<Component> componentsOf(ArrayRef<Signature> perAxis) {
  SmallVector<Component> components;
  for (const Signature& signature : perAxis) {
    llvm::append_range(components, signature.operands);
    llvm::append_range(components, signature.results);
  }
  return components;
}

}  // namespace

SignatureAttr SignatureAttr::get(MLIRContext* context,
                                 ArrayRef<Signature> perAxis) {
  const Signature& first = perAxis.front();
  return get(context, static_cast<int64_t>(first.operands.size()),
             static_cast<int64_t>(first.results.size()), componentsOf(perAxis));
}

Attribute SignatureAttr::parse(mlir::AsmParser& parser, Type) {
  const llvm::SMLoc start = parser.getCurrentLocation();
  SmallVector<Signature> perAxis;
  auto parseOne = [&]() -> mlir::ParseResult {
    const llvm::SMLoc loc = parser.getCurrentLocation();
    Signature& signature = perAxis.emplace_back();
    if (parseSignature(parser, signature)) return failure();
    const Signature& first = perAxis.front();
    // (C1)
    if (signature.operands.size() != first.operands.size() ||
        signature.results.size() != first.results.size())
      return parser.emitError(loc)
             << "the signature " << signature.str()
             << " has another number of operands or results than "
             << first.str();
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseOne) ||
      parser.parseGreater())
    return {};
  // (C1)
  if (perAxis.empty()) {
    parser.emitError(start, "no signature; there is one per mesh axis");
    return {};
  }
  const Signature& first = perAxis.front();
  return parser.getChecked<SignatureAttr>(
      start, parser.getContext(), static_cast<int64_t>(first.operands.size()),
      static_cast<int64_t>(first.results.size()), componentsOf(perAxis));
}

void SignatureAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<[";
  for (int64_t axis = 0; axis < getNumAxes(); ++axis)
    printer << (axis == 0 ? "" : ", ") << getSignature(axis).str();
  printer << "]>";
}

LogicalResult SignatureAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
    int64_t numOperands, int64_t numResults, ArrayRef<Component> components) {
  const int64_t numTensors = numOperands + numResults;
  // (C1)
  if (numOperands < 0 || numResults < 0 || numTensors == 0 ||
      components.empty() || components.size() % numTensors != 0)
    return emitError() << "the components are not those of " << numOperands
                       << " operands and " << numResults
                       << " results per mesh axis";
  // (C2)
  for (int64_t tensor = 0; tensor < numTensors; ++tensor) {
    const Component* firstPartial = nullptr;
    for (size_t at = tensor; at < components.size(); at += numTensors) {
      if (!components[at].isPartial()) continue;
      if (firstPartial && *firstPartial != components[at])
        return emitError() << (tensor < numOperands ? "operand " : "result ")
                           << (tensor < numOperands ? tensor
                                                    : tensor - numOperands)
                           << " mixes " << firstPartial->str() << " and "
                           << components[at].str();
      firstPartial = &components[at];
    }
  }
  return success();
}

int64_t SignatureAttr::getNumAxes() const {
  return static_cast<int64_t>(getComponents().size()) /
         (getNumOperands() + getNumResults());
}

Signature SignatureAttr::getSignature(int64_t axis) const {
  ArrayRef<Component> components =
      getComponents().slice(axis * (getNumOperands() + getNumResults()),
                            getNumOperands() + getNumResults());
  Signature signature;
  llvm::append_range(signature.operands,
                     components.take_front(getNumOperands()));
  llvm::append_range(signature.results,
                     components.drop_front(getNumOperands()));
  return signature;
}

}  // namespace sbp
