#include "test/properties/FunctionWriter.h"

#include <algorithm>
#include <cmath>

namespace sbp::properties {

namespace {

/// Bounds of magnitudes above which a value is scaled.
constexpr double kTameBound = 16;
constexpr double kTameIntegerBound = 1000;
/// A bound that hardly any normally distributed number of standard deviation 1
/// exceeds.
constexpr double kNormalBound = 5;

}  // namespace

int64_t numElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

FunctionWriter::FunctionWriter(ModuleWriter& module,
                               mlir::func::FuncOp function, Kind kind)
    : module_(module),
      function_(function),
      kind_(kind),
      builder_(OpBuilder::atBlockEnd(&function.getBody().front())) {
  for (Value argument : function.getArguments()) {
    values_.push_back(argument);
    setBound(argument, isFloat(argument) ? kTameBound : kTameIntegerBound);
  }
}

Type FunctionWriter::integerType() {
  return choices().chance(50) ? Type(builder_.getI64Type())
                              : Type(builder_.getI32Type());
}

// ---- Values that steps use --------------------------------------------------

Value FunctionWriter::someOf(llvm::function_ref<bool(RankedTensorType)> fits,
                             llvm::function_ref<Value()> otherwise) {
  SmallVector<Value> fitting;
  for (Value value : llvm::reverse(values_))
    if (fits(typeOf(value))) fitting.push_back(value);
  if (fitting.empty() || choices().chance(10)) return otherwise();
  // Prefers late values, so that programs become deep.
  if (fitting.size() > 3 && !choices().chance(30)) fitting.resize(3);
  return choices().pick(fitting);
}

namespace {

bool hasRank(RankedTensorType type, int64_t minRank, int64_t maxRank) {
  return type.getRank() >= minRank && type.getRank() <= maxRank;
}

bool isTrueInteger(Type type) { return type.isInteger() && !type.isInteger(1); }

}  // namespace

Value FunctionWriter::floats(int64_t minRank, int64_t maxRank) {
  return someOf(
      [&](RankedTensorType type) {
        return type.getElementType() == floatType() &&
               hasRank(type, minRank, maxRank);
      },
      [&] { return newLeaf(shape(minRank, maxRank), floatType()); });
}

Value FunctionWriter::integers(int64_t minRank, int64_t maxRank) {
  return someOf(
      [&](RankedTensorType type) {
        return isTrueInteger(type.getElementType()) &&
               hasRank(type, minRank, maxRank);
      },
      [&] { return newLeaf(shape(minRank, maxRank), integerType()); });
}

Value FunctionWriter::booleans() {
  return someOf(
      [](RankedTensorType type) { return type.getElementType().isInteger(1); },
      [&] { return newLeaf(shape(), builder_.getI1Type()); });
}

Value FunctionWriter::anything(int64_t minRank, int64_t maxRank) {
  switch (choices().weighted({80, 15, 5})) {
    case 0:
      return floats(minRank, maxRank);
    case 1:
      return integers(minRank, maxRank);
    default:
      break;
  }
  Value value = booleans();
  return hasRank(typeOf(value), minRank, maxRank)
             ? value
             : newLeaf(shape(minRank, maxRank), builder_.getI1Type());
}

Value FunctionWriter::leaf(ArrayRef<int64_t> shape, Type elementType) {
  SmallVector<Value> known;
  for (Value value : values_)
    if (shapeOf(value) == shape && elementTypeOf(value) == elementType)
      known.push_back(value);
  if (!known.empty() && !choices().chance(40)) return choices().pick(known);
  return newLeaf(shape, elementType);
}

Value FunctionWriter::newLeaf(ArrayRef<int64_t> shape, Type elementType) {
  auto type = RankedTensorType::get(shape, elementType);
  bool isBoolean = elementType.isInteger(1);
  Value leaf;
  switch (choices().weighted(
      {isBoolean ? 0 : 50, kind_ == Kind::Entry ? 30 : 0, 15})) {
    case 0:
      leaf = parameter(type);
      break;
    case 1:
      leaf = input(type, isBoolean ? 2 : 6);
      break;
    default:
      leaf = literal(type);
  }
  // Inserted before all results, as steps prefer late values.
  values_.insert(values_.begin(), leaf);
  return leaf;
}

Value FunctionWriter::parameter(RankedTensorType type) {
  Value value = make<nn::GetOp>(type, module_.parameter(type).getSymName());
  setBound(value, kNormalBound);
  return value;
}

Value FunctionWriter::input(RankedTensorType type, int64_t integerBound) {
  unsigned number = function_.getNumArguments();
  mlir::NamedAttribute name = builder_.getNamedAttr(
      nn::kInputAttrName, builder_.getStringAttr("x" + std::to_string(number)));
  (void)function_.insertArgument(number, type, builder_.getDictionaryAttr(name),
                                 builder_.getUnknownLoc());
  module_.integerBounds().push_back(integerBound);
  Value value = function_.getArgument(number);
  setBound(value, isFloat(value) ? kNormalBound : integerBound);
  return value;
}

Value FunctionWriter::literal(RankedTensorType type) {
  Type elementType = type.getElementType();
  if (type.getRank() > 0 && !elementType.isInteger(1) && choices().chance(30)) {
    int64_t dim = choices().below(type.getRank());
    Value value = make<nn::IotaOp>(type, /*start=*/Value(), dim);
    setBound(value, static_cast<double>(type.getDimSize(dim)));
    return value;
  }
  // Literals of one repeated element may be split over devices, others may not.
  int64_t count = choices().chance(50) ? 1 : type.getNumElements();
  Value value;
  if (llvm::isa<mlir::FloatType>(elementType)) {
    SmallVector<Attribute> elements;
    for (int64_t i = 0; i < count; ++i)
      elements.push_back(builder_.getFloatAttr(
          elementType, 0.037 + 0.25 * static_cast<double>(choices().below(8))));
    value = make<nn::ConstantOp>(type,
                                 mlir::DenseElementsAttr::get(type, elements));
  } else {
    SmallVector<Attribute> elements;
    for (int64_t i = 0; i < count; ++i)
      elements.push_back(builder_.getIntegerAttr(
          elementType, choices().below(elementType.isInteger(1) ? 2 : 6)));
    value = make<nn::ConstantOp>(type,
                                 mlir::DenseElementsAttr::get(type, elements));
  }
  setBound(value, 6);
  return value;
}

Value FunctionWriter::broadcasting(ArrayRef<int64_t> shape, Type elementType) {
  Shape partner(shape);
  for (int64_t& extent : partner)
    if (choices().chance(20)) extent = 1;
  switch (choices().weighted({60, 25, 15})) {
    case 1:
      partner.erase(partner.begin(),
                    partner.begin() + choices().below(partner.size() + 1));
      break;
    case 2: {  // Larger extents in place of 1, or another dimension.
      Shape more(shape);
      for (int64_t& extent : more)
        if (extent == 1) extent = this->extent();
      if (more.size() < 4 && choices().chance(50))
        more.insert(more.begin(), extent());
      if (numElements(more) <= kMaxElements) partner = more;
      break;
    }
    default:
      break;
  }
  return leaf(partner, elementType);
}

Value FunctionWriter::indices(ArrayRef<int64_t> shape, int64_t bound) {
  auto type = RankedTensorType::get(shape, integerType());
  if (kind_ == Kind::Entry && !choices().chance(20)) return input(type, bound);
  SmallVector<Attribute> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(
        builder_.getIntegerAttr(type.getElementType(), choices().below(bound)));
  return make<nn::ConstantOp>(type,
                              mlir::DenseElementsAttr::get(type, elements));
}

Value FunctionWriter::scalar(double number) {
  auto type = RankedTensorType::get({}, floatType());
  Value value = make<nn::ConstantOp>(
      type, mlir::DenseElementsAttr::get(
                type, Attribute(builder_.getFloatAttr(floatType(), number))));
  setBound(value, std::abs(number));
  return value;
}

Value FunctionWriter::integerSplat(ArrayRef<int64_t> shape, Type elementType,
                                   int64_t number) {
  auto type = RankedTensorType::get(shape, elementType);
  Value value = make<nn::ConstantOp>(
      type, mlir::DenseElementsAttr::get(
                type, Attribute(builder_.getIntegerAttr(elementType, number))));
  setBound(value, static_cast<double>(number));
  return value;
}

Value FunctionWriter::positive(Value value) {
  switch (choices().below(3)) {
    case 0: {
      Value sigmoid = make<nn::SigmoidOp>(value);
      Value result = make<nn::AddOp>(sigmoid, scalar(0.5));
      setBound(result, 1.5);
      return result;
    }
    case 1: {
      double bound = boundOf(value);
      Value square = make<nn::MulOp>(value, value);
      Value result = make<nn::AddOp>(square, scalar(0.5));
      setBound(result, bound * bound + 0.5);
      return result;
    }
    default: {
      Value result = make<nn::ExpOp>(make<nn::TanhOp>(value));
      setBound(result, M_E);
      return result;
    }
  }
}

Shape FunctionWriter::shape(int64_t minRank, int64_t maxRank) {
  constexpr int64_t kWeights[] = {10, 25, 35, 20, 10};
  int64_t rank = minRank + choices().weighted(ArrayRef(kWeights).slice(
                               minRank, maxRank - minRank + 1));
  Shape shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t next = extent();
    shape.push_back(numElements(shape) * next <= kMaxElements ? next : 1);
  }
  return shape;
}

