#include "codegen/cpu/ProgramTable.h"

#include <cassert>
#include <memory>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "runtime/cpu/Features.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Alignment of texts in bytes. NVIDIA's driver reads machine code for GPUs
/// where it is, as an ELF file, which has numbers of 8 bytes.
constexpr uint64_t kTextAlignment = 16;

/// Defines globals: texts that end with a zero byte, and arrays of pointers.
class TableBuilder {
 public:
  explicit TableBuilder(ModuleOp module)
      : builder_(OpBuilder::atBlockEnd(module.getBody())),
        loc_(module.getLoc()) {}

  void defineText(StringRef name, StringRef text, LLVM::Linkage linkage) {
    const std::string bytes = text.str() + '\0';
    auto type =
        LLVM::LLVMArrayType::get(builder_.getIntegerType(8), bytes.size());
    LLVM::GlobalOp::create(builder_, loc_, type, /*isConstant=*/true, linkage,
                           name, builder_.getStringAttr(bytes), kTextAlignment);
  }

  /// Defines an array of the addresses of `texts`, then `numNulls` null
  /// pointers.
  void defineTexts(const std::string& name, ArrayRef<std::string> texts,
                   size_t numNulls) {
    std::vector<std::string> symbols;
    for (const std::string& text : texts) {
      symbols.push_back(name + "_" + std::to_string(symbols.size()));
      defineText(symbols.back(), text, LLVM::Linkage::Internal);
    }
    symbols.resize(symbols.size() + numNulls);
    defineAddresses(name, symbols);
  }

  /// Defines an array of the addresses of `symbols`; null for an empty name.
  void defineAddresses(StringRef name, ArrayRef<std::string> symbols) {
    OpBuilder::InsertionGuard guard(builder_);
    auto pointer = LLVM::LLVMPointerType::get(builder_.getContext());
    auto type = LLVM::LLVMArrayType::get(pointer, symbols.size());
    auto table = LLVM::GlobalOp::create(
        builder_, loc_, type, /*isConstant=*/true, LLVM::Linkage::External,
        name, /*value=*/Attribute());
    builder_.createBlock(&table.getInitializerRegion());
    Value value = LLVM::UndefOp::create(builder_, loc_, type);
    for (auto [index, symbol] : llvm::enumerate(symbols)) {
      Value address =
          symbol.empty()
              ? LLVM::ZeroOp::create(builder_, loc_, pointer).getResult()
              : LLVM::AddressOfOp::create(builder_, loc_, pointer, symbol)
                    .getResult();
      value = LLVM::InsertValueOp::create(builder_, loc_, value, address,
                                          static_cast<int64_t>(index));
    }
    LLVM::ReturnOp::create(builder_, loc_, value);
  }

 private:
  OpBuilder builder_;
  Location loc_;
};

/// Returns LLVM's name of the CPU of `target`, followed by the names of the
/// instruction sets that kernels for it may use and the runtime can check.
std::vector<std::string> needsOf(const Target& target) {
  std::vector<std::string> needs = {target.cpu};
  const std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(target);
  for (const llvm::SubtargetFeatureKV& feature :
       machine->getMCSubtargetInfo()->getEnabledProcessorFeatures())
    if (isKnownFeature(feature.Key)) needs.push_back(feature.Key);
  return needs;
}

}  // namespace

void defineProgramTable(ModuleOp module, const ProgramTable& table,
                        const Target& target) {
  assert(llvm::all_of(table.kernels,
                      [&](const std::string& kernel) {
                        return module.lookupSymbol(kernel);
                      }) &&
         "the table names a missing kernel");
  TableBuilder builder(module);
  builder.defineText("sbp_plan", table.plan, LLVM::Linkage::External);
  builder.defineAddresses("sbp_kernels", table.kernels);
  builder.defineTexts("sbp_cpu",
                      table.kernels.empty()
                          ? std::vector<std::string>{target.cpu}
                          : needsOf(target),
                      /*numNulls=*/1);
  std::vector<std::string> images;
  for (const GpuImage& image : table.images) {
    images.push_back(image.chip);
    images.push_back(image.code);
  }
  builder.defineTexts("sbp_images", images, /*numNulls=*/2);
}

}  // namespace sbp::cpu
