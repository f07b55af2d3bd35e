// Text and checks of prices, levels of a machine, and axes of a mesh.

#include "dialects/sbp/MachineSyntax.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/support/PrintNumber.h"
#include "mlir/IR/DialectImplementation.h"

namespace sbp {
namespace {

using namespace syntax;

/// Parses `"name" x 4`.
ParseResult parseNamedCount(AsmParser& parser, std::string& name,
                            int64_t& count) {
  return failure(parser.parseString(&name) || parser.parseKeyword("x") ||
                 parser.parseInteger(count));
}

/// Parses `alpha = 1.0e-5, beta = 1.0e-10`.
ParseResult parseAlphaBeta(AsmParser& parser, double& alpha, double& beta) {
  return failure(parseQuantity(parser, "alpha", alpha) || parser.parseComma() ||
                 parseQuantity(parser, "beta", beta));
}

/// Prints what parseAlphaBeta parses.
void printAlphaBeta(AsmPrinter& printer, const llvm::APFloat& alpha,
                    const llvm::APFloat& beta) {
  printer << "alpha = ";
  printNumber(printer, alpha);
  printer << ", beta = ";
  printNumber(printer, beta);
}

/// Fails unless `alpha` and `beta` of `what` are from 0 to 1e30. (C1) of
/// levels.
LogicalResult verifyAlphaBeta(EmitError emitError, const llvm::Twine& what,
                              const llvm::APFloat& alpha,
                              const llvm::APFloat& beta) {
  if (isNonNegative(alpha) && isNonNegative(beta)) return success();
  return emitError() << what << " has alpha " << alpha.convertToDouble()
                     << " and beta " << beta.convertToDouble()
                     << "; both must be from 0 to 1e30";
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
  if (isBounded(alpha) && isNonNegative(beta)) return success();
  return emitError()
         << "price of " << stringOf(collective) << " has alpha "
         << alpha.convertToDouble() << " and beta " << beta.convertToDouble()
         << "; alpha must be from -1e30 to 1e30, beta from 0 to 1e30";
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

/// Returns the collective and group size of `price`, such as "all_reduce" or
/// "all_reduce of 4".
std::string groupOf(PriceAttr price) {
  std::string text = stringOf(price.getCollective()).str();
  if (price.getMembers()) text += " of " + std::to_string(*price.getMembers());
  return text;
}

/// Whether both prices are of the same collective and group size.
bool isOfOneGroup(PriceAttr a, PriceAttr b) {
  return a.getCollective() == b.getCollective() &&
         a.getMembers() == b.getMembers();
}

/// Fails unless `next` may follow `price`, which is of the same collective and
/// group size: sizes of messages must ascend (C2), and a larger message must
/// not be cheaper (C3).
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

/// Fails unless `next` may follow `price`, which is of another collective or
/// group size. (C2)
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

/// Whether `prices`, whose last price is of another collective, has a price of
/// `collective`.
bool isInterrupted(ArrayRef<PriceAttr> prices, Collective collective) {
  return llvm::any_of(prices.drop_back(), [&](PriceAttr price) {
    return price.getCollective() == collective;
  });
}

/// Fails unless `prices`, the prices of one level, obey (C2), (C3) and (C4).
LogicalResult verifyPrices(EmitError emitError, ArrayRef<PriceAttr> prices) {
  for (size_t i = 0; i < prices.size(); ++i) {
    PriceAttr price = prices[i];
    // (C4)
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
    // (C2)
    if (price.getLargestBytes())
      return emitError() << groupOf(price)
                         << " has no price for messages of more than "
                         << *price.getLargestBytes() << " bytes";
    if (!next) break;
    if (failed(verifyGroups(emitError, price, next))) return failure();
    if (price.getCollective() != next.getCollective() &&
        isInterrupted(prices.take_front(i + 1), next.getCollective()))
      return emitError() << "the prices of " << stringOf(next.getCollective())
                         << " are not next to each other";
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
  // (C1)
  if (size >= 1) return success();
  return emitError() << "axis '" << name << "' has size " << size
                     << "; it must be positive";
}

}  // namespace sbp
