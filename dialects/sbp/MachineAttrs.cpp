// What a machine is made of: levels with their prices, axes, devices with their
// rates.

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/DialectImplementation.h"

namespace sbp {
namespace {

using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::ParseResult;

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Parses `"name" x 4`.
ParseResult parseNamedCount(AsmParser& parser, std::string& name,
                            int64_t& count) {
  return failure(parser.parseString(&name) || parser.parseKeyword("x") ||
                 parser.parseInteger(count));
}

/// Parses `key = 1.0e-5`.
ParseResult parseQuantity(AsmParser& parser, StringRef key, double& value) {
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseFloat(value));
}

/// Parses `alpha = 1.0e-5, beta = 1.0e-10`.
ParseResult parseAlphaBeta(AsmParser& parser, double& alpha, double& beta) {
  return failure(parseQuantity(parser, "alpha", alpha) || parser.parseComma() ||
                 parseQuantity(parser, "beta", beta));
}

void printAlphaBeta(AsmPrinter& printer, const llvm::APFloat& alpha,
                    const llvm::APFloat& beta) {
  printer << "alpha = ";
  printer.printFloat(alpha);
  printer << ", beta = ";
  printer.printFloat(beta);
}

/// Parses `, key = [element, ...]`, or nothing.
ParseResult parseOptionalList(AsmParser& parser, StringRef key,
                              llvm::function_ref<ParseResult()> parseElement) {
  if (failed(parser.parseOptionalComma())) return success();
  return failure(parser.parseKeyword(key) || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseElement));
}

/// Parses `, key = [attribute, ...]`, or nothing.
template <typename AttrT>
ParseResult parseOptionalList(AsmParser& parser, StringRef key,
                              SmallVector<AttrT>& list) {
  return parseOptionalList(
      parser, key, [&] { return parser.parseAttribute(list.emplace_back()); });
}

/// Prints what parseOptionalList parses.
template <typename AttrT>
void printOptionalList(AsmPrinter& printer, StringRef key,
                       ArrayRef<AttrT> list) {
  if (list.empty()) return;
  printer << ", " << key << " = [";
  llvm::interleaveComma(list, printer,
                        [&](AttrT attribute) { printer << attribute; });
  printer << "]";
}

bool isFiniteAndNotNegative(const llvm::APFloat& value) {
  return value.isFinite() && !value.isNegative();
}

bool isFiniteAndPositive(const llvm::APFloat& value) {
  return isFiniteAndNotNegative(value) && !value.isZero();
}

/// Fails unless alpha and beta of `what` are finite and not negative.
LogicalResult verifyAlphaBeta(EmitError emitError, const llvm::Twine& what,
                              const llvm::APFloat& alpha,
                              const llvm::APFloat& beta) {
  if (isFiniteAndNotNegative(alpha) && isFiniteAndNotNegative(beta))
    return success();
  return emitError() << what << " has alpha " << alpha.convertToDouble()
                     << " and beta " << beta.convertToDouble()
                     << "; both must be finite and not negative";
}

}  // namespace

// ---- Prices -----------------------------------------------------------------

Attribute PriceAttr::parse(AsmParser& parser, Type) {
  StringRef name;
  llvm::SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) ||
      parser.parseKeyword(&name))
    return {};
  std::optional<Collective> collective = collectiveNamed(name);
  if (!collective) {
    parser.emitError(loc, "collective '")
        << name
        << "' is none of 'all_reduce', 'all_gather', 'reduce_scatter', "
           "'all_to_all'";
    return {};
  }
  std::optional<int64_t> members, largestBytes;
  if (succeeded(parser.parseOptionalKeyword("of")) &&
      parser.parseInteger(members.emplace()))
    return {};
  if (succeeded(parser.parseOptionalKeyword("up")) &&
      (parser.parseKeyword("to") ||
       parser.parseInteger(largestBytes.emplace())))
    return {};
  double alpha, beta;
  if (parser.parseComma() || parseAlphaBeta(parser, alpha, beta) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<PriceAttr>(parser.getContext(), *collective, members,
                                      largestBytes, llvm::APFloat(alpha),
                                      llvm::APFloat(beta));
}

void PriceAttr::print(AsmPrinter& printer) const {
  printer << "<" << stringOf(getCollective());
  if (getMembers()) printer << " of " << *getMembers();
  if (getLargestBytes()) printer << " up to " << *getLargestBytes();
  printer << ", ";
  printAlphaBeta(printer, getAlpha(), getBeta());
  printer << ">";
}

LogicalResult PriceAttr::verify(EmitError emitError, Collective collective,
                                std::optional<int64_t> members,
                                std::optional<int64_t> largestBytes,
                                llvm::APFloat alpha, llvm::APFloat beta) {
  // (C1)
  if (members && *members < 2)
    return emitError() << "price of " << stringOf(collective) << " is 'of "
                       << *members << "'; a group has at least 2 members";
  if (largestBytes && *largestBytes < 1)
    return emitError() << "price of " << stringOf(collective) << " is 'up to "
                       << *largestBytes << "' bytes; that must be positive";
  // (C2)
  if (alpha.isFinite() && isFiniteAndNotNegative(beta)) return success();
  return emitError() << "price of " << stringOf(collective) << " has alpha "
                     << alpha.convertToDouble() << " and beta "
                     << beta.convertToDouble()
                     << "; both must be finite, and beta not negative";
}

