#include "codegen/cpu/lower/Columns.h"

#include <algorithm>
#include <utility>

#include "codegen/kernels/StridedTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cpu {

using namespace mlir;

ColumnBlocking::ColumnBlocking(const WindowedShape& shape, int64_t elementBytes,
                               const Target& target) {
  if (shape.numLines() == 0 || shape.lineLength() == 0 || shape.channels == 0)
    return;
  // Enough columns to amortise the work per row of the filter.
  constexpr int64_t kColumns = 512;
  int64_t most = std::max<int64_t>(kColumns / shape.lineLength(), 1);
  int64_t numBlocks = llvm::divideCeil(shape.numLines(), most);
  lines = llvm::divideCeil(shape.numLines(), numBlocks);
  // A block takes at most half of the level 2 cache.
  int64_t bytesPerChannel =
      shape.windowPoints() * lines * shape.lineLength() * elementBytes;
  channels = std::clamp<int64_t>(target.secondCacheBytes / 2 / bytesPerChannel,
                                 1, shape.channels);
}

Columns::Columns(KernelBuilder& builder, WindowRuns runs, int64_t linesPerBlock)
    : builder_(builder), runs_(std::move(runs)), lines_(linesPerBlock) {}

Columns::Line Columns::lineAt(Value number) {
  Line line;
  int64_t numLines = shape().numLines();
  line.exists = numLines % lines_ == 0
                    ? Value(arith::ConstantIntOp::create(builder_, 1, 1))
                    : builder_.isLess(number, builder_.index(numLines));
  ArrayRef<int64_t> outer = ArrayRef(shape().outputs).drop_back();
  line.outputs.resize(outer.size());
  for (size_t dim = outer.size(); dim-- > 0;) {
    line.outputs[dim] = builder_.rem(number, outer[dim]);
    number = builder_.div(number, outer[dim]);
  }
  line.sample = number;
  return line;
}

void Columns::forRuns(ElementRef input, Value line, Value channel,
                      int64_t numChannels, ElementRef columns,
                      llvm::function_ref<void(const WindowRuns::InputRun&,
                                              ElementRef, ElementRef)>
                          visit) {
  builder_.loop(0, numChannels, 1, [&](Value c) {
    runs_.forPositions([&](ValueRange position) {
      Value row = c;
      for (auto [index, window] : llvm::zip_equal(position, shape().windows))
        row = builder_.add(builder_.mul(row, window.extent), index);
      // Lines are innermost: in fold, successive additions are then to
      // different elements, and do not wait for each other.
      builder_.loop(0, lines_, 1, [&](Value l) {
        Line at = lineAt(builder_.add(line, l));
        Value plane = builder_.add(builder_.mul(at.sample, shape().channels),
                                   builder_.add(channel, c));
        WindowRuns::InputRun run = runs_.runOf(at.outputs, position);
        run.isInside =
            builder_.createOrFold<arith::AndIOp>(run.isInside, at.exists);
        Value column = builder_.add(builder_.mul(row, width()),
                                    builder_.mul(l, shape().lineLength()));
        visit(run,
              builder_.at(input, builder_.mul(plane, shape().inputPoints())),
              builder_.at(columns, column));
      });
    });
  });
}

void Columns::unfold(ElementRef input, Value line, Value channel,
                     int64_t numChannels, ElementRef columns) {
  Value zero = builder_.number(columns.elementType(), 0);
  int64_t length = shape().lineLength();
  auto copy = [&](const WindowRuns::InputRun& run, ElementRef plane,
                  ElementRef to) {
    auto fillZeros = [&](Value begin, Value end) {
      builder_.loop(begin, end, 1,
                    [&](Value o) { builder_.store(zero, builder_.at(to, o)); });
    };
    fillZeros(builder_.index(0), run.begin);
    runs_.forPairs(run, to.elementType(), [&](const OutputInputPairs& pairs) {
      Value seen = pairs.loadInput(builder_, plane);
      pairs.storeOutput(builder_, seen, to);
    });
    fillZeros(run.end, builder_.index(length));
  };
  forRuns(
      input, line, channel, numChannels, columns,
      [&](const WindowRuns::InputRun& run, ElementRef plane, ElementRef to) {
        builder_.branch(
            run.isInside,
            [&]() -> SmallVector<Value> {
              copy(run, plane, to);
              return {};
            },
            [&]() -> SmallVector<Value> {
              fill(builder_, to, length, zero);
              return {};
            });
      });
}

void Columns::fold(ElementRef columns, Value line, Value channel,
                   int64_t numChannels, ElementRef input) {
  auto add = [&](const WindowRuns::InputRun& run, ElementRef plane,
                 ElementRef from) {
    runs_.forPairs(run, from.elementType(), [&](const OutputInputPairs& pairs) {
      Value sum =
          arith::AddFOp::create(builder_, pairs.loadInput(builder_, plane),
                                pairs.loadOutput(builder_, from));
      pairs.storeInput(builder_, sum, plane);
    });
  };
  forRuns(
      input, line, channel, numChannels, columns,
      [&](const WindowRuns::InputRun& run, ElementRef plane, ElementRef from) {
        builder_.branch(run.isInside, [&] { add(run, plane, from); });
      });
}

void Columns::forLines(
    ElementRef tensor, ElementRef matrix, int64_t numFilters, Value line,
    llvm::function_ref<void(Value, ElementRef, ElementRef)> visit) {
  builder_.loops({numFilters, lines_}, [&](ValueRange at) {
    Line own = lineAt(builder_.add(line, at[1]));
    Value row = builder_.add(builder_.mul(own.sample, numFilters), at[0]);
    for (auto [output, extent] : llvm::zip(own.outputs, shape().outputs))
      row = builder_.add(builder_.mul(row, extent), output);
    int64_t length = shape().lineLength();
    Value column =
        builder_.add(builder_.mul(at[0], width()), builder_.mul(at[1], length));
    visit(own.exists, builder_.at(tensor, builder_.mul(row, length)),
          builder_.at(matrix, column));
  });
}

void Columns::takeLines(ElementRef tensor, int64_t numFilters, Value line,
                        ElementRef matrix) {
  int64_t length = shape().lineLength();
  int64_t lanes = runs_.lanes(matrix.elementType());
  forLines(
      tensor, matrix, numFilters, line,
      [&](Value exists, ElementRef from, ElementRef to) {
        forVectors(builder_, length, lanes, [&](Value i, int64_t count) {
          auto zeros = VectorType::get(lanes, matrix.elementType());
          Value taken = builder_.branch(
              exists,
              [&]() -> SmallVector<Value> {
                return {builder_.loadLanes(builder_.at(from, i), lanes, count)};
              },
              [&]() -> SmallVector<Value> {
                return {builder_.number(zeros, 0)};
              })[0];
          builder_.storeLanes(taken, builder_.at(to, i), count);
        });
      });
}

void Columns::putLines(ElementRef matrix, int64_t numFilters, Value line,
                       ElementRef tensor) {
  int64_t length = shape().lineLength();
  int64_t lanes = runs_.lanes(matrix.elementType());
  forLines(tensor, matrix, numFilters, line,
           [&](Value exists, ElementRef to, ElementRef from) {
             builder_.branch(exists, [&] {
               forVectors(builder_, length, lanes, [&](Value i, int64_t count) {
                 Value put =
                     builder_.loadLanes(builder_.at(from, i), lanes, count);
                 builder_.storeLanes(put, builder_.at(to, i), count);
               });
             });
           });
}

}  // namespace sbp::cpu
