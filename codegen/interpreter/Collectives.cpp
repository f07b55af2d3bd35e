#include "codegen/interpreter/Collectives.h"

#include "codegen/interpreter/Shards.h"
#include "dialects/rank/Rank.h"

namespace sbp::interpreter {
namespace {

Reduction monoidOf(rank::Reduction reduction) {
  switch (reduction) {
    case rank::Reduction::Sum:
      return Reduction::Sum;
    case rank::Reduction::Max:
      return Reduction::Max;
    case rank::Reduction::Min:
      return Reduction::Min;
  }
  llvm_unreachable("a reduction is one of three");
}

/// The members of a collective, as rank `rank` sees them: the ranks whose
/// coordinates differ from its own only along the axes `axes`.
class Group {
 public:
  Group(Mesh mesh, int64_t rank, ArrayRef<int64_t> axes)
      : mesh_(std::move(mesh)),
        rank_(rank),
        position_(mesh_.positionOf(rank)),
        splitting_(mesh_.axes.size()) {
    for (int64_t axis : axes) splitting_[axis] = Component::split(0);
    auto mine = mesh_.coordinatesOf(position_);
    for (int64_t other = 0; other < mesh_.numRanks(); ++other) {
      auto coordinates = mesh_.coordinatesOf(other);
      bool isMember = true;
      for (size_t axis = 0; axis < mine.size(); ++axis)
        if (!splitting_[axis].isSplit())
          isMember &= coordinates[axis] == mine[axis];
      // Positions are row-major over all axes, so members are row-major over
      // `axes`.
      if (isMember) members_.push_back(mesh_.rankAt(other));
    }
  }

  int64_t rank() const { return rank_; }
  ArrayRef<int64_t> members() const { return members_; }
  bool isFirst() const { return members_.front() == rank_; }

  /// Returns this rank's part of an extent that the group's axes split, major
  /// first.
  Interval partOf(int64_t extent) const {
    return sbp::partOf(extent, /*dim=*/0, splitting_, mesh_,
                       mesh_.coordinatesOf(position_));
  }

 private:
  Mesh mesh_;
  int64_t rank_, position_;
  Placement splitting_;
  SmallVector<int64_t> members_;
};

/// Fails with a diagnostic unless the contributions come from ops of one name
/// with equal attributes, and their types differ at most in dimension
/// `freeDim`.
LogicalResult checkAgreement(ArrayRef<Contribution> contributions,
                             int64_t freeDim) {
  const Contribution& first = contributions.front();
  for (const Contribution& other : contributions.drop_front()) {
    bool isSameOp = first.op->getName() == other.op->getName() &&
                    first.op->getPropertiesAsAttribute() ==
                        other.op->getPropertiesAsAttribute();
    SmallVector<int64_t> shape(other.tensor.shape());
    if (freeDim >= 0 && shape.size() == first.tensor.shape().size())
      shape[freeDim] = first.tensor.shape()[freeDim];
    bool isSameType = ArrayRef<int64_t>(shape) == first.tensor.shape() &&
                      first.tensor.elementType() == other.tensor.elementType();
    if (isSameOp && isSameType) continue;
    mlir::InFlightDiagnostic diagnostic = first.op->emitOpError()
                                          << "brings a " << first.tensor.type()
                                          << " from rank " << first.rank;
    diagnostic.attachNote(other.op->getLoc())
        << "rank " << other.rank << " brings a " << other.tensor.type()
        << " to '" << other.op->getName() << "' "
        << other.op->getPropertiesAsAttribute();
    return diagnostic;
  }
  return success();
}

/// The evaluators of one rank.
class RankEvaluators {
 public:
  RankEvaluators(int64_t rank, Rendezvous& rendezvous)
      : rank_(rank), rendezvous_(rendezvous) {}

  FailureOr<Results> evaluate(rank::AllReduceOp op, const Tensor& input) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    auto tensors = exchanged(op, *group, input, kNoFreeDim);
    if (failed(tensors)) return failure();
    return Results{reduced(monoidOf(op.getReduction()), *tensors)};
  }

  FailureOr<Results> evaluate(rank::AllGatherOp op, const Tensor& input) const {
    int64_t dim = op.getDim();
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    auto tensors = exchanged(op, *group, input, dim);
    if (failed(tensors)) return failure();
    return Results{joined(*tensors, dim)};
  }

  FailureOr<Results> evaluate(rank::ReduceScatterOp op,
                              const Tensor& input) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    auto tensors = exchanged(op, *group, input, kNoFreeDim);
    if (failed(tensors)) return failure();
    Tensor total = reduced(monoidOf(op.getReduction()), *tensors);
    return Results{myPart(*group, total, op.getDim())};
  }