MessagePrice PriceAttr::getPrice() const {
  return {getAlpha().convertToDouble(), getBeta().convertToDouble()};
}

// ---- Levels -----------------------------------------------------------------

Attribute LevelAttr::parse(AsmParser& parser, Type) {
  std::string name;
  int64_t count;
  double alpha, beta;
  SmallVector<PriceAttr> prices;
  if (parser.parseLess() || parseNamedCount(parser, name, count) ||
      parser.parseComma() || parseAlphaBeta(parser, alpha, beta) ||
      parseOptionalList(parser, "prices", prices) || parser.parseGreater())
    return {};
  return parser.getChecked<LevelAttr>(parser.getContext(), StringRef(name),
                                      count, llvm::APFloat(alpha),
                                      llvm::APFloat(beta), ArrayRef(prices));
}

void LevelAttr::print(AsmPrinter& printer) const {
  printer << "<\"" << getName() << "\" x " << getCount() << ", ";
  printAlphaBeta(printer, getAlpha(), getBeta());
  printOptionalList(printer, "prices", getPrices());
  printer << ">";
}

namespace {

/// "all_reduce" or "all_reduce of 4".
std::string groupOf(PriceAttr price) {
  std::string text = stringOf(price.getCollective()).str();
  if (price.getMembers()) text += " of " + std::to_string(*price.getMembers());
  return text;
}

bool isOfOneGroup(PriceAttr a, PriceAttr b) {
  return a.getCollective() == b.getCollective() &&
         a.getMembers() == b.getMembers();
}

/// Fails unless `next` may stand after `price`, both of one group.
LogicalResult verifyClasses(EmitError emitError, PriceAttr price,
                            PriceAttr next) {
  if (!price.getLargestBytes())
    return emitError() << "a price of " << groupOf(price)
                       << " follows the one without 'up to'";
  if (next.getLargestBytes() &&
      *next.getLargestBytes() <= *price.getLargestBytes())
    return emitError() << "the prices of " << groupOf(price)
                       << " do not ascend by 'up to': "
                       << *price.getLargestBytes() << ", then "
                       << *next.getLargestBytes();
  double border = static_cast<double>(*price.getLargestBytes());
  double before = price.getPrice().seconds(border);
  double after = next.getPrice().seconds(border);
  if (before <= after) return success();
  return emitError() << "a message of " << *price.getLargestBytes()
                     << " bytes in " << groupOf(price) << " takes " << before
                     << " s, a larger one only " << after << " s";
}

/// Fails unless `next` may stand after `price`, of another group.
LogicalResult verifyGroups(EmitError emitError, PriceAttr price,
                           PriceAttr next) {
  if (price.getCollective() != next.getCollective()) return success();
  if (price.getMembers().has_value() != next.getMembers().has_value())
    return emitError() << "some prices of " << stringOf(price.getCollective())
                       << " say 'of' and some do not";
  if (*price.getMembers() < *next.getMembers()) return success();
  return emitError() << "the prices of " << stringOf(price.getCollective())
                     << " do not ascend by 'of': " << *price.getMembers()
                     << ", then " << *next.getMembers();
}

/// Whether a price of `collective` stands before another collective's, which
/// stands before the end of `prices`.
bool isInterrupted(ArrayRef<PriceAttr> prices, Collective collective) {
  return llvm::any_of(prices.drop_back(), [&](PriceAttr price) {
    return price.getCollective() == collective;
  });
}

LogicalResult verifyPrices(EmitError emitError, ArrayRef<PriceAttr> prices) {
  for (size_t i = 0; i < prices.size(); ++i) {
    PriceAttr price = prices[i];
    if ((i == 0 || !isOfOneGroup(prices[i - 1], price)) &&
        price.getAlpha().isNegative())
      return emitError() << "the least messages of " << groupOf(price)
                         << " have alpha " << price.getPrice().latencySeconds
                         << "; it must not be negative";
    PriceAttr next = i + 1 < prices.size() ? prices[i + 1] : PriceAttr();
    if (next && isOfOneGroup(price, next)) {
      if (failed(verifyClasses(emitError, price, next))) return failure();
      continue;
    }
    if (price.getLargestBytes())
      return emitError() << groupOf(price)
                         << " has no price for messages of more than "
                         << *price.getLargestBytes() << " bytes";
    if (!next) break;
    if (failed(verifyGroups(emitError, price, next))) return failure();
    if (price.getCollective() != next.getCollective() &&
        isInterrupted(prices.take_front(i + 1), next.getCollective()))
      return emitError() << "the prices of " << stringOf(next.getCollective())
                         << " do not stand together";
  }
  return success();
}

}  // namespace

