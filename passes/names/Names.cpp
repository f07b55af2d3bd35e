#include "passes/names/Names.h"

#include <algorithm>

#include "dialects/nn/OptimizerStep.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp {
namespace {

using mlir::ArrayAttr;
using mlir::FusedLoc;
using mlir::NameLoc;
using mlir::StringAttr;

/// Returns the names of several results; null if `location` has none.
ArrayAttr severalNames(Location location) {
  auto fused = llvm::dyn_cast<FusedLoc>(location);
  return fused ? llvm::dyn_cast_or_null<ArrayAttr>(fused.getMetadata())
               : ArrayAttr();
}

/// Returns `name` without the "%" and "@" of values and symbols, and with "_"
/// for "#": "x#1" becomes "x_1".
std::string bare(std::string name) {
  std::replace(name.begin(), name.end(), '#', '_');
  llvm::erase_if(name,
                 [](char letter) { return letter == '%' || letter == '@'; });
  return name;
}

/// Returns the tensor from which `value` is made by changes of placement alone.
Value asMade(Value value) {
  Operation* op = value.getDefiningOp();
  return llvm::isa_and_present<PinOp, CastOp, BoxOp>(op)
             ? asMade(op->getOperand(0))
             : value;
}

/// Returns the name of the parameter of which `value` is the old or the new
/// value; empty if there is none.
StringRef parameterOf(Value value) {
  auto made = llvm::dyn_cast<mlir::OpResult>(asMade(value));
  if (!made) return {};
  Operation* op = made.getOwner();
  if (made.getResultNumber() == 0 && nn::gradientOf(op))
    op = asMade(op->getOperand(0)).getDefiningOp();
  auto get = llvm::dyn_cast_if_present<nn::GetOp>(op);
  return get ? get.getName() : StringRef();
}

}  // namespace

Location withoutNames(Location location) {
  while (true) {
    if (auto name = llvm::dyn_cast<NameLoc>(location))
      location = name.getChildLoc();
    else if (severalNames(location))
      location = llvm::cast<FusedLoc>(location).getLocations().front();
    else
      return location;
  }
}

Location named(const llvm::Twine& name, Location location) {
  auto text = StringAttr::get(location.getContext(), bare(name.str()));
  Location place = withoutNames(location);
  return text.empty() ? place : Location(NameLoc::get(text, place));
}

std::string nameIn(Location location) {
  auto name = llvm::dyn_cast<NameLoc>(location);
  return name ? name.getName().str() : "";
}

std::string nameOf(Value value) {
  if (StringRef parameter = parameterOf(value); !parameter.empty())
    return "@" + parameter.str();
  std::string name = nameIn(locationOf(value));
  const bool isWritten = !name.empty() && !StringRef(name).contains(' ');
  return isWritten ? "%" + name : name;
}

Location locationOf(Value value) {
  Location location = value.getLoc();
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  unsigned number = result ? result.getOwner()->getNumResults() : 1;
  if (number == 1) return location;
  if (std::string group = nameIn(location); !group.empty())
    return NameLoc::get(
        StringAttr::get(location.getContext(),
                        group + "#" + llvm::Twine(result.getResultNumber())),
        withoutNames(location));
  ArrayAttr names = severalNames(location);
  if (!names || names.size() != number) return withoutNames(location);
  return named(
      llvm::cast<StringAttr>(names[result.getResultNumber()]).getValue(),
      location);
}

std::string nameOfGradient(Value tensor) {
  std::string name = nameOf(tensor);
  return name.empty() ? name : "gradient of " + bare(name);
}

void nameResults(Operation* op, ArrayRef<std::string> names) {
  if (names.size() == 1) return op->setLoc(named(names.front(), op->getLoc()));
  mlir::Builder builder(op->getContext());
  auto texts = llvm::map_to_vector(
      names, [&](const std::string& name) -> mlir::Attribute {
        return builder.getStringAttr(bare(name));
      });
  // The first name is the one printed, if the location is printed unchanged.
  Location place = named(names.empty() ? "" : names.front(), op->getLoc());
  op->setLoc(
      FusedLoc::get({place}, builder.getArrayAttr(texts), op->getContext()));
}

mlir::FileLineColLoc placeInFile(Location location) {
  mlir::FileLineColLoc place;
  location->walk([&](Location part) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    // A location of line 0 stands for a whole file.
    if (!file || file.getLine() == 0) return mlir::WalkResult::advance();
    place = file;
    return mlir::WalkResult::interrupt();
  });
  return place;
}

std::string placeOf(Location location) {
  mlir::FileLineColLoc place = placeInFile(location);
  if (!place) return "";
  return place.getFilename().str() + ":" + std::to_string(place.getLine());
}

}  // namespace sbp
