// Tests that text that is nested too deep never reaches the server, and all
// other text does.

#include "tools/lsp/SafeTexts.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

namespace json = llvm::json;

std::string messageOf(const char* method, json::Object params) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  return text;
}

std::string opening(const std::string& text) {
  return messageOf(
      "textDocument/didOpen",
      json::Object{{"textDocument",
                    json::Object{{"uri", "file:///a"}, {"text", text}}}});
}

/// Returns a change that inserts `text` at the beginning of line `line`.
std::string inserting(int line, const std::string& text) {
  const auto place = [&] {
    return json::Object{{"line", line}, {"character", 0}};
  };
  json::Object change{
      {"range", json::Object{{"start", place()}, {"end", place()}}},
      {"text", text}};
  return messageOf(
      "textDocument/didChange",
      json::Object{
          {"textDocument", json::Object{{"uri", "file:///a"}, {"version", 2}}},
          {"contentChanges", json::Array{std::move(change)}}});
}

/// Returns the text of a document that `message` brings to the server.
std::string textIn(const std::string& message) {
  json::Value value = llvm::cantFail(json::parse(message));
  json::Object& params = *value.getAsObject()->getObject("params");
  if (json::Array* changes = params.getArray("contentChanges"))
    return (*changes)[0].getAsObject()->getString("text")->str();
  return params.getObject("textDocument")->getString("text")->str();
}

TEST(SafeTexts, AreWhatTheEditorHas) {
  SafeTexts texts;
  EXPECT_EQ(textIn(texts.guarded(opening("module {\n}\n"))), "module {\n}\n");
  EXPECT_EQ(textIn(texts.guarded(inserting(1, "// one\n"))),
            "module {\n// one\n}\n");
  EXPECT_EQ(texts.guarded("no message"), "no message");
  EXPECT_EQ(texts.guarded("{\"method\":\"exit\"}"), "{\"method\":\"exit\"}");
}

TEST(SafeTexts, SayWhereTheEditorsNestTooDeep) {
  const std::string deep = "a = " + std::string(300, '[');
  const std::string said = "\n" + std::string(4 + 256, ' ') +
                           "the_text_is_nested_257_levels_deep_here__at_most_"
                           "256_are_read";
  SafeTexts texts;
  EXPECT_EQ(textIn(texts.guarded(opening("\n" + deep))), said);
  EXPECT_EQ(textIn(texts.guarded(opening("\n"))), "\n");
  EXPECT_EQ(textIn(texts.guarded(inserting(1, deep))), said);
  EXPECT_EQ(textIn(texts.guarded(inserting(0, "\n"))), "\n" + said);
}

}  // namespace
}  // namespace sbp
