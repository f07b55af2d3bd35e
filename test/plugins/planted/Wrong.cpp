// planted.wrong: copies of ops of nn, each with one promise that is false.

#include <cstdlib>

#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"
#include "test/plugins/planted/Planted.h"

namespace sbp::planted {
namespace {

bool isBetween(Mistake mistake, Mistake first, Mistake last) {
  return mistake >= first && mistake <= last;
}
bool isBinary(Mistake mistake) {
  return isBetween(mistake, Mistake::MulJointSum, Mistake::MulGradient);
}
bool isReduction(Mistake mistake) {
  return isBetween(mistake, Mistake::RowSumAsMax, Mistake::RowMeanOfPart);
}

/// Returns the partial passes that an op declares.
llvm::SmallVector<PartialPass, 2> passesOf(Mistake mistake) {
  switch (mistake) {
    case Mistake::ExpSum:
    case Mistake::ReluSum:
    case Mistake::SquareSum:
    case Mistake::AffineSum:
    case Mistake::ClampSum:
    case Mistake::AddLeftSum:
      return {{Reduction::Sum, {0}}};
    case Mistake::NegMax:
    case Mistake::AbsMax:
      return {{Reduction::Max, {0}}};
    case Mistake::MulJointSum:
    case Mistake::MaxSum:
      return {{Reduction::Sum, {0, 1}}};
    case Mistake::DivBottomSum:
      return {{Reduction::Sum, {1}}};
    case Mistake::SubMax:
      return {{Reduction::Max, {0, 1}}};
    default:
      return {};
  }
}

/// Computes an element of the result of an elementwise op.
Value element(Mistake mistake, Arithmetic& x, ValueRange in, int64_t length) {
  const auto number = [&](double value) { return x.like(in[0], value); };
  switch (mistake) {
    case Mistake::ExpSum:
      return x.exp(in[0]);
    case Mistake::NegMax:
      return x.neg(in[0]);
    case Mistake::ReluSum:
      return x.max(in[0], number(0));
    case Mistake::AbsMax:
      return x.max(in[0], x.neg(in[0]));
    case Mistake::AffineSum:
      return x.add(in[0], number(1));
    case Mistake::ClampSum:
      return x.max(x.min(in[0], number(4)), number(-4));
    case Mistake::ScaledByLength:
      return x.mul(in[0], number(static_cast<double>(length)));
    case Mistake::MulJointSum:
    case Mistake::MulGradient:
      return x.mul(in[0], in[1]);
    case Mistake::DivBottomSum:
      return x.div(in[0], in[1]);
    case Mistake::SubMax:
      return x.sub(in[0], in[1]);
    case Mistake::MaxSum:
      return x.max(in[0], in[1]);
    case Mistake::AddLeftSum:
      return x.add(in[0], in[1]);
    default:
      return x.mul(in[0], in[0]);
  }
}

}  // namespace

LogicalResult WrongOp::verify() {
  const size_t numInputs = isBinary(getMistake()) ? 2 : 1;
  if (getInputs().size() != numInputs)
    return emitOpError() << "takes " << numInputs << " operands";
  ArrayRef<int64_t> shape = typeOf(getInputs()[0]).getShape();
  if (shape.empty()) return emitOpError() << "takes no scalars";
  if (getMistake() == Mistake::TransposeKeepsLoops &&
      !(shape.size() == 2 && shape[0] == shape[1]))
    return emitOpError() << "takes a square matrix";
  if (getMistake() == Mistake::SwapsAnyPart && shape.back() % 2 != 0)
    return emitOpError() << "takes rows of pairs";
  if (numInputs == 2 && typeOf(getInputs()[1]).getShape() != shape)
    return emitOpError() << "takes two operands of one shape";
  if (isReduction(getMistake())) shape = shape.drop_back();
  if (getResult().getType().getShape() == shape) return success();
  return emitOpError() << "has another result";
}

LoopNest WrongOp::getLoopNest() {
  LoopNest nest;
  TensorLoops loops;
  for (int64_t extent : typeOf(getInputs()[0]).getShape())
    loops.push_back(nest.addLoop(Loop::parallel(extent)));
  nest.operands.assign(getInputs().size(), loops);
  Loop& last = nest.loops[loops.back()];
  switch (getMistake()) {
    case Mistake::RowSumAsMax:
      last = Loop::reduce(last.extent, Reduction::Max);
      break;
    case Mistake::RowMaxAsSum:
    case Mistake::RowMeanOfPart:
      last = Loop::reduce(last.extent, Reduction::Sum);
      break;
    case Mistake::ReverseInPlace:
    case Mistake::LeavesLast:
      last = Loop::whole(last.extent);
      break;
    default:
      break;
  }
  if (isReduction(getMistake())) loops.pop_back();
  nest.results = {loops};
  nest.partialPasses = passesOf(getMistake());
  return nest;
}

Operation* WrongOp::buildLocal(OpBuilder& builder, ValueRange operands,
                               TypeRange results, Shard&) {
  if (getMistake() == Mistake::BuildsNothing) return nullptr;
  if (getMistake() == Mistake::BuildCrashes) std::abort();
  if (getMistake() == Mistake::BuildsOnWhole) operands = getInputs();
  const Type whole = RankedTensorType::get(
      getResult().getType().getShape(), getResult().getType().getElementType());
  return cloneWithTypes(
      builder, *this, operands,
      getMistake() == Mistake::BuildsWhole ? TypeRange(whole) : results);
}

LogicalResult WrongOp::buildAdjoint(
    OpBuilder& builder, ValueRange resultGradients,
    llvm::MutableArrayRef<Value> operandGradients) {
  // The gradient of the square lacks a factor of 2; that of the product lacks
  // its second part.
  Value factor;
  if (getMistake() == Mistake::SquareGradient) factor = getInputs()[0];
  if (getMistake() == Mistake::MulGradient) factor = getInputs()[1];
  if (!factor) return emitOpError() << "has no gradient";
  operandGradients[0] =
      nn::MulOp::create(builder, getLoc(), resultGradients[0], factor);
  return success();
}

bool WrongOp::canWriteInPlace(unsigned, unsigned) {
  return getMistake() == Mistake::ReverseInPlace;
}

void WrongOp::buildKernel(KernelBuilder& builder,
                          const KernelArguments& arguments) {
  using Kind = mlir::vector::CombiningKind;
  Arithmetic x(builder);
  const RankedTensorType type = typeOf(getInputs()[0]);
  const ElementRef in = arguments.operands[0], out = arguments.results[0];
  SmallVector<int64_t> extents(type.getShape());
  StridedTensor from = dense(getInputs()[0], in);
  StridedTensor to = dense(getInputs()[0], out);
  const int64_t length = extents.back();
  SmallVector<int64_t> offsets(extents.size());
  const auto copy = [&] { arguments.loops.copy(builder, extents, from, to); };
  switch (getMistake()) {
    case Mistake::ReverseSplitsRow:
    case Mistake::ReverseInPlace:
      offsets.back() = length - 1;
      from = shifted(builder, from, offsets);
      from.strides.back() = -1;
      return copy();
    case Mistake::SwapsAnyPart:
      // Copies pairs of elements, with the two elements of each pair swapped.
      offsets.back() = 1;
      from = shifted(builder, from, offsets);
      extents.back() /= 2;
      extents.push_back(2);
      from.strides.back() = to.strides.back() = 2;
      from.strides.push_back(-1);
      to.strides.push_back(1);
      return copy();
    case Mistake::LeavesLast:
      --extents.back();
      return copy();
    case Mistake::TransposeKeepsLoops:
      std::swap(from.strides[0], from.strides[1]);
      return copy();
    case Mistake::RowSumAsMax:
    case Mistake::RowMaxAsSum:
    case Mistake::RowMeanOfPart:
      return arguments.loops.forEachRows(
          builder, rowsAlong(type, type.getRank() - 1), type.getElementType(),
          [&](Rows& rows) {
            Value result = rows.reduce(
                getMistake() == Mistake::RowMaxAsSum ? Kind::MAXIMUMF
                                                     : Kind::ADD,
                [&](Rows::At at) { return rows.load(in, at); });
            if (getMistake() == Mistake::RowMeanOfPart)
              result = x.mul(result,
                             x.like(result, 1.0 / static_cast<double>(length)));
            rows.storeOnePerRow(result, out);
          });
    case Mistake::SoftmaxSplitsRow:
      return arguments.loops.forEachRows(
          builder, rowsAlong(type, type.getRank() - 1), type.getElementType(),
          [&](Rows& rows) {
            const auto term = [&](Rows::At at) {
              return x.exp(rows.load(in, at));
            };
            Value sum = rows.reduce(Kind::ADD, term);
            rows.forEach([&](Rows::At at) {
              rows.store(x.div(term(at), sum), out, at);
            });
          });
    default:
      break;
  }
  SmallVector<StridedTensor> inputs;
  for (auto [input, first] : llvm::zip(getInputs(), arguments.operands))
    inputs.push_back(dense(input, first));
  arguments.loops.forEachElement(
      builder, extents, inputs, to, [&](ValueRange in) -> SmallVector<Value> {
        return {element(getMistake(), x, in, length)};
      });
}

}  // namespace sbp::planted
