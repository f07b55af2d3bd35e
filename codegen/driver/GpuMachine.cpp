#include "codegen/driver/GpuMachine.h"

#include "dialects/sbp/Sbp.h"
#include "llvm/Support/ErrorHandling.h"
#include "mlir/Parser/Parser.h"

extern "C" const char sbp_a100_node_begin[], sbp_a100_node_end[];
extern "C" const char sbp_h100_node_begin[], sbp_h100_node_end[];
extern "C" const char sbp_b200_node_begin[], sbp_b200_node_end[];

namespace sbp {
namespace {

StringRef text(const char* begin, const char* end) {
  return StringRef(begin, end - begin);
}

/// Returns the text of the machine file of a node with `chip`.
StringRef fileOf(const cuda::Chip& chip) {
  if (chip.name == "sm_80") return text(sbp_a100_node_begin, sbp_a100_node_end);
  if (chip.name == "sm_90a")
    return text(sbp_h100_node_begin, sbp_h100_node_end);
  if (chip.name == "sm_100a")
    return text(sbp_b200_node_begin, sbp_b200_node_end);
  llvm::report_fatal_error("a chip without a machine");
}

}  // namespace

mlir::OwningOpRef<ModuleOp> nodeOf(const cuda::Chip& chip,
                                   MLIRContext* context) {
  context->loadDialect<SbpDialect>();
  return mlir::parseSourceString<ModuleOp>(fileOf(chip), context);
}

MachineOp machineOf(ModuleOp file) { return *file.getOps<MachineOp>().begin(); }

void addGpuMachine(ModuleOp module, const cuda::Chip& chip, int64_t numRanks) {
  MLIRContext* context = module.getContext();
  mlir::OwningOpRef<ModuleOp> file = nodeOf(chip, context);
  MachineOp node = machineOf(*file);
  auto level = llvm::cast<LevelAttr>(node.getLevels()[0]);
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  MachineOp::create(
      builder, module.getLoc(), node.getSymNameAttr(),
      builder.getArrayAttr(LevelAttr::get(context, level.getName(), numRanks,
                                          level.getAlpha(), level.getBeta())),
      node.getDeviceAttr());
}

}  // namespace sbp
