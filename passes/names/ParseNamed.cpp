#include "passes/names/ParseNamed.h"

#include <string>
#include <vector>

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "passes/names/Names.h"

namespace sbp {
namespace {

using Text = mlir::AsmParserState;

StringRef textOf(llvm::SMRange range) {
  const char* begin = range.Start.getPointer();
  return StringRef(begin, range.End.getPointer() - begin);
}

/// Names the results of an op. Results may form groups with one name: `%x:2`
/// names "%x#0" and "%x#1".
void nameOp(const Text::OperationDefinition& definition) {
  Operation* op = definition.op;
  if (definition.resultGroups.size() == 1)
    return op->setLoc(
        named(textOf(definition.resultGroups[0].definition.loc), op->getLoc()));
  std::vector<std::string> names;
  for (size_t i = 0; i < definition.resultGroups.size(); ++i) {
    const auto& group = definition.resultGroups[i];
    unsigned end = i + 1 < definition.resultGroups.size()
                       ? definition.resultGroups[i + 1].startIndex
                       : op->getNumResults();
    StringRef text = textOf(group.definition.loc);
    for (unsigned result = group.startIndex; result < end; ++result)
      names.push_back(
          end - group.startIndex == 1
              ? text.str()
              : (text + "#" + llvm::Twine(result - group.startIndex)).str());
  }
  if (!names.empty()) nameResults(op, names);
}

void nameTensors(const Text& text) {
  for (const Text::OperationDefinition& op : text.getOpDefs()) nameOp(op);
  for (const Text::BlockDefinition& block : text.getBlockDefs())
    for (auto [argument, definition] :
         llvm::zip(block.block->getArguments(), block.arguments))
      if (definition.loc.isValid())
        argument.setLoc(named(textOf(definition.loc), argument.getLoc()));
}

}  // namespace

mlir::OwningOpRef<ModuleOp> parseNamed(MLIRContext& context,
                                       const llvm::SourceMgr& sources) {
  const llvm::MemoryBuffer& file =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (mlir::isBytecode(file))
    return mlir::parseSourceFile<ModuleOp>(sources, &context);
  mlir::Block block;
  Text text;
  if (failed(mlir::parseAsmSourceFile(sources, &block,
                                      mlir::ParserConfig(&context), &text)))
    return {};
  nameTensors(text);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, &context,
      mlir::FileLineColLoc::get(&context, file.getBufferIdentifier(), 0, 0));
}

}  // namespace sbp
