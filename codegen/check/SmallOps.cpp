#include "codegen/check/SmallOps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/check/DrawTrial.h"
#include "codegen/check/Draws.h"
#include "codegen/check/OpTrial.h"
#include "codegen/check/OptionalAttributes.h"
#include "dialects/sbp/DistributedOp.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace sbp::check {
namespace {

/// Number of trials of shapes for an op that is given, and of whole ops.
constexpr int64_t kTrialsLike = 400;
constexpr int64_t kTrialsNamed = 20000;
/// Largest numbers of elements of a small op, and of one that is run at its own
/// shapes.
constexpr int64_t kMostSmall = 1 << 12;
constexpr int64_t kMostAsGiven = 1 << 20;

RankedTensorType tensorType(Type type) {
  return llvm::cast<RankedTensorType>(type);
}

/// Returns the type of `type` without placement; bf16, which CPU kernels do not
/// take, becomes f32.
RankedTensorType plainType(Type type) {
  RankedTensorType tensor = tensorType(type);
  Type element = tensor.getElementType();
  if (element.isBF16()) element = mlir::Float32Type::get(type.getContext());
  return RankedTensorType::get(tensor.getShape(), element);
}

/// The extents of an op that change together.
class Extents {
 public:
  /// Dimensions that one loop runs over change together; so do dimensions of
  /// equal extent, if there is no loop over them or `byLoops` is false.
  Extents(Operation* op, bool byLoops) {
    LoopNest nest;
    if (byLoops) nest = llvm::cast<DistributedOpInterface>(op).getLoopNest();
    const auto add = [&](Type type, ArrayRef<TensorLoops> loops, size_t index) {
      const ArrayRef<int64_t> shape = tensorType(type).getShape();
      const bool isKnown =
          index < loops.size() && loops[index].size() == shape.size();
      for (auto [dim, extent] : llvm::enumerate(shape)) {
        const int64_t loop = isKnown ? loops[index][dim] : kNoLoop;
        if (loop < 0 || loop >= static_cast<int64_t>(nest.loops.size())) {
          dims_.push_back({{kNoLoop, extent}, 1});
          continue;
        }
        const int64_t iterations =
            std::max<int64_t>(1, nest.loops[loop].extent);
        dims_.push_back({{loop, 0}, std::max<int64_t>(1, extent / iterations)});
      }
    };
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      add(type, nest.operands, index);
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
      add(type, nest.results, index);
  }

  /// Returns the types of the op's operands or results, `types`, at other
  /// extents. `extentOf` returns the extent of a group, and is given the extent
  /// that it has in `types`. `dim` counts the dimensions of all tensors.
  template <typename ExtentOf>
  SmallVector<RankedTensorType> resized(TypeRange types, size_t& dim,
                                        ExtentOf extentOf) const {
    SmallVector<RankedTensorType> resized;
    for (Type type : types) {
      const RankedTensorType plain = plainType(type);
      SmallVector<int64_t> shape;
      for (int64_t extent : plain.getShape()) {
        const auto& [group, perIteration] = dims_[dim++];
        shape.push_back(extentOf(group, extent / perIteration) * perIteration);
      }
      resized.push_back(RankedTensorType::get(shape, plain.getElementType()));
    }
    return resized;
  }

  /// A loop, or kNoLoop and an extent.
  using Group = std::pair<int64_t, int64_t>;

 private:
  /// For each dimension of each tensor its group, and elements per iteration.
  std::vector<std::pair<Group, int64_t>> dims_;
};

}  // namespace

/// Adds trials to `small`: the first `count` that are valid and of different
/// types and attributes.
class SmallOps::Accepted {
 public:
  Accepted(SmallOps& small, size_t count) : small_(small), count_(count) {}

  bool isFull() const { return ops_.size() >= count_; }

  /// Whether half of the ops have `number` operands.
  bool isHalfFull(size_t number) const {
    return 2 * static_cast<size_t>(llvm::count_if(
                   ops_,
                   [&](const auto& entry) {
                     return entry.second->getNumOperands() == number;
                   })) >=
           count_;
  }

