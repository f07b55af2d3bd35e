#include "dialects/sbp/Sbp.h"

#include "dialects/sbp/SbpDialect.cpp.inc"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/DialectImplementation.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/sbp/SbpAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/sbp/SbpOps.cpp.inc"

namespace sbp {

void SbpDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/sbp/SbpAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/sbp/SbpOps.cpp.inc"
      >();
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

FailureOr<SmallVector<Component>> parseComponents(mlir::AsmParser& parser) {
  SmallVector<Component> components;
  auto parseOne = [&] {
    return parseComponent(parser, components.emplace_back());
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseOne))
    return failure();
  return components;
}

void printComponents(mlir::AsmPrinter& printer,
                     ArrayRef<Component> components) {
  printer << stringOf(components);
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

// ---- Machines and meshes ----------------------------------------------------

namespace {

/// Parses `"name" x 4`.
mlir::ParseResult parseNamedCount(mlir::AsmParser& parser, std::string& name,
                                  int64_t& count) {
  return failure(parser.parseString(&name) || parser.parseKeyword("x") ||
                 parser.parseInteger(count));
}

/// Parses `, key = 1.0e-5`; the value may be written as an integer too.
mlir::ParseResult parseQuantity(mlir::AsmParser& parser, StringRef key,
                                double& value) {
  return failure(parser.parseComma() || parser.parseKeyword(key) ||
                 parser.parseEqual() || parser.parseFloat(value));
}

}  // namespace

Attribute LevelAttr::parse(mlir::AsmParser& parser, Type) {
  std::string name;
  int64_t count;
  double alpha, beta;
  if (parser.parseLess() || parseNamedCount(parser, name, count) ||
      parseQuantity(parser, "alpha", alpha) ||
      parseQuantity(parser, "beta", beta) || parser.parseGreater())
    return {};
  return parser.getChecked<LevelAttr>(parser.getContext(), name, count,
                                      llvm::APFloat(alpha),
                                      llvm::APFloat(beta));
}

void LevelAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<\"" << getName() << "\" x " << getCount() << ", alpha = ";
  printer.printFloat(getAlpha());
  printer << ", beta = ";
  printer.printFloat(getBeta());
  printer << ">";
}

LogicalResult LevelAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError, StringRef name,
    int64_t count, llvm::APFloat alpha, llvm::APFloat beta) {
  if (count < 1)
    return emitError() << "level '" << name << "' has count " << count
                       << "; it must be positive";
  for (const llvm::APFloat& seconds : {alpha, beta})
    if (!seconds.isFinite() || seconds.isNegative())
      return emitError() << "level '" << name << "' has alpha "
                         << alpha.convertToDouble() << " and beta "
                         << beta.convertToDouble()
                         << "; both must be finite and not negative";
  return success();
}

Attribute AxisAttr::parse(mlir::AsmParser& parser, Type) {
  std::string name, level;
  int64_t size;
  if (parser.parseLess() || parseNamedCount(parser, name, size) ||
      parser.parseKeyword("in") || parser.parseString(&level) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<AxisAttr>(parser.getContext(), name, size, level);
}

void AxisAttr::print(mlir::AsmPrinter& printer) const {
  printer << "<\"" << getName() << "\" x " << getSize() << " in \""
          << getLevel() << "\">";
}

LogicalResult AxisAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError, StringRef name,
    int64_t size, StringRef level) {
  if (size >= 1) return success();
  return emitError() << "axis '" << name << "' has size " << size
                     << "; it must be positive";
}

LogicalResult MachineOp::verify() {
  if (getLevels().empty()) return emitOpError() << "has no levels";
  llvm::StringSet<> names;
  for (LevelAttr level : getLevels().getAsRange<LevelAttr>())
    if (!names.insert(level.getName()).second)
      return emitOpError() << "has two levels named '" << level.getName()
                           << "'";
  int64_t numDevices = 1;
  for (LevelAttr level : getLevels().getAsRange<LevelAttr>())
    if (llvm::MulOverflow(numDevices, level.getCount(), numDevices) ||
        numDevices > kMaxDevices)
      return emitOpError() << "has, from its outermost level to '"
                           << level.getName() << "', more than " << kMaxDevices
                           << " devices";
  return success();
}

LogicalResult MeshOp::verify() {
  llvm::StringSet<> names;
  for (AxisAttr axis : getAxes().getAsRange<AxisAttr>())
    if (!names.insert(axis.getName()).second)
      return emitOpError() << "has two axes named '" << axis.getName() << "'";
  return success();
}

