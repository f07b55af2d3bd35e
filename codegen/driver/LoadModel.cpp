#include "codegen/driver/LoadModel.h"

#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/text/ReadModule.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/module/VerifyTensors.h"
#include "passes/names/ParseNamed.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

mlir::OwningOpRef<ModuleOp> read(ModelContext& context, StringRef path) {
  llvm::SourceMgr sources;
  if (failed(openModule(path, sources, &context.get()))) return {};
  // Standard input and pipes cannot be read again for errors that come later.
  const llvm::MemoryBuffer* text =
      sources.getMemoryBuffer(sources.getMainFileID());
  context.sources().AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text->getBuffer(),
                                           text->getBufferIdentifier()),
      llvm::SMLoc());
  return parseNamed(context.get(), sources);
}

/// Moves the machines and meshes of `from` to the beginning of `module`, in
/// their order; they replace those of the same names.
LogicalResult takeMachine(ModuleOp module, ModuleOp from) {
  bool hasMachine = false;
  Operation* last = nullptr;
  for (Operation& op : llvm::make_early_inc_range(*from.getBody())) {
    if (!llvm::isa<MachineOp, MeshOp>(op))
      return op.emitOpError()
             << "does not belong in a machine file, which defines sbp.machine "
                "and sbp.mesh";
    hasMachine |= llvm::isa<MachineOp>(op);
    auto name = mlir::SymbolTable::getSymbolName(&op);
    if (Operation* old = module.lookupSymbol(name)) {
      if (!llvm::isa<MachineOp, MeshOp>(old))
        return old->emitOpError() << "has the name @" << name.getValue()
                                  << ", which the machine file defines too";
      old->erase();
    }
    if (last)
      op.moveAfter(last);
    else
      op.moveBefore(module.getBody(), module.getBody()->begin());
    last = &op;
  }
  if (hasMachine) return success();
  return from.emitError() << "the machine file defines no sbp.machine";
}

/// Fails with a diagnostic if the model has no entry.
LogicalResult hasEntry(ModuleOp module) {
  for (Operation& op : *module.getBody())
    if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
        llvm::isa<rank::ProgramOp>(op) || (function && function.isPublic()))
      return success();
  return module.emitError()
         << "the module has no entry; an entry is a func.func "
            "that is not private";
}

LogicalResult checkRanks(MachineOp machine, int64_t numRanks) {
  int64_t devices = 1;
  for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>())
    devices *= level.getCount();
  if (devices == numRanks) return success();
  return machine.emitOpError()
         << "has " << text::counted(devices, "device") << ", but "
         << text::counted(numRanks, "rank") << (numRanks == 1 ? " is" : " are")
         << " asked for by -n";
}

}  // namespace

mlir::OwningOpRef<ModuleOp> loadModel(
    ModelContext& context, const ModelSource& source,
    llvm::function_ref<void(ModuleOp, int64_t)> addMachine) {
  mlir::OwningOpRef<ModuleOp> module = read(context, source.path);
  if (!module || failed(hasEntry(*module)) || failed(verifyTensors(*module)))
    return {};
  if (!module->getName()) module->setName(llvm::sys::path::stem(source.path));
  if (!source.machinePath.empty()) {
    mlir::OwningOpRef<ModuleOp> machine = read(context, source.machinePath);
    if (!machine || failed(takeMachine(*module, *machine))) return {};
  }
  if (source.isForHost) {
    mlir::OwningOpRef<ModuleOp> machine =
        ModuleOp::create(mlir::UnknownLoc::get(&context.get()));
    addMachine(*machine, source.numRanks);
    if (failed(takeMachine(*module, *machine))) return {};
  }
  auto machines = module->getOps<MachineOp>();
  if (machines.empty()) addMachine(*module, source.numRanks);
  if (source.numRanks > 0)
    for (MachineOp machine : machines)
      if (failed(checkRanks(machine, source.numRanks))) return {};
  return module;
}

}  // namespace sbp
