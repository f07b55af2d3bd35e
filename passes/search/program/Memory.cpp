#include "passes/search/program/Memory.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Cost.h"
#include "passes/search/program/FlowVersions.h"

namespace sbp::search {
namespace {

/// Bytes while each op of one function runs, without what callers and callees
/// keep. `passing`: what each has while it runs only.
std::vector<double> bytesOfOps(const Frame& frame, std::vector<double> passing,
                               llvm::ArrayRef<FlowVersion> versions) {
  std::vector<double> bytes(frame.numOps + 1, 0);
  for (const FlowVersion& version : versions) {
    // A result of a call that nobody uses.
    if (version.first >= frame.numOps) continue;
    bytes[version.first] += version.bytes;
    bytes[version.last + 1] -= version.bytes;
    passing[version.first] += version.bytesBetween;
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

PeakMemory peakMemory(const DecisionGraph& graph, const Assignment& assignment,
                      Movements& movements) {
  size_t numFunctions = graph.functions.size();
  std::vector<llvm::SmallVector<FlowVersion, 4>> versions;  // per flow
  std::vector<llvm::SmallVector<FlowVersion, 0>> ofFunction(numFunctions);
  for (const Flow& flow : graph.flows) {
    auto placementAt = [&](Slot slot) {
      return graph.placementAt(slot, assignment[slot.decision]);
    };
    llvm::SmallVector<FlowVersions::Number, 4> placements = {
        placementAt(flow.made)};
    for (const Flow::Use& use : flow.uses)
      placements.push_back(placementAt(use.slot));
    versions.push_back(FlowVersions(graph, flow, movements).of(placements));
    ofFunction[flow.function].append(versions.back().begin(),
                                     versions.back().end());
  }

  // Per function and op.
  std::vector<std::vector<double>> working;
  for (const Frame& frame : graph.functions)
    working.emplace_back(frame.numOps, 0);
  for (auto [decision, state] : llvm::zip(graph.decisions, assignment))
    for (auto [member, bytes] :
         llvm::zip(decision.members, decision.states[state].workingBytes))
      working[member.function][member.op] += bytes;

  // Functions come after their callers, so callees are done first.
  std::vector<double> most(numFunctions, 0);
  std::vector<int64_t> busiest(numFunctions, -1), callee(numFunctions, -1);
  for (size_t f = numFunctions; f-- > 0;) {
    std::vector<double> bytes =
        bytesOfOps(graph.functions[f], working[f], ofFunction[f]);
    std::vector<int64_t> called(bytes.size(), -1);
    for (const Frame::Call& call : graph.functions[f].calls) {
      bytes[call.op] += most[call.function];
      called[call.op] = call.function;
    }
    auto peak = std::max_element(bytes.begin(), bytes.end());
    busiest[f] = peak - bytes.begin();
    most[f] = *peak;
    callee[f] = called[busiest[f]];
  }

  PeakMemory memory;
  memory.moment.assign(numFunctions, -1);
  for (int64_t f = 0; f >= 0; f = callee[f]) memory.moment[f] = busiest[f];

  MemoryParts& parts = memory.parts;
  parts.parameters = graph.otherParameterBytes;
  parts.state = graph.otherStateBytes;
  for (const KeptTensor& tensor : graph.kept)
    (tensor.isState ? parts.state : parts.parameters) +=
        keptBytes(tensor,
                  graph.placements[graph.placementAt(
                      tensor.slot, assignment[tensor.slot.decision])],
                  graph.mesh);
  for (auto [flow, used] : llvm::zip(graph.flows, versions)) {
    double& made = flow.kind == Flow::Kind::Input      ? parts.inputs
                   : flow.kind == Flow::Kind::Gradient ? parts.gradients
                                                       : parts.activations;
    for (const FlowVersion& version : used)
      (version.isBoxed ? parts.boxed : made) +=
          bytesAt(version, memory.moment[flow.function]);
  }
  for (auto [bytes, op] : llvm::zip(working, memory.moment))
    if (op >= 0) parts.working += bytes[op];
  memory.bytes = parts.sum();
  return memory;
}

}  // namespace sbp::search
