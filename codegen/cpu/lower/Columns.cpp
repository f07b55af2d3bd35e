#include "codegen/cpu/lower/Columns.h"

#include <algorithm>

#include "codegen/cpu/lower/StridedLoops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents) product *= extent;
  return product;
}

ArrayRef<int64_t> spaceOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().drop_front(2);
}

Value both(KernelBuilder& builder, Value a, Value b) {
  return builder.createOrFold<arith::AndIOp>(a, b);
}

/// Runs through `count` contiguous elements in vectors: `visit` gets where one
/// begins, and how many of its lanes count.
void forVectors(KernelBuilder& builder, int64_t count, int64_t lanes,
                llvm::function_ref<void(Value, int64_t)> visit) {
  int64_t whole = count / lanes * lanes;
  builder.loop(0, whole, lanes, [&](Value i) { visit(i, lanes); });
  if (whole != count) visit(builder.index(whole), count - whole);
}

}  // namespace

// ---- Shapes -----------------------------------------------------------------

WindowedShape::WindowedShape(Value input, Value output, nn::Windows windows)
    : inputs(spaceOf(input)),
      outputs(spaceOf(output)),
      windows(std::move(windows)) {
  auto type = cast<RankedTensorType>(input.getType());
  samples = type.getDimSize(0);
  channels = type.getDimSize(1);
}

int64_t WindowedShape::inputPoints() const { return productOf(inputs); }
int64_t WindowedShape::outputPoints() const { return productOf(outputs); }

int64_t WindowedShape::windowPoints() const {
  int64_t product = 1;
  for (const nn::Window& window : windows) product *= window.extent;
  return product;
}

int64_t WindowedShape::numLines() const {
  return samples * productOf(ArrayRef(outputs).drop_back());
}

ColumnBlocking::ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                               const Target& target) {
  if (shape.numLines() == 0 || shape.lineLength() == 0 || shape.channels == 0)
    return;
  // Enough columns that what is done once per row of the filter pays.
  constexpr int64_t kColumns = 512;
  int64_t most = std::max<int64_t>(kColumns / shape.lineLength(), 1);
  int64_t numBlocks = llvm::divideCeil(shape.numLines(), most);
  lines = llvm::divideCeil(shape.numLines(), numBlocks);
  // The block in half of the second cache.
  int64_t bytesPerChannel =
      shape.windowPoints() * lines * shape.lineLength() * elementBytes;
  channels = std::clamp<int64_t>(target.secondCacheBytes / 2 / bytesPerChannel,
                                 1, shape.channels);
}

// ---- Columns ----------------------------------------------------------------

Columns::Columns(KernelBuilder& builder, const Target& target,
                 const WindowedShape& shape, int64_t linesPerBlock,
                 SmallVector<Value> first)
    : builder_(builder),
      shape_(shape),
      lines_(linesPerBlock),
      lanes_(target.vectorBytes / 4),
      first_(std::move(first)) {}

Columns::Line Columns::lineAt(Value number) {
  Line line;
  int64_t numLines = shape_.numLines();
  line.exists = numLines % lines_ == 0
                    ? Value(arith::ConstantIntOp::create(builder_, 1, 1))
                    : builder_.isLess(number, builder_.index(numLines));
  ArrayRef<int64_t> outer = ArrayRef(shape_.outputs).drop_back();
  line.outputs.resize(outer.size());
  for (size_t dim = outer.size(); dim-- > 0;) {
    line.outputs[dim] = builder_.rem(number, outer[dim]);
    number = builder_.div(number, outer[dim]);
  }
  line.sample = number;
  return line;
}

Value Columns::inputOf(size_t dim, Value output, Value k) {
  const nn::Window& window = shape_.windows[dim];
  if (!first_.empty()) output = builder_.add(output, first_[dim]);
  return builder_.add(builder_.add(builder_.mul(output, window.stride),
                                   builder_.mul(k, window.dilation)),
                      -window.low);
}

bool Columns::mayMiss(size_t dim) const {
  const nn::Window& window = shape_.windows[dim];
  int64_t numOutputs = window.numOutputs(shape_.inputs[dim]);
  return window.low > 0 ||
         (numOutputs - 1) * window.stride + window.span() > shape_.inputs[dim];
}

