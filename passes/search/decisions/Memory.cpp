#include "passes/search/decisions/Memory.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Cost.h"
#include "passes/search/decisions/FlowVersions.h"

namespace sbp::search {
namespace {

/// Returns the bytes while each op of one function runs, without the memory of
/// callers and callees. `passing` has the bytes that each op needs only while
/// it runs.
std::vector<double> bytesOfOps(const Frame& frame, std::vector<double> passing,
                               llvm::ArrayRef<FlowVersion> versions) {
  std::vector<double> bytes(frame.numOps + 1, 0);
  for (const FlowVersion& version : versions) {
    bytes.front() += bytesHeld(version, /*oneRuns=*/true);
    // Skips the unused result of a call, and a version that is not counted.
    if (version.first >= frame.numOps || version.last < version.first) continue;
    bytes[version.first] += version.bytes;
    bytes[version.last + 1] -= version.bytes;
    passing[version.first] += version.bytesBetween();
  }
  double sum = 0;
  for (int64_t op = 0; op < frame.numOps; ++op) {
    sum += bytes[op];
    bytes[op] = sum + passing[op];
  }
  bytes.pop_back();
  return bytes;
}

}  // namespace

double MemoryParts::sum() const {
  double sum = 0;
  for (const MemoryPart& part : kMemoryParts) sum += this->*part.bytes;
  return sum;
}

double ownLimit(const DecisionGraph& graph, double memoryBytes) {
  return std::max(1.0, memoryBytes - graph.otherBytes());
}

double keptBytes(const KeptTensor& tensor, llvm::ArrayRef<Component> placement,
                 const Mesh& mesh) {
  return static_cast<double>(alignedBytes(
      largestLocalBytes(tensor.shape, tensor.elementBytes, placement, mesh)));
}

namespace {

/// The memory of a plan while its ops run.
class Profile {
 public:
  Profile(const DecisionGraph& graph, const Assignment& assignment,
          Movements& movements, Counting counting)
      : graph_(graph), assignment_(assignment) {
    size_t numFunctions = graph.functions.size();
    std::vector<llvm::SmallVector<FlowVersion, 0>> ofFunction(numFunctions);
    for (const Flow& flow : graph.flows) {
      versions_.push_back(
          FlowVersions(graph, flow, movements)
              .of(graph.placementsOf(flow, assignment), counting));
      ofFunction[flow.function].append(versions_.back().begin(),
                                       versions_.back().end());
    }

    for (const Frame& frame : graph.functions)
      working_.emplace_back(frame.numOps, 0);
    for (auto [decision, state] : llvm::zip(graph.decisions, assignment))
      for (auto [member, bytes] :
           llvm::zip(decision.members,
                     bytesOfMembers(decision.states[state], counting)))
        working_[member.function][member.op] += bytes;

    // The calls of all functions with holds are mixed.
    std::vector<double> waiting(numFunctions, 0);
    double allWaiting = 0;
    for (size_t f = 0; f < numFunctions; ++f) {
      if (graph.functions[f].holds.empty()) continue;
      for (const FlowVersion& version : ofFunction[f])
        waiting[f] += bytesHeld(version, /*oneRuns=*/false);
      allWaiting += waiting[f];
    }

    // Functions are after their callers, so callees are computed first.
    bytes_.resize(numFunctions);
    called_.resize(numFunctions);
    busiest_.resize(numFunctions);
    for (size_t f = numFunctions; f-- > 0;) {
      std::vector<double>& bytes = bytes_[f];
      bytes = bytesOfOps(graph.functions[f], working_[f], ofFunction[f]);
      if (!graph.functions[f].holds.empty())
        for (double& ofOp : bytes) ofOp += allWaiting - waiting[f];
      called_[f].assign(bytes.size(), -1);
      for (const Frame::Call& call : graph.functions[f].calls) {
        bytes[call.op] += bytes_[call.function][busiest_[call.function]];
        called_[f][call.op] = call.function;
      }
      busiest_[f] =
          std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
    }
  }

  /// Returns, per op of the entry, the peak bytes while it runs, callees
  /// included and parameters not.
  llvm::ArrayRef<double> ofEntry() const { return bytes_.front(); }
  int64_t busiest() const { return busiest_.front(); }

  /// Returns the moment of the peak while op `op` of the entry runs.
  Moment momentAt(int64_t op) const {
    Moment moment(graph_.functions.size(), -1);
    moment.front() = op;
    for (int64_t f = called_.front()[op]; f >= 0; f = called_[f][busiest_[f]])
      moment[f] = busiest_[f];
    return moment;
  }

  MemoryParts partsAt(const Moment& moment) const {
    MemoryParts parts;
    const bool isInPipeline = graph_.isInPipeline(moment);
    parts.parameters = graph_.otherParameterBytes;
    parts.state = graph_.otherStateBytes;
    for (const KeptTensor& tensor : graph_.kept)
      (tensor.isState ? parts.state : parts.parameters) +=
          keptBytes(tensor,
                    graph_.placements[graph_.placementAt(
                        tensor.slot, assignment_[tensor.slot.decision])],
                    graph_.mesh);
    for (auto [flow, used] : llvm::zip(graph_.flows, versions_)) {
      double& made = flow.kind == Flow::Kind::Input      ? parts.inputs
                     : flow.kind == Flow::Kind::Gradient ? parts.gradients
                                                         : parts.activations;
      for (const FlowVersion& version : used)
        (version.isBoxed ? parts.boxed : made) +=
            bytesAt(version, moment[flow.function], isInPipeline);
    }
    for (auto [bytes, op] : llvm::zip(working_, moment))
      if (op >= 0) parts.working += bytes[op];
    return parts;
  }

 private:
  const DecisionGraph& graph_;
  const Assignment& assignment_;
  std::vector<llvm::SmallVector<FlowVersion, 4>> versions_;  // per flow
  // Per function and op: scratch memory of kernels, all memory, and the
  // function that is called.
  std::vector<std::vector<double>> working_, bytes_;
  std::vector<std::vector<int64_t>> called_;
  std::vector<int64_t> busiest_;  // per function
};

}  // namespace

PeakMemory peakMemory(const DecisionGraph& graph, const Assignment& assignment,
                      Movements& movements, Counting counting) {
  Profile profile(graph, assignment, movements, counting);
  PeakMemory memory;
  memory.moment = profile.momentAt(profile.busiest());
  memory.parts = profile.partsAt(memory.moment);
  memory.bytes = memory.parts.sum();
  return memory;
}

std::vector<Moment> highMoments(const DecisionGraph& graph,
                                const Assignment& assignment,
                                Movements& movements, Counting counting) {
  Profile profile(graph, assignment, movements, counting);
  llvm::ArrayRef<double> bytes = profile.ofEntry();
  std::vector<int64_t> high;
  for (size_t op = 0; op < bytes.size(); ++op) {
    bool isAboveLast = op == 0 || bytes[op] > bytes[op - 1];
    bool isAboveNext = op + 1 == bytes.size() || bytes[op] >= bytes[op + 1];
    if (isAboveLast && isAboveNext) high.push_back(op);
  }
  llvm::sort(high, [&](int64_t a, int64_t b) {
    return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
  });
  std::vector<Moment> moments;
  for (int64_t op : high) moments.push_back(profile.momentAt(op));
  return moments;
}

}  // namespace sbp::search
