// Texts of an editor, made safe for MLIR's language server.
//
// The server parses the text of the editor after every change, and its parser
// is recursive: a text with brackets nested thousands deep overflows the stack.
// Therefore each message of the editor is checked before the server reads it. A
// text that is nested too deep is replaced by one with a syntax error at the
// same position, so that the editor shows an error there, and the server goes
// on.

#ifndef TOOLS_LSP_SAFETEXTS_H_
#define TOOLS_LSP_SAFETEXTS_H_

#include <map>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace sbp {

/// The documents that an editor has open.
class SafeTexts {
 public:
  /// Returns the message to pass to the server for `message`, a message of the
  /// Language Server Protocol without its header. Only messages that open or
  /// change a document are changed.
  std::string guarded(llvm::StringRef message);

 private:
  /// Stores the text of a document that is opened, and replaces it in `params`
  /// if it is nested too deep.
  void open(llvm::json::Object& params);

  /// Applies the changes of a document to the stored text. In `params`,
  /// replaces the changes by the whole new text, or by a safe text if the new
  /// text is nested too deep.
  void change(llvm::json::Object& params);

  std::map<std::string, std::string> texts_;  // by URI
};

}  // namespace sbp

#endif  // TOOLS_LSP_SAFETEXTS_H_
