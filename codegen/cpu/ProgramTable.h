// The symbols by which the runtime finds the plan and the kernels of a program
// (runtime/Abi.h).

#ifndef CODEGEN_CPU_PROGRAMTABLE_H_
#define CODEGEN_CPU_PROGRAMTABLE_H_

#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Kernels for GPUs, as text in PTX or as machine code, an ELF file.
struct GpuImage {
  std::string chip;  // the oldest chip that runs the kernels: "sm_80"
  std::string code;
};

/// The parts of a program other than the code of its kernels.
struct ProgramTable {
  std::string plan;                  // as JSON
  std::vector<std::string> kernels;  // symbols of kernels for CPUs
  std::vector<GpuImage> images;
};

/// Adds the symbols to `module`, which is a result of lowerToLlvm for `target`
/// and must define each of the table's kernels:
///
///   sbp_plan      the plan, terminated by a zero byte
///   sbp_kernels   the addresses of the kernels
///   sbp_cpu       LLVM's name of the CPU; the names of the instruction sets
///                 that kernels may use and the runtime can check, if there are
///                 kernels; a null pointer
///   sbp_images    the addresses of the chip and the code of each image; two
///                 null pointers
void defineProgramTable(mlir::ModuleOp module, const ProgramTable& table,
                        const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_PROGRAMTABLE_H_