  /// Returns the op of `trial` if it is added, and otherwise null.
  Operation* offer(const OpTrial& trial) {
    if (trial.numElements() > kMostSmall) return nullptr;
    Operation* op = small_.add(trial);
    if (!op) return nullptr;
    const Key key = {
        op->getPropertiesAsAttribute().getAsOpaquePointer(),
        op->getParentOp()->getAttr("function_type").getAsOpaquePointer()};
    if (!known_.insert(key).second) {
      op->getParentOp()->erase();
      return nullptr;
    }
    ops_.emplace(sizeOf(op), op);
    return op;
  }

  /// Returns the ops, smallest first.
  std::vector<Operation*> take() const {
    std::vector<Operation*> ops;
    for (auto [size, op] : ops_) ops.push_back(op);
    return ops;
  }

 private:
  using Key = std::pair<const void*, const void*>;

  static int64_t sizeOf(Operation* op) {
    int64_t size = 0;
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        size += llvm::cast<RankedTensorType>(type).getNumElements();
    return size;
  }

  SmallOps& small_;
  size_t count_;
  std::multimap<int64_t, Operation*> ops_;  // by size
  std::set<Key> known_;
};

SmallOps::SmallOps(MLIRContext* context)
    : module_(ModuleOp::create(mlir::UnknownLoc::get(context))) {}

Operation* SmallOps::add(const OpTrial& trial) {
  tried_ = trial;
  Refusal refusal;
  Operation* op = trial.addTo(*module_, refusal);
  if (op) return op;
  refusal_ = refusal;
  if (!refusal.misfit) return nullptr;
  if (misfit_)
    refusal.misfit->getParentOp()->erase();
  else
    misfit_ = refusal;
  return nullptr;
}

std::vector<Operation*> SmallOps::like(Operation* op, size_t count) {
  OpTrial trial{
      op->getLoc(), op->getName(), {}, {}, op->getPropertiesAsAttribute()};
  Draws draws(op->getName().getStringRef());
  Accepted accepted(*this, count);
  for (int64_t number = 0; number < kTrialsLike && !accepted.isFull();
       ++number) {
    // First each extent is new, then more and more are those of the op, which
    // attributes may ask for.
    const Extents extents(op, /*byLoops=*/number % 2 == 0);
    const int64_t keepsOneIn =
        number < kTrialsLike / 2 ? 0 : 2 + draws.below(3);
    std::map<Extents::Group, int64_t> drawn;
    const auto extentOf = [&](Extents::Group group, int64_t extent) {
      auto [found, isNew] = drawn.try_emplace(group, 0);
      if (isNew)
        found->second =
            keepsOneIn > 0 && draws.oneIn(keepsOneIn) ? extent : draws.extent();
      return found->second;
    };
    size_t dim = 0;
    trial.operands = extents.resized(op->getOperandTypes(), dim, extentOf);
    trial.results = extents.resized(op->getResultTypes(), dim, extentOf);
    accepted.offer(trial);
  }
  std::vector<Operation*> ops = accepted.take();
  if (!ops.empty()) return ops;

  trial.operands.clear();
  trial.results.clear();
  for (Type type : op->getOperandTypes())
    trial.operands.push_back(plainType(type));
  for (Type type : op->getResultTypes())
    trial.results.push_back(plainType(type));
  if (trial.numElements() <= kMostAsGiven)
    if (Operation* same = add(trial)) ops.push_back(same);
  return ops;
}

std::vector<Operation*> SmallOps::named(mlir::RegisteredOperationName name,
                                        size_t count) {
  MLIRContext* context = module_->getContext();
  Draws draws(name.getStringRef());
  Accepted accepted(*this, count);
  // An op that infers the types of its results reads attributes to do so, and
  // before it is verified. So it has them all, until a valid op shows which are
  // optional.
  const bool infers = name.hasInterface<mlir::InferTypeOpInterface>();
  SmallVector<mlir::StringAttr> optional;
  if (!infers) llvm::append_range(optional, name.getAttributeNames());
  const bool anyNumber = takesAnyNumberOfOperands(name);
  bool isFirst = true;
  for (int64_t number = 0; number < kTrialsNamed && !accepted.isFull();
       ++number) {
    const OpTrial trial = drawTrial(context, name, optional, draws);
    // Half of the ops have other numbers of operands, if any are accepted.
    if (anyNumber && number < kTrialsNamed / 2 &&
        accepted.isHalfFull(trial.operands.size()))
      continue;
    Operation* op = accepted.offer(trial);
    if (infers && op && std::exchange(isFirst, false))
      optional = optionalAttributes(op);
  }
  return accepted.take();
}

}  // namespace sbp::check
