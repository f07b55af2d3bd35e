#include "codegen/driver/Summary.h"

#include <algorithm>

#include "codegen/driver/FusedTimes.h"
#include "codegen/driver/Quantities.h"
#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/explain/Explanation.h"
#include "passes/explain/PipelineExplanation.h"
#include "passes/module/PlacedTypes.h"
#include "passes/placement/Target.h"
#include "passes/stages/Stages.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/main/StartExample.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp {
namespace {

using mlir::failed;

/// Returns the bytes of the largest arena of entry `name`.
int64_t arenaBytesOf(const plan::Plan& plan, StringRef name) {
  int64_t most = 0;
  for (size_t i = 0; i < plan.entries.size(); ++i) {
    if (plan.entries[i].name != name) continue;
    for (const plan::Program& program : plan.programs)
      most = std::max(most, program.entries[i].arenaBytes);
  }
  return most;
}

}  // namespace

std::optional<PredictedTime> predictTime(ModuleOp boxed, StringRef mesh) {
  mlir::ScopedDiagnosticHandler silently(boxed.getContext(),
                                         [](mlir::Diagnostic&) {});
  FailureOr<Target> target = chooseTarget(boxed, mesh);
  FailureOr<PlacedMeshes> meshes = placedMeshesOf(boxed);
  if (failed(target) || failed(meshes)) return std::nullopt;
  const Device device = target->deviceOrAssumed(boxed);
  std::optional<PredictedTime> longest;
  const auto note = [&](const std::string& entry, double seconds) {
    if (!longest || seconds > longest->seconds) longest = {entry, seconds};
  };
  const KernelShares shares = kernelSharesIn(boxed, device);
  if (!stagesOf(boxed)) {
    const FailureOr<Explanation> explanation =
        explain(boxed, *meshes, device, shares);
    if (failed(explanation)) return std::nullopt;
    for (const ExplainedEntry& entry : explanation->entries)
      note(entry.name, entry.computing() + entry.communicating());
    return longest;
  }
  FailureOr<PipelineExplanation> pipeline =
      explainPipeline(boxed, *meshes, device, shares);
  if (failed(pipeline)) return std::nullopt;
  for (const ExplainedRun& run : pipeline->runs) note(run.entry, run.seconds);
  return longest;
}

std::string summaryOf(const plan::Plan& plan, const std::string& path,
                      const std::optional<PredictedTime>& predicted,
                      const std::string& code) {
  const program::StartExample example = program::startExampleOf(plan, path);
  std::string lines = fmt::format("{}: a program for {}\n", path,
                                  text::counted(plan.numRanks(), "rank"));
  if (predicted)
    lines += fmt::format(
        "  {} takes {} by the machine's prices, and {} per rank\n",
        text::printable(predicted->entry), secondsText(predicted->seconds),
        bytes::toText(double(arenaBytesOf(plan, predicted->entry))));
  if (!code.empty()) lines += fmt::format("  {}\n", text::printable(code));
  return lines + fmt::format("  {}{}    starts it; --help lists its options\n",
                             example.launch, example.data);
}

}  // namespace sbp
