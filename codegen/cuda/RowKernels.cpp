#include "codegen/cuda/RowKernels.h"

#include <set>
#include <string>
#include <utility>
#include <variant>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "runtime/cuda/RowKernels.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

constexpr int64_t kNumberBytes = sizeof(int64_t);

/// The builder of one function. All its arithmetic is on i64; addresses are i64
/// too.
class RowBuilder : public ImplicitLocOpBuilder {
 public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value number(int64_t value) {
    return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  Value add(Value left, Value right) {
    return arith::AddIOp::create(*this, left, right);
  }
  Value add(Value left, int64_t right) { return add(left, number(right)); }
  Value mul(Value left, Value right) {
    return arith::MulIOp::create(*this, left, right);
  }
  Value mul(Value left, int64_t right) { return mul(left, number(right)); }
  Value div(Value left, Value right) {
    return arith::DivUIOp::create(*this, left, right);
  }
  Value rem(Value left, Value right) {
    return arith::RemUIOp::create(*this, left, right);
  }

  /// Returns the number of the thread in the launch, and that of all threads.
  Value thread() {
    return add(mul(toI64(gpu::BlockIdOp::create(*this, gpu::Dimension::x)),
                   kRowThreads),
               toI64(gpu::ThreadIdOp::create(*this, gpu::Dimension::x)));
  }
  Value numThreads() {
    return mul(toI64(gpu::GridDimOp::create(*this, gpu::Dimension::x)),
               kRowThreads);
  }

  /// Emits for (i = begin; i < end; i += step) body(i).
  void loop(Value begin, Value end, Value step,
            function_ref<void(Value)> body) {
    scf::ForOp::create(*this, begin, end, step, ValueRange(),
                       [&](OpBuilder&, Location, Value i, ValueRange) {
                         body(i);
                         scf::YieldOp::create(*this);
                       });
  }

  Value load(Type type, Value address, int64_t alignment,
             bool isVolatile = false) {
    return LLVM::LoadOp::create(*this, type, toPointer(address), alignment,
                                isVolatile);
  }
  void store(Value value, Value address, int64_t alignment) {
    LLVM::StoreOp::create(*this, value, toPointer(address), alignment);
  }
  /// Returns element `index` of the list of i64 that begins at `address`.
  Value numberAt(Value address, Value index) {
    return load(getI64Type(), add(address, mul(index, kNumberBytes)),
                kNumberBytes);
  }
  Value numberAt(Value address, int64_t index) {
    return numberAt(address, number(index));
  }
  /// Returns the number at `address`, which the host or another GPU may have
  /// written since the launch began.
  Value freshNumberAt(Value address) {
    return load(getI64Type(), address, kNumberBytes, /*isVolatile=*/true);
  }

 private:
  Value toI64(Value index) {
    return arith::IndexCastOp::create(*this, getI64Type(), index);
  }
  Value toPointer(Value address) {
    return LLVM::IntToPtrOp::create(
        *this, LLVM::LLVMPointerType::get(getContext()), address);
  }
};

/// Adds the function `name` with `numArguments` addresses as arguments. `body`
/// emits its code.
void addFunction(gpu::GPUModuleOp kernels, StringRef name, int numArguments,
                 function_ref<void(RowBuilder&, ArrayRef<Value>)> body) {
  const Location loc = kernels.getLoc();
  OpBuilder module = OpBuilder::atBlockEnd(kernels.getBody());
  SmallVector<Type> types(numArguments,
                          LLVM::LLVMPointerType::get(loc.getContext()));
  auto function = gpu::GPUFuncOp::create(module, loc, name,
                                         module.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    module.getUnitAttr());
  function.setKnownBlockSizeAttr(
      module.getDenseI32ArrayAttr({static_cast<int32_t>(kRowThreads), 1, 1}));
  RowBuilder builder(loc, loc.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  SmallVector<Value> addresses;
  for (Value argument :
       function.getArguments().take_front(static_cast<size_t>(numArguments)))
    addresses.push_back(
        LLVM::PtrToIntOp::create(builder, builder.getI64Type(), argument));
  body(builder, addresses);
  gpu::ReturnOp::create(builder);
}

/// A table of jobs, as a function reads it.
class Table {
 public:
  Table(RowBuilder& builder, Value address)
      : builder_(builder),
        address_(address),
        numJobs_(builder.numberAt(address, 0)),
        numSources_(builder.numberAt(address, 1)),
        numPlaces_(builder.add(numSources_, 1)) {}

  Value numJobs() const { return numJobs_; }
  Value numSources() const { return numSources_; }
  /// Number of places of a job: its target and its sources.
  Value numPlaces() const { return numPlaces_; }

  /// Returns the address of the numbers of a job.
  Value job(Value number) const {
    Value size =
        builder_.add(builder_.mul(numPlaces_, kPlaceNumbers), kJobHeader);
    return builder_.add(
        address_,
        builder_.mul(builder_.add(builder_.mul(number, size), kTableHeader),
                     kNumberBytes));
  }
  /// Returns the address of the numbers of a place of the job at `job`.
  Value place(Value job, Value number) const {
    return builder_.add(
        job, builder_.mul(
                 builder_.add(builder_.mul(number, kPlaceNumbers), kJobHeader),
                 kNumberBytes));
  }

 private:
  RowBuilder& builder_;
  Value address_, numJobs_, numSources_, numPlaces_;
};

void addLookUp(gpu::GPUModuleOp kernels) {
  addFunction(
      kernels, kLookUpFunction, 4,
      [](RowBuilder& builder, ArrayRef<Value> arguments) {
        const Table table(builder, arguments[0]);
        builder.loop(
            builder.thread(), builder.mul(table.numJobs(), table.numPlaces()),
            builder.numThreads(), [&](Value number) {
              Value place =
                  table.place(table.job(builder.div(number, table.numPlaces())),
                              builder.rem(number, table.numPlaces()));
              Value owner = builder.numberAt(place, 0);
              Value numbers =
                  builder.add(arguments[1],
                              builder.mul(owner, kOwnerNumbers * kNumberBytes));
              Value isOther = arith::CmpIOp::create(
                  builder, arith::CmpIPredicate::ne, owner, builder.number(0));
              auto list = scf::IfOp::create(
                  builder, isOther,
                  [&](OpBuilder&, Location) {
                    Value offset =
                        builder.freshNumberAt(builder.numberAt(numbers, 2));
                    Value list =
                        builder.add(builder.numberAt(numbers, 1), offset);
                    scf::YieldOp::create(builder, list);
                  },
                  [&](OpBuilder&, Location) {
                    scf::YieldOp::create(builder, arguments[2]);
                  });
              Value buffer = builder.freshNumberAt(builder.add(
                  list.getResult(0),
                  builder.mul(builder.numberAt(place, 1), kNumberBytes)));
              Value address =
                  builder.add(builder.add(builder.numberAt(numbers, 0), buffer),
                              builder.numberAt(place, 2));
              builder.store(
                  address,
                  builder.add(arguments[3], builder.mul(number, kNumberBytes)),
                  kNumberBytes);
            });
      });
}

/// Adds a function that moves elements of type `stored`, of `bytes` bytes.
/// `combine` emits the result for one element. It gets a function that loads
/// the element of a source, and the number of sources.
using LoadSource = function_ref<Value(Value)>;
void addMove(gpu::GPUModuleOp kernels, const std::string& name, Type stored,
             int64_t bytes,
             function_ref<Value(RowBuilder&, LoadSource, Value)> combine) {
  addFunction(
      kernels, name, 2, [&](RowBuilder& builder, ArrayRef<Value> arguments) {
        const Table table(builder, arguments[0]);
        builder.loop(
            builder.number(0), table.numJobs(), builder.number(1),
            [&](Value number) {
              Value job = table.job(number);
              Value addresses = builder.add(
                  arguments[1],
                  builder.mul(builder.mul(number, table.numPlaces()),
                              kNumberBytes));
              Value inner = builder.numberAt(job, 1);
              Value row = builder.numberAt(job, 2);
              Value count = builder.mul(
                  builder.mul(builder.numberAt(job, 0), inner), row);
              builder.loop(
                  builder.thread(), count, builder.numThreads(),
                  [&](Value element) {
                    // Element `column` of row (i, j).
                    Value column =
                        builder.mul(builder.rem(element, row), bytes);
                    Value rowNumber = builder.div(element, row);
                    Value i = builder.div(rowNumber, inner);
                    Value j = builder.rem(rowNumber, inner);
                    auto addressIn = [&](Value place) {
                      Value numbers = table.place(job, place);
                      Value inRow = builder.add(
                          builder.numberAt(addresses, place), column);
                      Value outer =
                          builder.mul(i, builder.numberAt(numbers, 3));
                      return builder.add(
                          builder.add(inRow, outer),
                          builder.mul(j, builder.numberAt(numbers, 4)));
                    };
                    auto loadSource = [&](Value source) {
                      return builder.load(
                          stored, addressIn(builder.add(source, 1)), bytes);
                    };
                    Value result =
                        combine(builder, loadSource, table.numSources());
                    builder.store(result, addressIn(builder.number(0)), bytes);
                  });
            });
      });
}

void addCopy(gpu::GPUModuleOp kernels, int64_t width) {
  Builder builder(kernels.getContext());
  constexpr int64_t kLaneBytes = 4;
  const Type type =
      width > kLaneBytes
          ? Type(VectorType::get(width / kLaneBytes, builder.getI32Type()))
          : builder.getIntegerType(8 * width);
  addMove(kernels, copyFunction(width), type, width,
          [](RowBuilder& builder, LoadSource load, Value) {
            return load(builder.number(0));
          });
}

/// Returns `left` and `right` combined, as reductions on CPUs combine them
/// (runtime/communication/Reduction.h).
Value combined(RowBuilder& builder, plan::ReductionKind reduction,
               plan::ElementType elementType, Value left, Value right) {
  const bool isFloat = isa<FloatType>(left.getType());
  const bool isBool = elementType == plan::ElementType::kI1;
  if (reduction == plan::ReductionKind::kSum) {
    if (isFloat) return arith::AddFOp::create(builder, left, right);
    if (isBool) return arith::XOrIOp::create(builder, left, right);
    return arith::AddIOp::create(builder, left, right);
  }
  const bool isMax = reduction == plan::ReductionKind::kMax;
  if (isBool) {
    if (isMax) return arith::OrIOp::create(builder, left, right);
    return arith::AndIOp::create(builder, left, right);
  }
  if (!isFloat) {
    if (isMax) return arith::MaxSIOp::create(builder, left, right);
    return arith::MinSIOp::create(builder, left, right);
  }
  Value isBetter = arith::CmpFOp::create(
      builder, isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
      left, right);
  Value isNan =
      arith::CmpFOp::create(builder, arith::CmpFPredicate::UNO, left, left);
  return arith::SelectOp::create(
      builder, arith::OrIOp::create(builder, isBetter, isNan), left, right);
}

Type storedType(Builder& builder, plan::ElementType elementType) {
  switch (elementType) {
    case plan::ElementType::kF32:
      return builder.getF32Type();
    case plan::ElementType::kBF16:
      return builder.getBF16Type();
    case plan::ElementType::kI32:
      return builder.getI32Type();
    case plan::ElementType::kI64:
      return builder.getI64Type();
    case plan::ElementType::kI1:
      break;
  }
  return builder.getI8Type();  // a bool has a byte
}

void addReduce(gpu::GPUModuleOp kernels, plan::ElementType elementType,
               plan::ReductionKind reduction) {
  Builder types(kernels.getContext());
  const Type stored = storedType(types, elementType);
  // Terms in bf16 are combined in f32, and the result is rounded once.
  const bool isNarrow = elementType == plan::ElementType::kBF16;
  addMove(kernels, reduceFunction(elementType, reduction), stored,
          plan::byteWidth(elementType),
          [&](RowBuilder& builder, LoadSource load, Value numSources) -> Value {
            auto term = [&](Value source) -> Value {
              Value loaded = load(source);
              if (!isNarrow) return loaded;
              return arith::ExtFOp::create(builder, builder.getF32Type(),
                                           loaded);
            };
            auto sum = scf::ForOp::create(
                builder, builder.number(1), numSources, builder.number(1),
                term(builder.number(0)),
                [&](OpBuilder&, Location, Value source, ValueRange carried) {
                  scf::YieldOp::create(builder,
                                       combined(builder, reduction, elementType,
                                                carried[0], term(source)));
                });
            Value result = sum.getResult(0);
            if (!isNarrow) return result;
            return arith::TruncFOp::create(builder, stored, result);
          });
}

}  // namespace

void addRowKernels(gpu::GPUModuleOp kernels, const plan::Plan& plan) {
  using Kind = plan::CollectiveTask::Kind;
  kernels.getContext()->loadDialect<LLVM::LLVMDialect>();
  bool movesRows = false;
  std::set<std::pair<plan::ElementType, plan::ReductionKind>> reductions;
  auto note = [&](const plan::CollectiveTask& task) {
    movesRows = true;
    if (task.kind == Kind::kAllReduce || task.kind == Kind::kReduceScatter)
      reductions.emplace(task.elementType, task.reduction);
  };
  for (const plan::Program& program : plan.programs)
    for (const plan::EntryProgram& entry : program.entries) {
      for (const plan::Task& task : entry.tasks) {
        if (const auto* collective = std::get_if<plan::CollectiveTask>(&task))
          note(*collective);
        movesRows |= std::holds_alternative<plan::TransferTask>(task);
      }
      for (const plan::Loop& loop : entry.loops)
        if (loop.messages) note(loop.messages->agreement);
    }
  if (!movesRows) return;
  addLookUp(kernels);
  for (int64_t width : kCopyWidths) addCopy(kernels, width);
  for (auto [elementType, reduction] : reductions)
    addReduce(kernels, elementType, reduction);
}

}  // namespace sbp::cuda
