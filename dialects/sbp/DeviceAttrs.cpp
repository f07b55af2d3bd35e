// Text and checks of devices and their rates.

#include <cmath>
#include <optional>

#include "dialects/sbp/MachineSyntax.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/support/PrintNumber.h"
#include "mlir/IR/DialectImplementation.h"
#include "runtime/bytes/Bytes.h"

namespace sbp {

using namespace syntax;

Attribute RateAttr::parse(AsmParser& parser, Type) {
  Type type;
  double flopsPerSecond;
  SmallVector<EfficiencyPoint> points;
  auto parsePoint = [&] {
    EfficiencyPoint& point = points.emplace_back();
    return failure(parser.parseFloat(point.flops) || parser.parseColon() ||
                   parser.parseFloat(point.fraction));
  };
  if (parser.parseLess() || parser.parseType(type) || parser.parseComma() ||
      parser.parseFloat(flopsPerSecond) ||
      parseOptionalList(parser, "efficiency", parsePoint) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<RateAttr>(parser.getContext(), type,
                                     llvm::APFloat(flopsPerSecond),
                                     ArrayRef(points));
}

void RateAttr::print(AsmPrinter& printer) const {
  printer << "<" << getType() << ", ";
  printNumber(printer, getFlopsPerSecond());
  if (!getEfficiency().empty()) {
    printer << ", efficiency = [";
    llvm::interleaveComma(getEfficiency(), printer,
                          [&](const EfficiencyPoint& point) {
                            printNumber(printer, llvm::APFloat(point.flops));
                            printer << " : ";
                            printNumber(printer, llvm::APFloat(point.fraction));
                          });
    printer << "]";
  }
  printer << ">";
}

LogicalResult RateAttr::verify(EmitError emitError, Type type,
                               llvm::APFloat flopsPerSecond,
                               ArrayRef<EfficiencyPoint> efficiency) {
  // (C1)
  if (!type.isIntOrFloat())
    return emitError() << "rate is of " << type
                       << ", which is neither an integer nor a float";
  if (!isPositive(flopsPerSecond))
    return emitError() << "rate of " << type << " is "
                       << flopsPerSecond.convertToDouble()
                       << "; it must be from 1e-30 to 1e30";
  const EfficiencyPoint* before = nullptr;
  for (const EfficiencyPoint& point : efficiency) {
    // (C2)
    if (!isPositive(llvm::APFloat(point.flops)))
      return emitError() << "efficiency of " << type << " is given at "
                         << point.flops
                         << " FLOPs; they must be from 1e-30 to 1e30";
    if (!(point.fraction >= kLeast && point.fraction <= 1))
      return emitError() << "efficiency of " << type << " at " << point.flops
                         << " FLOPs is " << point.fraction
                         << "; it must be from 1e-30 to 1";
    if (before && before->flops >= point.flops)
      return emitError() << "efficiency of " << type << " is given at "
                         << before->flops << " FLOPs, then at " << point.flops
                         << "; they must ascend";
    // (C3)
    if (before &&
        before->flops / before->fraction > point.flops / point.fraction)
      return emitError() << "efficiency of " << type << " makes an op of "
                         << before->flops << " FLOPs slower than one of "
                         << point.flops;
    before = &point;
  }
  return success();
}

namespace {

/// Parses `kind = gpu, `, or nothing, which stands for a CPU.
ParseResult parseOptionalKind(AsmParser& parser, DeviceKind& kind) {
  kind = DeviceKind::Cpu;
  if (failed(parser.parseOptionalKeyword("kind"))) return success();
  llvm::SMLoc location;
  StringRef name;
  if (parser.parseEqual() || parser.getCurrentLocation(&location) ||
      parser.parseKeyword(&name))
    return failure();
  if (name != "cpu" && name != "gpu")
    return parser.emitError(location, "kind of a device is '")
           << name << "'; it must be cpu or gpu";
  if (name == "gpu") kind = DeviceKind::Gpu;
  return parser.parseComma();
}

/// Parses `launch = 2.5e-6, `, or nothing, which stands for 0.
ParseResult parseOptionalLaunch(AsmParser& parser, double& seconds) {
  seconds = 0;
  if (failed(parser.parseOptionalKeyword("launch"))) return success();
  return failure(parser.parseEqual() || parser.parseFloat(seconds) ||
                 parser.parseComma());
}

/// Parses a number of bytes: `key = 8.0e10` or `key = 80GB`.
ParseResult parseBytes(AsmParser& parser, StringRef key, double& value) {
  if (parser.parseKeyword(key) || parser.parseEqual()) return failure();
  // A float may be written as its bits, 0x4...
  bool isBits = StringRef(parser.getCurrentLocation().getPointer(), 2) == "0x";
  int64_t whole = 0;
  mlir::OptionalParseResult isWhole;
  if (!isBits) isWhole = parser.parseOptionalInteger(whole);
  if (isWhole.has_value() ? *isWhole : parser.parseFloat(value))
    return failure();
  if (isWhole.has_value()) value = static_cast<double>(whole);
  llvm::SMLoc location = parser.getCurrentLocation();
  StringRef unit;
  if (failed(parser.parseOptionalKeyword(&unit))) return success();
  std::optional<double> bytes = bytes::parse("1" + unit.str());
  if (!bytes)
    return parser.emitError(location, "'")
           << unit << "' is no unit of bytes; units are " << bytes::unitNames();
  value *= *bytes;
  return success();
}

}  // namespace

Attribute DeviceAttr::parse(AsmParser& parser, Type) {
  DeviceKind kind;
  double launch, memory, bandwidth;
  SmallVector<RateAttr> rates;
  if (parser.parseLess() || parseOptionalKind(parser, kind) ||
      parseOptionalLaunch(parser, launch) ||
      parseBytes(parser, "memory", memory) || parser.parseComma() ||
      parseQuantity(parser, "bandwidth", bandwidth) ||
      parseOptionalList(parser, "rates", rates) || parser.parseGreater())
    return {};
  return parser.getChecked<DeviceAttr>(
      parser.getContext(), kind, llvm::APFloat(launch), llvm::APFloat(memory),
      llvm::APFloat(bandwidth), ArrayRef(rates));
}

namespace {

/// A whole number of bytes below this one is printed as an integer.
constexpr double kManyBytes = 1e15;

}  // namespace

void DeviceAttr::print(AsmPrinter& printer) const {
  printer << (getKind() == DeviceKind::Gpu ? "<kind = gpu, " : "<");
  if (!getLaunch().isZero()) {
    printer << "launch = ";
    printNumber(printer, getLaunch());
    printer << ", ";
  }
  printer << "memory = ";
  const double memory = getMemory().convertToDouble();
  if (memory == std::trunc(memory) && memory < kManyBytes)
    printer << static_cast<int64_t>(memory);
  else
    printNumber(printer, getMemory());
  printer << ", bandwidth = ";
  printNumber(printer, getBandwidth());
  printOptionalList(printer, "rates", getRates());
  printer << ">";
}

LogicalResult DeviceAttr::verify(EmitError emitError, DeviceKind,
                                 llvm::APFloat launch, llvm::APFloat memory,
                                 llvm::APFloat bandwidth,
                                 ArrayRef<RateAttr> rates) {
  // (C1)
  if (!isPositive(memory) || !isPositive(bandwidth))
    return emitError() << "device has " << memory.convertToDouble()
                       << " bytes of memory and a bandwidth of "
                       << bandwidth.convertToDouble()
                       << "; both must be from 1e-30 to 1e30";
  // (C2)
  for (size_t i = 0; i < rates.size(); ++i)
    for (RateAttr other : rates.drop_front(i + 1))
      if (rates[i].getType() == other.getType())
        return emitError() << "device has two rates of " << other.getType();
  // (C3)
  const double seconds = launch.convertToDouble();
  if (!(seconds >= 0 && seconds <= 1))
    return emitError() << "a launch takes " << seconds
                       << " s on the device; it must be from 0 to 1";
  return success();
}

Device DeviceAttr::getDevice() const {
  Device device{getMemory().convertToDouble(),
                getBandwidth().convertToDouble(),
                {},
                getKind(),
                getLaunch().convertToDouble()};
  for (RateAttr rate : getRates())
    device.rates.push_back({scalarTypeOf(rate.getType()),
                            rate.getFlopsPerSecond().convertToDouble(),
                            rate.getEfficiency().vec()});
  return device;
}

ScalarType scalarTypeOf(Type elementType) {
  std::string name;
  llvm::raw_string_ostream(name) << elementType;
  return {name, llvm::isa<mlir::FloatType>(elementType),
          elementType.getIntOrFloatBitWidth()};
}

}  // namespace sbp
