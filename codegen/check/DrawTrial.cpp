#include "codegen/check/DrawTrial.h"

#include <iterator>
#include <optional>

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::check {
namespace {

/// Largest number of operands, or of results, of an op that is drawn.
constexpr unsigned kMostTensors = 8;

/// Draws attributes of an op: for each name, a small value of a common type, or
/// none if the attribute is optional.
class DrawnAttributes {
 public:
  DrawnAttributes(mlir::RegisteredOperationName name,
                  ArrayRef<mlir::StringAttr> optional)
      : names_(name.getAttributeNames()), optional_(optional) {}

  /// Returns the properties of an op; null if it has no attributes.
  Attribute draw(MLIRContext* context, Draws& draws) const {
    if (names_.empty()) return {};
    mlir::Builder builder(context);
    SmallVector<mlir::NamedAttribute> attributes;
    for (mlir::StringAttr name : names_)
      if (Attribute value =
              drawValue(builder, draws, llvm::is_contained(optional_, name)))
        attributes.push_back({name, value});
    return builder.getDictionaryAttr(attributes);
  }

 private:
  /// Returns null for none.
  static Attribute drawValue(mlir::Builder& builder, Draws& draws,
                             bool isOptional) {
    switch (draws.below(8)) {
      case 0:
        if (isOptional) return {};
        [[fallthrough]];
      case 1:
        return builder.getF32FloatAttr(0.5f * (1 + draws.below(4)));
      case 2:
        return builder.getF64FloatAttr(0.5 * (1 + draws.below(4)));
      case 3:
        return builder.getBoolAttr(draws.oneIn(2));
      case 4: {
        SmallVector<int64_t> numbers;
        for (int64_t i = draws.below(4); i >= 0; --i)
          numbers.push_back(draws.below(3));
        return builder.getDenseI64ArrayAttr(numbers);
      }
      case 5:
        return builder.getUnitAttr();
      default:
        return builder.getI64IntegerAttr(draws.below(5));
    }
  }

  ArrayRef<mlir::StringAttr> names_;
  ArrayRef<mlir::StringAttr> optional_;
};

/// Returns the N for which ops named `name` have the trait `Trait<N>`, which
/// fixes their number of operands or results. N is searched from kCount to
/// kMostTensors; returns nullopt if there is none.
template <template <unsigned> class Trait, unsigned kCount = 2>
std::optional<int64_t> fixedNumber(mlir::RegisteredOperationName name) {
  if (name.hasTrait<Trait<kCount>::template Impl>()) return kCount;
  if constexpr (kCount < kMostTensors)
    return fixedNumber<Trait, kCount + 1>(name);
  return std::nullopt;
}

/// Returns the number of operands of ops named `name`; nullopt if it differs.
std::optional<int64_t> numOperandsOf(mlir::RegisteredOperationName name) {
  if (name.hasTrait<mlir::OpTrait::ZeroOperands>()) return 0;
  if (name.hasTrait<mlir::OpTrait::OneOperand>()) return 1;
  return fixedNumber<mlir::OpTrait::NOperands>(name);
}

/// Returns the number of results of an op named `name`: 1 if it differs.
int64_t numResultsOf(mlir::RegisteredOperationName name) {
  if (name.hasTrait<mlir::OpTrait::ZeroResults>()) return 0;
  return fixedNumber<mlir::OpTrait::NResults>(name).value_or(1);
}

/// Draws the type of an operand: often that of the first one, or of a vector
/// along the last dimension of the first one, or of an index.
RankedTensorType drawType(MLIRContext* context, Draws& draws,
                          ArrayRef<RankedTensorType> before) {
  if (!before.empty()) {
    const RankedTensorType first = before.front();
    const int64_t choice = draws.below(7);
    if (choice < 4) return first;
    if (choice == 4 && first.getRank() > 0)
      return RankedTensorType::get(first.getShape().take_back(),
                                   first.getElementType());
    if (choice == 5)
      return RankedTensorType::get({}, mlir::IntegerType::get(context, 64));
  }
  SmallVector<int64_t> shape;
  // Few different extents, so that some agree.
  const int64_t extents[] = {2, 4, 6};
  const int64_t rank = draws.below(5);
  for (int64_t dim = 0; dim < rank; ++dim)
    shape.push_back(extents[draws.below(std::size(extents))]);
  Type element = mlir::Float32Type::get(context);
  if (draws.oneIn(6)) element = mlir::IntegerType::get(context, 64);
  return RankedTensorType::get(shape, element);
}

/// Returns the type of a result for an op that does not infer it.
RankedTensorType drawResult(Draws& draws, ArrayRef<RankedTensorType> operands) {
  const RankedTensorType like = operands[draws.below(operands.size())];
  const ArrayRef<int64_t> shape = like.getShape();
  switch (draws.below(4)) {
    case 0:
      return RankedTensorType::get({}, like.getElementType());
    case 1:
      return RankedTensorType::get(shape.drop_back(shape.empty() ? 0 : 1),
                                   like.getElementType());
    default:
      return like;
  }
}

}  // namespace

bool takesAnyNumberOfOperands(mlir::RegisteredOperationName name) {
  return !numOperandsOf(name);
}

OpTrial drawTrial(MLIRContext* context, mlir::RegisteredOperationName name,
                  ArrayRef<mlir::StringAttr> optional, Draws& draws) {
  OpTrial trial{mlir::UnknownLoc::get(context), name, {}, {}, {}};
  const std::optional<int64_t> fixed = numOperandsOf(name);
  for (int64_t operand = fixed ? *fixed : 1 + draws.below(4); operand > 0;
       --operand)
    trial.operands.push_back(drawType(context, draws, trial.operands));
  for (int64_t result = numResultsOf(name); result > 0; --result)
    trial.results.push_back(trial.operands.empty()
                                ? drawType(context, draws, trial.results)
                                : drawResult(draws, trial.operands));
  trial.properties = DrawnAttributes(name, optional).draw(context, draws);
  return trial;
}

}  // namespace sbp::check