Columns::Run Columns::runOf(const Line& line, Value plane, ValueRange place,
                            Place input, Place columns) {
  Run run;
  run.isInside = line.exists;
  size_t last = shape_.windows.size() - 1;
  for (size_t dim = 0; dim < last; ++dim) {
    Value seen = inputOf(dim, line.outputs[dim], place[dim]);
    if (mayMiss(dim))
      // As unsigned numbers, negative ones are large.
      run.isInside = both(builder_, run.isInside,
                          builder_.createOrFold<arith::CmpIOp>(
                              arith::CmpIPredicate::ult, seen,
                              builder_.index(shape_.inputs[dim])));
    plane = builder_.add(builder_.mul(plane, shape_.inputs[dim]), seen);
  }

  // Output o of the line sees input o * stride + shift.
  int64_t extent = shape_.inputs[last];
  int64_t stride = shape_.windows[last].stride;
  Value shift = inputOf(last, builder_.index(0), place[last]);
  Value zero = builder_.index(0);
  Value length = builder_.index(shape_.lineLength());
  auto outputsBefore = [&](int64_t input) {
    // The number of outputs o with o * stride + shift < input.
    Value room = builder_.sub(builder_.index(input + stride - 1), shift);
    Value count = builder_.div(builder_.max(room, zero), stride);
    return builder_.min(count, length);
  };
  run.begin = outputsBefore(0);
  run.end = outputsBefore(extent);
  run.input =
      builder_.at(builder_.at(input, builder_.mul(plane, extent)), shift);
  run.columns = columns;
  return run;
}

void Columns::forRuns(Place input, Value line, Value channel,
                      int64_t numChannels, Place columns,
                      llvm::function_ref<void(const Run&)> visit) {
  SmallVector<int64_t> outerWindow;
  for (const nn::Window& window : ArrayRef(shape_.windows).drop_back())
    outerWindow.push_back(window.extent);
  int64_t lastWindow = shape_.windows.back().extent;

  builder_.loop(0, numChannels, 1, [&](Value c) {
    builder_.loops(outerWindow, [&](ValueRange outer) {
      Value row = c;
      for (auto [index, extent] : llvm::zip_equal(outer, outerWindow))
        row = builder_.add(builder_.mul(row, extent), index);
      auto visitPlace = [&](Value k) {
        SmallVector<Value> place(outer);
        place.push_back(k);
        Value ownRow = builder_.add(builder_.mul(row, lastWindow), k);
        Place to = builder_.at(columns, builder_.mul(ownRow, width()));
        builder_.loop(0, lines_, 1, [&](Value l) {
          Line at = lineAt(builder_.add(line, l));
          Value plane = builder_.add(builder_.mul(at.sample, shape_.channels),
                                     builder_.add(channel, c));
          Place run = builder_.at(to, builder_.mul(l, shape_.lineLength()));
          visit(runOf(at, plane, place, input, run));
        });
      };
      // Where a run begins and ends is then known here, and not only there.
      constexpr int64_t kMostUnrolled = 12;
      if (lastWindow <= kMostUnrolled)
        for (int64_t k = 0; k < lastWindow; ++k) visitPlace(builder_.index(k));
      else
        builder_.loop(0, lastWindow, 1, visitPlace);
    });
  });
}

void Columns::unfold(Place input, Value line, Value channel,
                     int64_t numChannels, Place columns) {
  Value zero = builder_.number(columns.elementType(), 0);
  int64_t stride = shape_.windows.back().stride;
  auto copy = [&](const Run& run) {
    auto fillZeros = [&](Value begin, Value end) {
      builder_.loop(begin, end, 1, [&](Value o) {
        builder_.store(zero, builder_.at(run.columns, o));
      });
    };
    fillZeros(builder_.index(0), run.begin);
    std::optional<int64_t> begin = getConstantIntValue(run.begin);
    std::optional<int64_t> end = getConstantIntValue(run.end);
    if (stride == 1 && begin && end)
      forVectors(builder_, *end - *begin, lanes_, [&](Value i, int64_t count) {
        Value at = builder_.add(run.begin, i);
        builder_.storeLanes(
            builder_.loadLanes(builder_.at(run.input, at), lanes_, count),
            builder_.at(run.columns, at), count);
      });
    else
      builder_.loop(run.begin, run.end, 1, [&](Value o) {
        Value element =
            builder_.load(builder_.at(run.input, builder_.mul(o, stride)));
        builder_.store(element, builder_.at(run.columns, o));
      });
    fillZeros(run.end, builder_.index(shape_.lineLength()));
  };
  forRuns(input, line, channel, numChannels, columns, [&](const Run& run) {
    builder_.branch(
        run.isInside,
        [&]() -> SmallVector<Value> {
          copy(run);
          return {};
        },
        [&]() -> SmallVector<Value> {
          fill(builder_, run.columns, shape_.lineLength(), zero);
          return {};
        });
  });
}

