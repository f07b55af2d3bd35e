#include "codegen/cpu/lower/WindowRuns.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cpu {

using namespace mlir;

// ---- Elements ---------------------------------------------------------------

int64_t OutputInputPairs::countInPair(int64_t half) const {
  return std::clamp<int64_t>(2 * count - 1 - half * lanes, 0, lanes);
}

std::pair<Value, Value> OutputInputPairs::loadPair(KernelBuilder& builder,
                                                   ElementRef first) const {
  ElementRef second = builder.at(first, lanes);
  auto type = VectorType::get(lanes, first.elementType());
  return {builder.loadLanes(first, lanes, countInPair(0)),
          countInPair(1) ? builder.loadLanes(second, lanes, countInPair(1))
                         : builder.number(type, 0)};
}

Value OutputInputPairs::loadInput(KernelBuilder& builder,
                                  ElementRef begin) const {
  ElementRef first = builder.at(begin, input);
  if (lanes == 1) return builder.load(first);
  if (stride == 1) return builder.loadLanes(first, lanes, count);
  auto [low, high] = loadPair(builder, first);
  SmallVector<int64_t> everySecond;
  for (int64_t lane = 0; lane < lanes; ++lane) everySecond.push_back(2 * lane);
  return vector::ShuffleOp::create(builder, low, high, everySecond);
}

void OutputInputPairs::storeInput(KernelBuilder& builder, Value value,
                                  ElementRef begin) const {
  ElementRef first = builder.at(begin, input);
  if (lanes == 1) return builder.store(value, first);
  if (stride == 1) return builder.storeLanes(value, first, count);
  // The elements between the inputs are written back unchanged.
  auto [low, high] = loadPair(builder, first);
  for (auto [half, between] : {std::pair(0, low), std::pair(1, high)}) {
    if (countInPair(half) == 0) continue;
    SmallVector<int64_t> interleaved;
    for (int64_t lane = 0; lane < lanes; ++lane)
      interleaved.push_back(lane % 2 == 0 ? half * lanes / 2 + lane / 2
                                          : lanes + lane);
    Value both =
        vector::ShuffleOp::create(builder, value, between, interleaved);
    builder.storeLanes(both, builder.at(first, half * lanes),
                       countInPair(half));
  }
}

Value OutputInputPairs::loadOutput(KernelBuilder& builder,
                                   ElementRef begin) const {
  ElementRef first = builder.at(begin, output);
  if (lanes == 1) return builder.load(first);
  return builder.loadLanes(first, lanes, count);
}

void OutputInputPairs::storeOutput(KernelBuilder& builder, Value value,
                                   ElementRef begin) const {
  ElementRef first = builder.at(begin, output);
  if (lanes == 1) return builder.store(value, first);
  builder.storeLanes(value, first, count);
}

void forVectors(KernelBuilder& builder, int64_t count, int64_t lanes,
                llvm::function_ref<void(Value, int64_t)> visit) {
  int64_t whole = count / lanes * lanes;
  builder.loop(0, whole, lanes, [&](Value i) { visit(i, lanes); });
  if (whole < count) visit(builder.index(whole), count - whole);
}

// ---- Runs -------------------------------------------------------------------

WindowRuns::WindowRuns(KernelBuilder& builder, const Target& target,
                       WindowedShape shape, ArrayRef<ElementRef> first)
    : builder_(builder),
      target_(target),
      code_(builder, std::move(shape), first) {}

int64_t WindowRuns::lanes(Type element) const {
  return target_.lanes(element.getIntOrFloatBitWidth() / 8);
}

WindowRuns::InputRun WindowRuns::runOf(ValueRange outputs,
                                       ValueRange position) {
  InputRun run;
  run.isInside = arith::ConstantIntOp::create(builder_, 1, 1);
  run.input = builder_.index(0);
  size_t last = shape().windows.size() - 1;
  for (size_t dim = 0; dim < last; ++dim) {
    Value seen = code_.inputOf(dim, outputs[dim], position[dim]);
    run.isInside = builder_.createOrFold<arith::AndIOp>(
        run.isInside, code_.isInside(dim, seen));
    run.input =
        builder_.add(builder_.mul(run.input, shape().inputs[dim]), seen);
  }

  // Output o of the line reads element o * stride + shift.
  Value shift = code_.inputOf(last, builder_.index(0), position[last]);
  int64_t stride = shape().windows[last].stride;
  auto numOutputsBefore = [&](int64_t element) {
    // Returns the number of outputs o with o * stride + shift < element.
    Value room = builder_.sub(builder_.index(element + stride - 1), shift);
    Value count = builder_.div(builder_.max(room, builder_.index(0)), stride);
    return builder_.min(count, builder_.index(shape().lineLength()));
  };
  run.begin = numOutputsBefore(0);
  run.end = numOutputsBefore(shape().inputs[last]);
  run.input =
      builder_.add(builder_.mul(run.input, shape().inputs[last]), shift);
  return run;
}

void WindowRuns::forPositions(llvm::function_ref<void(ValueRange)> visit) {
  SmallVector<int64_t> outer;
  for (const nn::Window& window : ArrayRef(shape().windows).drop_back())
    outer.push_back(window.extent);
  int64_t last = shape().windows.back().extent;
  builder_.loops(outer, [&](ValueRange indices) {
    SmallVector<Value> position(indices);
    position.push_back(nullptr);
    auto visitAt = [&](Value index) {
      position.back() = index;
      visit(position);
    };
    // For a constant position the begin and end of runs are known at compile
    // time.
    constexpr int64_t kMostUnrolled = 12;
    if (last <= kMostUnrolled)
      for (int64_t k = 0; k < last; ++k) visitAt(builder_.index(k));
    else
      builder_.loop(0, last, 1, visitAt);
  });
}

void WindowRuns::forPairs(
    const InputRun& run, Type element,
    llvm::function_ref<void(const OutputInputPairs&)> visit) {
  int64_t stride = shape().windows.back().stride;
  std::optional<int64_t> begin = getConstantIntValue(run.begin);
  std::optional<int64_t> end = getConstantIntValue(run.end);
  auto pairsAt = [&](Value output, int64_t lanes, int64_t count) {
    Value input = builder_.add(run.input, builder_.mul(output, stride));
    visit({input, output, lanes, count, stride});
  };
  if (stride <= 2 && begin && end)
    return forVectors(builder_, *end - *begin, lanes(element),
                      [&](Value i, int64_t count) {
                        pairsAt(builder_.add(i, *begin), lanes(element), count);
                      });
  builder_.loop(run.begin, run.end, 1,
                [&](Value output) { pairsAt(output, 1, 1); });
}

}  // namespace sbp::cpu