LogicalResult LevelAttr::verify(EmitError emitError, StringRef name,
                                int64_t count, llvm::APFloat alpha,
                                llvm::APFloat beta,
                                ArrayRef<PriceAttr> prices) {
  // (C1)
  if (count < 1)
    return emitError() << "level '" << name << "' has count " << count
                       << "; it must be positive";
  if (failed(verifyAlphaBeta(emitError, "level '" + name + "'", alpha, beta)))
    return failure();
  // (C2), (C3), (C4)
  return verifyPrices(emitError, prices);
}

PriceTables LevelAttr::getTables() const {
  PriceTables tables;
  for (PriceAttr price : getPrices()) {
    int64_t members = price.getMembers().value_or(0);
    if (tables.empty() || tables.back().collective != price.getCollective() ||
        tables.back().members != members)
      tables.push_back({price.getCollective(), members, {}});
    PriceClass& messages = tables.back().classes.emplace_back();
    messages.price = price.getPrice();
    if (price.getLargestBytes())
      messages.largestBytes = static_cast<double>(*price.getLargestBytes());
  }
  return tables;
}

// ---- Axes -------------------------------------------------------------------

Attribute AxisAttr::parse(AsmParser& parser, Type) {
  std::string name, level;
  int64_t size;
  if (parser.parseLess() || parseNamedCount(parser, name, size) ||
      parser.parseKeyword("in") || parser.parseString(&level) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<AxisAttr>(parser.getContext(), StringRef(name), size,
                                     StringRef(level));
}

void AxisAttr::print(AsmPrinter& printer) const {
  printer << "<\"" << getName() << "\" x " << getSize() << " in \""
          << getLevel() << "\">";
}

LogicalResult AxisAttr::verify(EmitError emitError, StringRef name,
                               int64_t size, StringRef level) {
  if (size >= 1) return success();
  return emitError() << "axis '" << name << "' has size " << size
                     << "; it must be positive";
}

// ---- Devices ----------------------------------------------------------------

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
  printer.printFloat(getFlopsPerSecond());
  if (!getEfficiency().empty()) {
    printer << ", efficiency = [";
    llvm::interleaveComma(getEfficiency(), printer,
                          [&](const EfficiencyPoint& point) {
                            printer.printFloat(llvm::APFloat(point.flops));
                            printer << " : ";
                            printer.printFloat(llvm::APFloat(point.fraction));
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
  if (!isFiniteAndPositive(flopsPerSecond))
    return emitError() << "rate of " << type << " is "
                       << flopsPerSecond.convertToDouble()
                       << "; it must be positive and finite";
  const EfficiencyPoint* before = nullptr;
  for (const EfficiencyPoint& point : efficiency) {
    // (C2)
    if (!isFiniteAndPositive(llvm::APFloat(point.flops)))
      return emitError() << "efficiency of " << type << " is given at "
                         << point.flops
                         << " FLOPs; they must be positive and finite";
    if (!(point.fraction > 0 && point.fraction <= 1))
      return emitError() << "efficiency of " << type << " at " << point.flops
                         << " FLOPs is " << point.fraction
                         << "; it must lie in (0, 1]";
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

Attribute DeviceAttr::parse(AsmParser& parser, Type) {
  double memory, bandwidth;
  SmallVector<RateAttr> rates;
  if (parser.parseLess() || parseQuantity(parser, "memory", memory) ||
      parser.parseComma() || parseQuantity(parser, "bandwidth", bandwidth) ||
      parseOptionalList(parser, "rates", rates) || parser.parseGreater())
    return {};
  return parser.getChecked<DeviceAttr>(
      parser.getContext(), llvm::APFloat(memory), llvm::APFloat(bandwidth),
      ArrayRef(rates));
}

void DeviceAttr::print(AsmPrinter& printer) const {
  printer << "<memory = ";
  printer.printFloat(getMemory());
  printer << ", bandwidth = ";
  printer.printFloat(getBandwidth());
  printOptionalList(printer, "rates", getRates());
  printer << ">";
}

LogicalResult DeviceAttr::verify(EmitError emitError, llvm::APFloat memory,
                                 llvm::APFloat bandwidth,
                                 ArrayRef<RateAttr> rates) {
  // (C1)
  if (!isFiniteAndPositive(memory) || !isFiniteAndPositive(bandwidth))
    return emitError() << "device has " << memory.convertToDouble()
                       << " bytes of memory and a bandwidth of "
                       << bandwidth.convertToDouble()
                       << "; both must be positive and finite";
  // (C2)
  for (size_t i = 0; i < rates.size(); ++i)
    for (RateAttr other : rates.drop_front(i + 1))
      if (rates[i].getType() == other.getType())
        return emitError() << "device has two rates of " << other.getType();
  return success();
}

Device DeviceAttr::getDevice() const {
  Device device{
      getMemory().convertToDouble(), getBandwidth().convertToDouble(), {}};
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
