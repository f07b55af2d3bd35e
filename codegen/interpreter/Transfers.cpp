#include "codegen/interpreter/Transfers.h"

#include "codegen/interpreter/Shards.h"
#include "dialects/rank/Rank.h"

namespace sbp::interpreter {
namespace {

/// The evaluators of one rank's sends and receives.
class TransferEvaluators {
 public:
  TransferEvaluators(int64_t rank, const Interpreter& interpreter,
                     Rendezvous& rendezvous)
      : rank_(rank), interpreter_(interpreter), rendezvous_(rendezvous) {}

  FailureOr<Results> send(rank::SendOp op, const Tensor& tensor) {
    if (failed(rendezvous_.post(op.getTransferAttr(), microBatch(),
                                {rank_, op, tensor})))
      return failure();
    return Results{};
  }

  FailureOr<Results> receive(rank::ReceiveOp op) {
    rank::TransferOp transfer = rank::transferOf(op);
    auto source = llvm::cast<RankedTensorType>(transfer.getSource());
    auto target = llvm::cast<RankedTensorType>(transfer.getTarget());
    FailureOr<Mesh> from =
        lookupMesh(transfer, NdSbpAttr::of(source).getMesh());
    FailureOr<Mesh> to = lookupMesh(transfer, NdSbpAttr::of(target).getMesh());
    if (failed(from) || failed(to)) return failure();

    std::vector<int64_t> senders;
    for (int64_t place = 0; place < from->numRanks(); ++place)
      senders.push_back(from->rankAt(place));
    auto sent = rendezvous_.collect(op.getTransferAttr(), microBatch(), senders,
                                    rank_, op);
    if (failed(sent)) return failure();
    std::vector<Tensor> locals;
    for (const Contribution& contribution : *sent)
      locals.push_back(contribution.tensor);
    FailureOr<Tensor> whole =
        assembled(locals, source, NdSbpAttr::of(source).getComponents(), *from,
                  [&] { return op.emitOpError(); });
    if (failed(whole)) return failure();
    std::vector<Tensor> parts =
        cut(*whole, NdSbpAttr::of(target).getComponents(), *to,
            CountedRandom(0, ""));
    return Results{parts[to->positionOf(rank_)]};
  }

 private:
  int64_t microBatch() const { return interpreter_.repetition().value_or(0); }

  int64_t rank_;
  const Interpreter& interpreter_;
  Rendezvous& rendezvous_;
};

}  // namespace

void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           const Interpreter& interpreter,
                           Rendezvous& rendezvous) {
  auto rows =
      std::make_shared<TransferEvaluators>(rank, interpreter, rendezvous);
  evaluators.add<rank::SendOp>(
      [rows](rank::SendOp op, ArrayRef<Tensor> operands) {
        return rows->send(op, operands[0]);
      });
  evaluators.add<rank::ReceiveOp>([rows](rank::ReceiveOp op, ArrayRef<Tensor>) {
    return rows->receive(op);
  });
}

}  // namespace sbp::interpreter
