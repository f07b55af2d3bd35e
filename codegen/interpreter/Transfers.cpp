#include "codegen/interpreter/Transfers.h"

#include "codegen/interpreter/Shards.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp::interpreter {
namespace {

/// The receipts of one rank.
class Receiver {
 public:
  Receiver(int64_t rank, Rendezvous& rendezvous)
      : rank_(rank), rendezvous_(rendezvous) {}

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
    auto sent = rendezvous_.collect(op.getTransferAttr(),
                                    numReceived_[op.getTransferAttr()]++,
                                    senders, rank_, op);
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
    return Results{parts[to->placeOf(rank_)]};
  }

 private:
  int64_t rank_;
  Rendezvous& rendezvous_;
  llvm::DenseMap<Attribute, int64_t> numReceived_;  // by transfer
};

}  // namespace

void addTransferEvaluators(Evaluators& evaluators, int64_t rank,
                           Rendezvous& rendezvous) {
  evaluators.add<rank::SendOp>(
      [rank, &rendezvous](rank::SendOp op,
                          ArrayRef<Tensor> operands) -> FailureOr<Results> {
        rendezvous.post(op.getTransferAttr(), {rank, op, operands[0]});
        return Results{};
      });
  auto receiver = std::make_shared<Receiver>(rank, rendezvous);
  evaluators.add<rank::ReceiveOp>(
      [receiver](rank::ReceiveOp op, ArrayRef<Tensor>) {
        return receiver->receive(op);
      });
}

}  // namespace sbp::interpreter
