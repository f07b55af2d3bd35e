#include "codegen/cpu/LinkExecutable.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

extern "C" const char sbp_scrt1_begin[], sbp_scrt1_end[];
extern "C" const char sbp_crti_begin[], sbp_crti_end[];
extern "C" const char sbp_crtn_begin[], sbp_crtn_end[];

namespace sbp::cpu {
namespace {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Bytes in memory under a path that the linker can open.
class MemoryFile {
 public:
  explicit MemoryFile(const ObjectBytes& object) : name_(object.name.str()) {
    descriptor_ = memfd_create(name_.c_str(), MFD_CLOEXEC);
    llvm::StringRef rest = object.bytes;
    while (descriptor_ >= 0 && !rest.empty()) {
      ssize_t written = write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        close(descriptor_);
        descriptor_ = -1;
        return;
      }
      rest = rest.drop_front(written);
    }
  }
  MemoryFile(MemoryFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(other.descriptor_) {
    other.descriptor_ = -1;
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool isOpen() const { return descriptor_ >= 0; }
  const std::string& name() const { return name_; }
  std::string path() const {
    return llvm::formatv("/proc/self/fd/{0}", descriptor_);
  }

 private:
  std::string name_;
  int descriptor_;
};

/// Redirects standard output to a file while it lives. The linker would map any
/// other output into memory, and on a full disk writing to a mapped file is a
/// bus error.
class StandardOutputTo {
 public:
  explicit StandardOutputTo(int descriptor) {
    llvm::outs().flush();
    saved_ = dup(STDOUT_FILENO);
    dup2(descriptor, STDOUT_FILENO);
  }
  ~StandardOutputTo() { (void)end(); }

  /// Restores standard output. Returns the error of a failed write, if there
  /// was one.
  std::error_code end() {
    if (isEnded_) return {};
    isEnded_ = true;
    llvm::outs().flush();
    std::error_code error = llvm::outs().error();
    llvm::outs().clear_error();
    // The process may have had no standard output.
    saved_ >= 0 ? dup2(saved_, STDOUT_FILENO) : close(STDOUT_FILENO);
    if (saved_ >= 0) close(saved_);
    return error;
  }

 private:
  int saved_;
  bool isEnded_ = false;
};

/// Returns a file that is embedded in the compiler.
ObjectBytes embedded(llvm::StringRef name, const char* begin, const char* end) {
  return {name, llvm::StringRef(begin, end - begin)};
}

/// Returns the path of the shared library `name` that this process has loaded;
/// empty if it has not loaded it.
std::string loadedLibrary(const char* name) {
  void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return "";
  llvm::scope_exit close([&] { dlclose(library); });
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map) return "";
  return map->l_name;
}

/// Returns the linker's message with the names that the user knows.
std::string readableMessage(std::string message,
                            llvm::ArrayRef<MemoryFile> files) {
  auto replaceAll = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at = 0; (at = message.find(from, at)) != std::string::npos;
         at += to.size())
      message.replace(at, from.size(), to);
  };
  for (const MemoryFile& file : files) replaceAll(file.path(), file.name());
  replaceAll("ld.lld: error: ", "");
  return llvm::StringRef(message).trim().str();
}

}  // namespace

mlir::LogicalResult linkExecutable(llvm::ArrayRef<ObjectBytes> objects,
                                   llvm::StringRef path, EmitError emitError) {
  auto cannotWrite = [&](std::error_code error) {
    return emitError() << "cannot write '" << path << "': " << error.message();
  };
  if (llvm::sys::fs::is_directory(path))
    return cannotWrite(std::make_error_code(std::errc::is_a_directory));
  // The rename below would replace a device by a file.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return emitError() << "cannot write '" << path
                       << "': it is no regular file";
  // The temporary file is in the folder of the output, so that the rename at
  // the end stays on one file system.
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          path + ".%%%%%%%%", descriptor, temporary, llvm::sys::fs::OF_None,
          llvm::sys::fs::all_all))
    return cannotWrite(error);
  llvm::sys::RemoveFileOnSignal(temporary);
  llvm::scope_exit discard([&] {
    (void)llvm::sys::fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  });
  llvm::scope_exit closeFile([&] { close(descriptor); });

  std::vector<MemoryFile> files;
  files.emplace_back(embedded("Scrt1.o", sbp_scrt1_begin, sbp_scrt1_end));
  files.emplace_back(embedded("crti.o", sbp_crti_begin, sbp_crti_end));
  for (const ObjectBytes& object : objects) files.emplace_back(object);
  files.emplace_back(embedded("crtn.o", sbp_crtn_begin, sbp_crtn_end));

  const std::string libc = loadedLibrary("libc.so.6");
  const std::string loader = loadedLibrary("ld-linux-x86-64.so.2");
  if (libc.empty() || loader.empty())
    return emitError() << "cannot link '" << path
                       << "': this process runs without glibc";

  std::vector<std::string> arguments = {
      "ld.lld",
      "-pie",
      "--eh-frame-hdr",
      "--gc-sections",
      "--strip-debug",
      "-z",
      "relro",
      "-z",
      "now",
      "--hash-style=gnu",
      "--as-needed",
      "--dynamic-linker=/lib64/ld-linux-x86-64.so.2",
      "-o",
      "-"};
  for (const MemoryFile& file : files) {
    if (!file.isOpen())
      return emitError() << "cannot hold '" << file.name()
                         << "' in memory: " << std::strerror(errno);
    arguments.push_back(file.path());
  }
  arguments.push_back(libc);
  arguments.push_back(loader);

  std::vector<const char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(argument.c_str());
  std::string out, err;
  llvm::raw_string_ostream outStream(out), errStream(err);
  StandardOutputTo redirected(descriptor);
  lld::Result result = lld::lldMain(pointers, outStream, errStream,
                                    {{lld::Gnu, &lld::elf::link}});
  std::error_code written = redirected.end();
  if (result.retCode != 0)
    return emitError() << "cannot link '" << path
                       << "': " << readableMessage(err, files);
  if (written) return cannotWrite(written);
  if (std::error_code error = llvm::sys::fs::rename(temporary, path))
    return cannotWrite(error);
  discard.release();
  llvm::sys::DontRemoveFileOnSignal(temporary);
  return mlir::success();
}

}  // namespace sbp::cpu
