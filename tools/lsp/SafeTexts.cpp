#include "tools/lsp/SafeTexts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dialects/text/Nesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// Returns a text with a syntax error at the position of `fault` in `text`. The
/// error is an unknown op, whose name is the message of the fault.
std::string textThatSays(const TextFault& fault, llvm::StringRef text) {
  const llvm::StringRef before = text.take_front(fault.offset);
  std::string said(before.count('\n'), '\n');
  said.append(fault.offset - (before.rfind('\n') + 1), ' ');
  std::string words = fault.message;
  std::replace_if(
      words.begin(), words.end(),
      [](char letter) { return !llvm::isAlnum(letter); }, '_');
  return said + words;
}

/// Returns `text`, or textThatSays() its fault if it has one.
std::string safe(const std::string& text) {
  const std::optional<TextFault> fault = findTextFault(text);
  return fault ? textThatSays(*fault, text) : text;
}

/// Returns the string `key` of the object `textDocument` in `params`, or null
/// if there is none.
json::Value* textIn(json::Object& params, llvm::StringRef key) {
  json::Object* document = params.getObject("textDocument");
  json::Value* text = document ? document->get(key) : nullptr;
  return text && text->getAsString() ? text : nullptr;
}

}  // namespace

std::string SafeTexts::guarded(llvm::StringRef message) {
  llvm::Expected<json::Value> parsed = json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message.str();
  }
  json::Object* object = parsed->getAsObject();
  std::optional<llvm::StringRef> method =
      object ? object->getString("method") : std::nullopt;
  json::Object* params = object ? object->getObject("params") : nullptr;
  if (!method || !params) return message.str();
  if (*method == "textDocument/didOpen")
    open(*params);
  else if (*method == "textDocument/didChange")
    change(*params);
  else
    return message.str();
  std::string text;
  llvm::raw_string_ostream(text) << *parsed;
  return text;
}

void SafeTexts::open(json::Object& params) {
  json::Value* address = textIn(params, "uri");
  json::Value* text = textIn(params, "text");
  if (!address || !text) return;
  std::string& known = texts_[address->getAsString()->str()];
  known = text->getAsString()->str();
  *text = safe(known);
}

void SafeTexts::change(json::Object& params) {
  json::Value* address = textIn(params, "uri");
  std::vector<lsp::TextDocumentContentChangeEvent> changes;
  json::Path::Root root;
  json::Value* list = params.get("contentChanges");
  if (!address || !list || !json::fromJSON(*list, changes, root)) return;
  std::string& known = texts_[address->getAsString()->str()];
  if (llvm::failed(
          lsp::TextDocumentContentChangeEvent::applyTo(changes, known)))
    return;
  *list = json::Array{json::Object{{"text", safe(known)}}};
}

}  // namespace sbp