int64_t FunctionWriter::extent() {
  constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  constexpr int64_t kWeights[] = {6, 15, 12, 18, 10, 10, 10, 12, 4, 3};
  return kExtents[choices().weighted(kWeights)];
}

// ---- Ops that steps add -----------------------------------------------------

Value FunctionWriter::keep(Value value, double bound) {
  value = tamed(value, bound);
  values_.push_back(value);
  return value;
}

Value FunctionWriter::tamed(Value value, double bound) {
  setBound(value, bound);
  if (elementTypeOf(value) == floatType() && bound > kTameBound) {
    if (choices().chance(30)) {
      Value result = make<nn::TanhOp>(value);
      setBound(result, 1);
      return result;
    }
    Value result = make<nn::MulOp>(value, scalar(4 / bound));
    setBound(result, 4);
    return result;
  }
  if (isTrueInteger(elementTypeOf(value)) && bound > kTameIntegerBound) {
    auto divisor = static_cast<int64_t>(bound / 100);
    Value result =
        make<nn::DivOp>(value, integerSplat({}, elementTypeOf(value), divisor));
    setBound(result, 101);
    return result;
  }
  return value;
}

// ---- The end ----------------------------------------------------------------

Value FunctionWriter::scalarFrom(Value value) {
  if (elementTypeOf(value) != floatType()) {
    double bound = boundOf(value);
    auto type = RankedTensorType::get(shapeOf(value), floatType());
    value = make<nn::MulOp>(make<nn::CastOp>(type, value), scalar(0.01));
    setBound(value, 0.01 * bound);
  }
  ArrayRef<int64_t> shape = shapeOf(value);
  switch (choices().weighted({40, 30, shape.empty() ? 0 : 30})) {
    case 0: {
      if (shape.empty()) return value;
      SmallVector<int64_t> dims;
      for (size_t dim = 0; dim < shape.size(); ++dim) dims.push_back(dim);
      return make<nn::ReduceOp>(nn::ReduceKind::Mean, value, dims,
                                /*keep=*/false, /*count=*/mlir::IntegerAttr());
    }
    case 1:
      return make<nn::MseOp>(value, newLeaf(shape, floatType()),
                             /*count=*/mlir::IntegerAttr());
    default:
      return make<nn::CrossEntropyOp>(value,
                                      indices(shape.drop_back(), shape.back()),
                                      /*count=*/mlir::IntegerAttr());
  }
}

Value FunctionWriter::sumOfUnused(Value also) {
  Value sum = scalarFrom(also);
  for (Value value : SmallVector<Value>(values_))
    if (value.use_empty()) sum = make<nn::AddOp>(sum, scalarFrom(value));
  return sum;
}

void FunctionWriter::finish(ValueRange results) {
  mlir::func::ReturnOp::create(builder_, builder_.getUnknownLoc(), results);
  function_.setType(builder_.getFunctionType(
      function_.getBody().front().getArgumentTypes(), results.getTypes()));
}

}  // namespace sbp::properties
