#include "codegen/driver/LaunchCounts.h"

#include <algorithm>

#include "codegen/driver/LocalForm.h"
#include "codegen/plan/BuildPlan.h"
#include "codegen/plan/KernelRuns.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/plan/Plan.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

int64_t launchesOf(const plan::Plan& plan, const plan::EntryProgram& entry) {
  int64_t launches = 0;
  for (auto [kernel, runs] : kernelRuns(entry))
    launches +=
        runs * static_cast<int64_t>(plan.kernels[kernel].launches.size());
  return launches;
}

}  // namespace

LaunchCounts LaunchCounts::of(mlir::ModuleOp module, Backend& backend) {
  if (backend.kind() == DeviceKind::Cpu) return {};
  mlir::OwningOpRef<ModuleOp> local = localFormOf(module);
  if (!local) return {};
  mlir::ScopedDiagnosticHandler silently(module.getContext(),
                                         [](mlir::Diagnostic&) {});
  FailureOr<plan::Plan> plan =
      buildPlan(*local, "launches", backend.startKernels(*module.getContext()));
  if (failed(plan)) return {};
  LaunchCounts counts;
  for (const plan::Program& program : plan->programs)
    for (auto [number, entry] : llvm::enumerate(program.entries)) {
      int64_t& most = counts.byEntry_[plan->entries[number].name];
      most = std::max(most, launchesOf(*plan, entry));
    }
  return counts;
}

std::optional<int64_t> LaunchCounts::in(const std::string& entry) const {
  auto known = byEntry_.find(entry);
  if (known == byEntry_.end()) return std::nullopt;
  return known->second;
}

std::string LaunchCounts::text(const std::string& entry) const {
  const std::optional<int64_t> launches = in(entry);
  if (!launches) return "";
  return fmt::format("A device launches {}.\n",
                     text::counted(*launches, "kernel"));
}

}  // namespace sbp
