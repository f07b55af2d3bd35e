// Text and checks of the attributes for initial values and optimisers:
// #nn.normal<0.02>, #nn.sgd<momentum = 0.9>.

#include <cmath>

#include "dialects/nn/Nn.h"
#include "dialects/support/PrintNumber.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/nn/NnAttrs.cpp.inc"

namespace sbp::nn {

void NnDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/nn/NnAttrs.cpp.inc"
      >();
}

namespace {

/// A named number of an attribute.
struct Quantity {
  StringRef name;
  double value;
};

/// Parses `<0.02>` or `<-0.1, 0.1>`: one number per element of `values`.
mlir::ParseResult parseNumbers(mlir::AsmParser& parser,
                               llvm::MutableArrayRef<double> values) {
  if (parser.parseLess()) return failure();
  for (size_t index = 0; index < values.size(); ++index)
    if ((index > 0 && parser.parseComma()) || parser.parseFloat(values[index]))
      return failure();
  return parser.parseGreater();
}

/// Parses `<momentum = 0.9, ...>`: any of `quantities`, in any order, or
/// nothing. A quantity that is missing in the text keeps its value.
mlir::ParseResult parseQuantities(mlir::AsmParser& parser,
                                  llvm::MutableArrayRef<Quantity> quantities) {
  if (failed(parser.parseOptionalLess())) return success();
  auto parseOne = [&]() -> mlir::ParseResult {
    llvm::SMLoc location = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual()) return failure();
    for (Quantity& quantity : quantities)
      if (quantity.name == name) return parser.parseFloat(quantity.value);
    mlir::InFlightDiagnostic diagnostic = parser.emitError(location, "'")
                                          << name << "' is none of";
    for (const Quantity& quantity : quantities)
      diagnostic << " '" << quantity.name << "'";
    return diagnostic;
  };
  return failure(parser.parseCommaSeparatedList(parseOne) ||
                 parser.parseGreater());
}

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Fails with a diagnostic that `value` of the quantity `name` breaks `rule`.
LogicalResult refuse(EmitError emitError, StringRef name, llvm::APFloat value,
                     StringRef rule) {
  return emitError() << name << " is " << value.convertToDouble() << "; it is "
                     << rule;
}

LogicalResult verifyNotNegative(EmitError emitError, StringRef name,
                                const llvm::APFloat& value) {
  if (value.isFinite() && value.convertToDouble() >= 0) return success();
  return refuse(emitError, name, value, "a finite number of at least 0");
}

/// Returns `value` in f32, in which optimisers compute.
float inF32(const llvm::APFloat& value) {
  return static_cast<float>(value.convertToDouble());
}

LogicalResult verifyFactor(EmitError emitError, StringRef name,
                           const llvm::APFloat& value) {
  if (std::isfinite(inF32(value)) && inF32(value) >= 0) return success();
  return refuse(emitError, name, value, "a finite number of at least 0 in f32");
}

LogicalResult verifyPositive(EmitError emitError, StringRef name,
                             const llvm::APFloat& value) {
  if (std::isfinite(inF32(value)) && inF32(value) > 0) return success();
  return refuse(emitError, name, value, "a finite number above 0 in f32");
}

/// Fails unless `value` is a decay rate, from 0 to below 1.
LogicalResult verifyDecay(EmitError emitError, StringRef name,
                          const llvm::APFloat& value) {
  if (value.convertToDouble() >= 0 && value.convertToDouble() < 1)
    return success();
  return refuse(emitError, name, value, "at least 0 and below 1");
}

/// Prints `<0.02>`, or `<momentum = 0.9>` for a number with a name.
void printNumbers(mlir::AsmPrinter& printer,
                  ArrayRef<std::pair<StringRef, llvm::APFloat>> numbers) {
  printer << "<";
  llvm::interleaveComma(numbers, printer, [&](const auto& number) {
    if (!number.first.empty()) printer << number.first << " = ";
    printNumber(printer, number.second);
  });
  printer << ">";
}

}  // namespace

Attribute NormalAttr::parse(mlir::AsmParser& parser, Type) {
  double stddev;
  if (parseNumbers(parser, stddev)) return {};
  return parser.getChecked<NormalAttr>(parser.getContext(),
                                       llvm::APFloat(stddev));
}

void NormalAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getStddev()}});
}

LogicalResult NormalAttr::verify(EmitError emitError, llvm::APFloat stddev) {
  return verifyNotNegative(emitError, "the standard deviation",
                           stddev);  // (C1)
}

Attribute UniformAttr::parse(mlir::AsmParser& parser, Type) {
  double bounds[2];
  if (parseNumbers(parser, bounds)) return {};
  return parser.getChecked<UniformAttr>(
      parser.getContext(), llvm::APFloat(bounds[0]), llvm::APFloat(bounds[1]));
}

void UniformAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getLower()}, {"", getUpper()}});
}

LogicalResult UniformAttr::verify(EmitError emitError, llvm::APFloat lower,
                                  llvm::APFloat upper) {
  // (C1)
  if (lower.isFinite() && upper.isFinite() &&
      lower.convertToDouble() <= upper.convertToDouble())
    return success();
  return emitError() << "the bounds are " << lower.convertToDouble() << " and "
                     << upper.convertToDouble()
                     << "; they are finite, the lower one first";
}

Attribute ConstantAttr::parse(mlir::AsmParser& parser, Type) {
  double value;
  if (parseNumbers(parser, value)) return {};
  return parser.getChecked<ConstantAttr>(parser.getContext(),
                                         llvm::APFloat(value));
}

void ConstantAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getValue()}});
}

LogicalResult ConstantAttr::verify(EmitError emitError, llvm::APFloat value) {
  if (value.isFinite()) return success();  // (C1)
  return refuse(emitError, "the value", value, "a finite number");
}

Attribute SgdAttr::parse(mlir::AsmParser& parser, Type) {
  Quantity quantities[] = {{"momentum", 0.0}, {"weight_decay", 0.0}};
  if (parseQuantities(parser, quantities)) return {};
  return parser.getChecked<SgdAttr>(parser.getContext(),
                                    llvm::APFloat(quantities[0].value),
                                    llvm::APFloat(quantities[1].value));
}

void SgdAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"momentum", getMomentum()},
                         {"weight_decay", getWeightDecay()}});
}

LogicalResult SgdAttr::verify(EmitError emitError, llvm::APFloat momentum,
                              llvm::APFloat weightDecay) {
  // (C1)
  if (failed(verifyFactor(emitError, "momentum", momentum))) return failure();
  return verifyFactor(emitError, "weight_decay", weightDecay);
}

namespace {

template <typename AdamAttribute>
Attribute parseAdam(mlir::AsmParser& parser, double weightDecay) {
  Quantity quantities[] = {{"beta1", 0.9},
                           {"beta2", 0.999},
                           {"epsilon", 1.0e-8},
                           {"weight_decay", weightDecay}};
  if (parseQuantities(parser, quantities)) return {};
  return parser.getChecked<AdamAttribute>(
      parser.getContext(), llvm::APFloat(quantities[0].value),
      llvm::APFloat(quantities[1].value), llvm::APFloat(quantities[2].value),
      llvm::APFloat(quantities[3].value));
}

template <typename AdamAttribute>
void printAdam(mlir::AsmPrinter& printer, AdamAttribute attribute) {
  printNumbers(printer, {{"beta1", attribute.getBeta1()},
                         {"beta2", attribute.getBeta2()},
                         {"epsilon", attribute.getEpsilon()},
                         {"weight_decay", attribute.getWeightDecay()}});
}

LogicalResult verifyAdam(EmitError emitError, const llvm::APFloat& beta1,
                         const llvm::APFloat& beta2,
                         const llvm::APFloat& epsilon,
                         const llvm::APFloat& weightDecay) {
  if (failed(verifyDecay(emitError, "beta1", beta1)) ||  // (C1)
      failed(verifyDecay(emitError, "beta2", beta2)) ||
      failed(verifyPositive(emitError, "epsilon", epsilon)))  // (C2)
    return failure();
  return verifyFactor(emitError, "weight_decay", weightDecay);  // (C3)
}

}  // namespace

Attribute AdamAttr::parse(mlir::AsmParser& parser, Type) {
  return parseAdam<AdamAttr>(parser, 0.0);
}
void AdamAttr::print(mlir::AsmPrinter& printer) const {
  printAdam(printer, *this);
}
LogicalResult AdamAttr::verify(EmitError emitError, llvm::APFloat beta1,
                               llvm::APFloat beta2, llvm::APFloat epsilon,
                               llvm::APFloat weightDecay) {
  return verifyAdam(emitError, beta1, beta2, epsilon, weightDecay);
}
Attribute AdamWAttr::parse(mlir::AsmParser& parser, Type) {
  return parseAdam<AdamWAttr>(parser, 0.01);
}
void AdamWAttr::print(mlir::AsmPrinter& printer) const {
  printAdam(printer, *this);
}
LogicalResult AdamWAttr::verify(EmitError emitError, llvm::APFloat beta1,
                                llvm::APFloat beta2, llvm::APFloat epsilon,
                                llvm::APFloat weightDecay) {
  return verifyAdam(emitError, beta1, beta2, epsilon, weightDecay);
}

}  // namespace sbp::nn