  FailureOr<Results> evaluate(rank::AllToAllOp op, const Tensor& input) const {
    int64_t gatherDim = op.getGatherDim();
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    auto tensors = exchanged(op, *group, input, gatherDim);
    if (failed(tensors)) return failure();
    for (Tensor& tensor : *tensors)
      tensor = myPart(*group, tensor, op.getSplitDim());
    return Results{joined(*tensors, gatherDim)};
  }

  FailureOr<Results> evaluate(rank::HaloExchangeOp op,
                              const Tensor& input) const {
    int64_t dim = op.getDim();
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    auto tensors = exchanged(op, *group, input, dim);
    if (failed(tensors)) return failure();
    auto neutralOf = [&](int64_t extent) {
      SmallVector<int64_t> shape(input.shape());
      shape[dim] = extent;
      return neutral(monoidOf(op.getReduction()),
                     RankedTensorType::get(shape, input.elementType()));
    };
    // The low halo of the first member begins at index 0 now.
    tensors->insert(tensors->begin(), neutralOf(op.getLow()));
    tensors->push_back(neutralOf(op.getHigh()));
    Interval part = group->partOf(op.getExtent());
    return Results{joined(*tensors, dim)
                       .part(dim, {part.begin, part.end + static_cast<int64_t>(
                                                              op.getLow() +
                                                              op.getHigh())})};
  }

  FailureOr<Results> evaluate(rank::SliceOp op, const Tensor& input) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    return Results{myPart(*group, input, op.getDim())};
  }

  FailureOr<Results> evaluate(rank::PadOp op, const Tensor& input) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    int64_t dim = op.getDim();
    SmallVector<int64_t> shape(resultType(op).getShape());
    int64_t extent = shape[dim];
    Interval part = group->partOf(extent);
    auto around = [&](int64_t extentAround) {
      shape[dim] = extentAround;
      return neutral(monoidOf(op.getReduction()),
                     RankedTensorType::get(shape, input.elementType()));
    };
    return Results{
        joined({around(part.begin), input, around(extent - part.end)}, dim)};
  }

  FailureOr<Results> evaluate(rank::ToPartialOp op, const Tensor& input) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    if (group->isFirst()) return Results{input};
    return Results{neutral(monoidOf(op.getReduction()), input.type())};
  }

  FailureOr<Results> evaluate(rank::OffsetOp op) const {
    FailureOr<Group> group = groupOf(op);
    if (failed(group)) return failure();
    std::vector<int64_t> begin = {group->partOf(op.getExtent()).begin};
    return Results{Tensor(resultType(op), std::move(begin))};
  }

 private:
  static constexpr int64_t kNoFreeDim = -1;

  template <typename AxesOp>
  FailureOr<Group> groupOf(AxesOp op) const {
    FailureOr<Mesh> mesh = rank::meshOf(op);
    if (failed(mesh)) return failure();
    auto axes = rank::axesNamed(op, op.getAxes(), *mesh);
    if (failed(axes)) return failure();
    if (mesh->positionOf(rank_) < 0)
      return op.emitOpError()
             << "is run by rank " << rank_ << ", which is not of its group";
    return Group(std::move(*mesh), rank_, *axes);
  }

  /// Exchanges `input` at `op`, and returns the members' tensors in their
  /// order. Their types may differ in dimension `freeDim`.
  FailureOr<std::vector<Tensor>> exchanged(Operation* op, const Group& group,
                                           const Tensor& input,
                                           int64_t freeDim) const {
    auto contributions =
        rendezvous_.exchange(group.members(), {group.rank(), op, input});
    if (failed(contributions) ||
        failed(checkAgreement(*contributions, freeDim)))
      return failure();
    std::vector<Tensor> tensors;
    for (Contribution& contribution : *contributions)
      tensors.push_back(contribution.tensor);
    return tensors;
  }

  static Tensor myPart(const Group& group, const Tensor& tensor, int64_t dim) {
    return tensor.part(dim, group.partOf(tensor.shape()[dim]));
  }

  int64_t rank_;
  Rendezvous& rendezvous_;
};

}  // namespace

void addCollectiveEvaluators(Evaluators& evaluators, int64_t rank,
                             Rendezvous& rendezvous) {
  RankEvaluators rows(rank, rendezvous);
  auto onInput = [rows](auto op, ArrayRef<Tensor> operands) {
    return rows.evaluate(op, operands[0]);
  };
  evaluators.add<rank::AllReduceOp>(onInput);
  evaluators.add<rank::AllGatherOp>(onInput);
  evaluators.add<rank::ReduceScatterOp>(onInput);
  evaluators.add<rank::AllToAllOp>(onInput);
  evaluators.add<rank::HaloExchangeOp>(onInput);
  evaluators.add<rank::SliceOp>(onInput);
  evaluators.add<rank::PadOp>(onInput);
  evaluators.add<rank::ToPartialOp>(onInput);
  evaluators.add<rank::OffsetOp>([rows](rank::OffsetOp op, ArrayRef<Tensor>) {
    return rows.evaluate(op);
  });
}

}  // namespace sbp::interpreter