void Columns::fold(Place columns, Value line, Value channel,
                   int64_t numChannels, Place input) {
  int64_t stride = shape_.windows.back().stride;
  auto add = [&](const Run& run) {
    std::optional<int64_t> begin = getConstantIntValue(run.begin);
    std::optional<int64_t> end = getConstantIntValue(run.end);
    if (stride == 1 && begin && end)
      return forVectors(builder_, *end - *begin, lanes_,
                        [&](Value i, int64_t count) {
                          Value at = builder_.add(run.begin, i);
                          Place to = builder_.at(run.input, at);
                          Value sum = arith::AddFOp::create(
                              builder_, builder_.loadLanes(to, lanes_, count),
                              builder_.loadLanes(builder_.at(run.columns, at),
                                                 lanes_, count));
                          builder_.storeLanes(sum, to, count);
                        });
    builder_.loop(run.begin, run.end, 1, [&](Value o) {
      Place to = builder_.at(run.input, builder_.mul(o, stride));
      Value sum =
          arith::AddFOp::create(builder_, builder_.load(to),
                                builder_.load(builder_.at(run.columns, o)));
      builder_.store(sum, to);
    });
  };
  forRuns(input, line, channel, numChannels, columns, [&](const Run& run) {
    builder_.branch(run.isInside, [&] { add(run); });
  });
}

// ---- Outputs ----------------------------------------------------------------

void Columns::forLines(Place matrix, int64_t numFilters, Value line,
                       Place tensor,
                       llvm::function_ref<void(Value, Place, Place)> visit) {
  builder_.loops({numFilters, lines_}, [&](ValueRange at) {
    Line own = lineAt(builder_.add(line, at[1]));
    Value offset = builder_.add(builder_.mul(own.sample, numFilters), at[0]);
    for (auto [output, extent] : llvm::zip(own.outputs, shape_.outputs))
      offset = builder_.add(builder_.mul(offset, extent), output);
    Place inTensor =
        builder_.at(tensor, builder_.mul(offset, shape_.lineLength()));
    Place inMatrix =
        builder_.at(builder_.at(matrix, builder_.mul(at[0], width())),
                    builder_.mul(at[1], shape_.lineLength()));
    visit(own.exists, inTensor, inMatrix);
  });
}

void Columns::takeLines(Place tensor, int64_t numFilters, Value line,
                        Place matrix) {
  forLines(
      matrix, numFilters, line, tensor,
      [&](Value exists, Place from, Place to) {
        Value zero =
            builder_.number(VectorType::get(lanes_, matrix.elementType()), 0);
        forVectors(builder_, shape_.lineLength(), lanes_,
                   [&](Value i, int64_t count) {
                     Value taken = builder_.branch(
                         exists,
                         [&]() -> SmallVector<Value> {
                           return {builder_.loadLanes(builder_.at(from, i),
                                                      lanes_, count)};
                         },
                         [&]() -> SmallVector<Value> { return {zero}; })[0];
                     builder_.storeLanes(taken, builder_.at(to, i), count);
                   });
      });
}

void Columns::putLines(Place matrix, int64_t numFilters, Value line,
                       Place tensor) {
  forLines(matrix, numFilters, line, tensor,
           [&](Value exists, Place to, Place from) {
             builder_.branch(exists, [&] {
               forVectors(builder_, shape_.lineLength(), lanes_,
                          [&](Value i, int64_t count) {
                            builder_.storeLanes(
                                builder_.loadLanes(builder_.at(from, i), lanes_,
                                                   count),
                                builder_.at(to, i), count);
                          });
             });
           });
}

}  // namespace sbp::cpu
