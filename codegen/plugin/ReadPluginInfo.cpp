#include "codegen/plugin/ReadPluginInfo.h"

#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>

#include "codegen/plugin/OwnBuild.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

namespace sbp::plugin {
namespace {

/// Returns the bytes of the section of PluginInfo, or nullopt if the file has
/// none.
llvm::Expected<std::optional<llvm::StringRef>> findSection(
    const llvm::object::ObjectFile& file) {
  for (const llvm::object::SectionRef& section : file.sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name) return name.takeError();
    if (*name != SBP_PLUGIN_SECTION) continue;
    llvm::Expected<llvm::StringRef> bytes = section.getContents();
    if (!bytes) return bytes.takeError();
    return *bytes;
  }
  return std::nullopt;
}

std::string hexOf(uint64_t hash) {
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

/// Fails if the plug-in was built with other headers or another LLVM than this
/// tool.
llvm::Error checkBuild(const PluginInfo& info) {
  const uint64_t own = ownHeadersHash();
  if (info.headersHash == own &&
      llvm::StringRef(info.llvmVersion) == LLVM_VERSION_STRING)
    return llvm::Error::success();
  return llvm::createStringError(
      "it was built with headers " + hexOf(info.headersHash) + " and LLVM " +
      info.llvmVersion + ", this tool with headers " + hexOf(own) +
      " and LLVM " LLVM_VERSION_STRING
      "; build it again with the headers in include/sbp of this version");
}

}  // namespace

llvm::Expected<PluginInfo> readPluginInfo(const std::string& path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return llvm::createStringError(error.message());
  if (llvm::sys::fs::is_directory(status))
    return llvm::createStringError("it is a folder, not a shared library");
  if (!llvm::sys::fs::is_regular_file(status))
    return llvm::createStringError("it is no regular file");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return llvm::createStringError(buffer.getError().message());
  if (llvm::identify_magic((*buffer)->getBuffer()) !=
      llvm::file_magic::elf_shared_object)
    return llvm::createStringError("it is no shared library");
  auto file = llvm::object::ObjectFile::createELFObjectFile(**buffer);
  if (!file) return file.takeError();
  if ((*file)->getArch() != llvm::Triple::x86_64)
    return llvm::createStringError("it is for another processor than x86-64");

  auto section = findSection(**file);
  if (!section) return section.takeError();
  if (!*section)
    return llvm::createStringError(
        "it does not say what it was built with; define the plug-in by "
        "SBP_DIALECT_PLUGIN(name, version, callback) of "
        "codegen/plugin/Plugin.h, and build it with the headers in "
        "include/sbp of this version");
  PluginInfo info;
  uint32_t infoVersion = 0;
  if ((*section)->size() >= sizeof infoVersion)
    std::memcpy(&infoVersion, (*section)->data(), sizeof infoVersion);
  if (infoVersion != kPluginInfoVersion || (*section)->size() != sizeof info)
    return llvm::createStringError(
        "it says what it was built with as another version of this tool reads "
        "it; build it again with the headers in include/sbp of this version");
  std::memcpy(&info, (*section)->data(), sizeof info);
  // Ends the texts, whatever the section contains.
  for (char* last : {std::end(info.llvmVersion), std::end(info.name),
                     std::end(info.version)})
    last[-1] = '\0';
  if (llvm::Error error = checkBuild(info)) return error;
  return info;
}

}  // namespace sbp::plugin