LogicalResult MeshOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  auto machine =
      symbols.lookupNearestSymbolFrom<MachineOp>(*this, getMachineAttr());
  if (!machine)
    return emitOpError() << "names " << getMachineAttr()
                         << ", which is no sbp.machine of this module";

  // (C2)
  auto axes = llvm::to_vector(getAxes().getAsRange<AxisAttr>());
  size_t next = 0;
  for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>()) {
    int64_t size = 1;
    size_t first = next;
    while (next < axes.size() && axes[next].getLevel() == level.getName())
      size *= axes[next++].getSize();
    if (next > first && size == level.getCount()) continue;
    mlir::InFlightDiagnostic diagnostic =
        emitOpError() << "has axes of " << size << " devices in level '"
                      << level.getName() << "', which has " << level.getCount();
    diagnostic.attachNote(machine.getLoc()) << "machine defined here";
    return diagnostic;
  }
  if (next < axes.size())
    return emitOpError() << "has axis '" << axes[next].getName()
                         << "' in level '" << axes[next].getLevel()
                         << "', which is not the machine's next level";
  return success();
}

namespace {

/// The symbol in the nearest symbol table around `from` that has it: a mesh is
/// defined in the module, and used inside the symbol tables of rank programs.
/// Those have many symbols and no mesh, so what a rank.program itself names is
/// not looked for inside of it.
Operation* lookupOutwards(Operation* from, mlir::FlatSymbolRefAttr symbol) {
  Operation* around = from->getParentOp() ? from->getParentOp() : from;
  for (Operation* at = around; at; at = at->getParentOp()) {
    if (!at->hasTrait<mlir::OpTrait::SymbolTable>()) continue;
    if (Operation* found = mlir::SymbolTable::lookupSymbolIn(at, symbol))
      return found;
  }
  return nullptr;
}

}  // namespace

FailureOr<Mesh> lookupMesh(Operation* from, mlir::FlatSymbolRefAttr symbol) {
  Operation* found = lookupOutwards(from, symbol);
  Mesh mesh;
  if (auto machine = llvm::dyn_cast_if_present<MachineOp>(found)) {
    for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>())
      mesh.axes.push_back({level.getName().str(), level.getCount(),
                           level.getAlpha().convertToDouble(),
                           level.getBeta().convertToDouble()});
    return mesh;
  }
  auto meshOp = llvm::dyn_cast_if_present<MeshOp>(found);
  if (!meshOp) {
    from->emitOpError() << "uses the mesh " << symbol
                        << ", which the module does not define";
    return failure();
  }
  FailureOr<Mesh> levels = lookupMesh(meshOp, meshOp.getMachineAttr());
  if (failed(levels)) return failure();
  for (AxisAttr axis : meshOp.getAxes().getAsRange<AxisAttr>()) {
    const MeshAxis& level = levels->axes[levels->axisNamed(axis.getLevel())];
    mesh.axes.push_back({axis.getName().str(), axis.getSize(),
                         level.latencySeconds, level.secondsPerByte});
  }
  return mesh;
}

// ---- Pins and boxings -------------------------------------------------------

LogicalResult PinOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getInput().getType());
  if (NdSbpAttr placement = NdSbpAttr::of(type))
    return emitOpError() << "pins a tensor that is placed already, on "
                         << placement;
  return getPlacement().verifyEncoding(type.getShape(), type.getElementType(),
                                       [&] { return emitOpError(); });
}

namespace {

/// Verifies an op whose result is its operand under another placement.
LogicalResult verifyReplacement(Operation* op) {
  auto from = llvm::cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return op->emitOpError() << "changes " << from << " to " << to
                             << "; only the placement may change";
  NdSbpAttr source = NdSbpAttr::of(from);
  NdSbpAttr target = NdSbpAttr::of(to);
  if (!source || !target)
    return op->emitOpError()
           << "needs placed types, but has " << (source ? to : from);
  if (source.getMesh() != target.getMesh())
    return op->emitOpError() << "moves from mesh " << source.getMesh() << " to "
                             << target.getMesh();
  if (source.getComponents().size() != target.getComponents().size())
    return op->emitOpError() << "has " << source.getComponents().size()
                             << " components before and "
                             << target.getComponents().size() << " after";
  return success();
}

}  // namespace

LogicalResult CastOp::verify() { return verifyReplacement(*this); }
LogicalResult BoxOp::verify() { return verifyReplacement(*this); }

mlir::OpFoldResult BoxOp::fold(FoldAdaptor) {
  if (getInput().getType() == getResult().getType()) return getInput();
  return {};
}

}  // namespace sbp
