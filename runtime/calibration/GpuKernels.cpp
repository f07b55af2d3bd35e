#include "runtime/calibration/GpuKernels.h"

#include <string_view>
#include <utility>
#include <variant>

#include "runtime/plan/Box.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

extern "C" const char sbp_calibration_plan_begin[], sbp_calibration_plan_end[];
extern "C" const char sbp_calibration_sm_80_begin[],
    sbp_calibration_sm_80_end[];
extern "C" const char sbp_calibration_sm_90a_begin[],
    sbp_calibration_sm_90a_end[];
extern "C" const char sbp_calibration_sm_100a_begin[],
    sbp_calibration_sm_100a_end[];

namespace sbp::calibration {
namespace {

/// Returns the text between two addresses, of which a zero byte is the end.
std::string_view text(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin) - 1};
}

/// Returns the run of an entry that is one kernel on two operands.
GpuKernel runOf(const plan::Plan& plan, const plan::EntryProgram& entry,
                const plan::KernelTask& task) {
  const plan::Kernel& kernel = plan.kernels[task.kernel];
  const plan::LocalType& left = kernel.operands[0];
  const plan::LocalType& right = kernel.operands[1];
  GpuKernel run;
  run.isProduct = kernel.op == "nn.einsum";
  run.kernel = task.kernel;
  run.type = left.elementType;
  run.buffers = task.buffers;
  run.arenaBytes = entry.arenaBytes;
  const auto numElements = static_cast<double>(plan::numElements(left.shape));
  run.flops = run.isProduct
                  ? 2 * numElements * static_cast<double>(right.shape.back())
                  : numElements;
  const auto width = static_cast<double>(plan::byteWidth(run.type));
  run.tensorBytes = static_cast<int64_t>(numElements * width);
  run.bytes = 3 * numElements * width;
  return run;
}

}  // namespace

absl::StatusOr<GpuKernels> GpuKernels::load() {
  SBP_ASSIGN_OR_RETURN(plan::Plan plan,
                       plan::fromJson(text(sbp_calibration_plan_begin,
                                           sbp_calibration_plan_end)));
  GpuKernels result;
  for (const plan::EntryProgram& entry : plan.programs.front().entries) {
    if (entry.tasks.size() != 1) continue;
    const auto* task = std::get_if<plan::KernelTask>(&entry.tasks.front());
    if (task && plan.kernels[task->kernel].operands.size() == 2)
      result.runs.push_back(runOf(plan, entry, *task));
  }
  result.kernels = std::move(plan.kernels);
  result.images = {
      {"sm_100a",
       text(sbp_calibration_sm_100a_begin, sbp_calibration_sm_100a_end)},
      {"sm_90a",
       text(sbp_calibration_sm_90a_begin, sbp_calibration_sm_90a_end)},
      {"sm_80", text(sbp_calibration_sm_80_begin, sbp_calibration_sm_80_end)}};
  return result;
}

}  // namespace sbp::calibration
