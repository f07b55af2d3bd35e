// The texts of an editor, as MLIR's language server may parse them.
//
// The server parses whatever the editor has, at every change, and its parser
// calls itself for what stands in brackets: a text that nests thousands deep
// ends it. So each message of the editor is looked at before the server reads
// it. A text that nests too deep is replaced by one that is wrong at the same
// place: the editor shows an error there, and the server lives on.

#ifndef TOOLS_LSP_SAFETEXTS_H_
#define TOOLS_LSP_SAFETEXTS_H_

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace sbp {

class SafeTexts {
 public:
  /// `message`, one of the Language Server Protocol without its header, as the
  /// server is to get it.
  std::string guarded(llvm::StringRef message);

 private:
  /// Notes the text that a document is opened with, and guards it.
  void open(llvm::json::Object& params);

  /// Notes how a document changes; the server gets all of its new text.
  void change(llvm::json::Object& params);

  std::map<std::string, std::string> texts_;  // by address
};

}  // namespace sbp

#endif  // TOOLS_LSP_SAFETEXTS_H_
