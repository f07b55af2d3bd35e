// Reading a JSON text of a known form without a check after every step.
//
// A cursor is a value of the text and the way to it. Stepping to a field that
// is not there, or reading a number where a string stands, records an error
// that names the way,
//
//   programs[0].entries[1].tasks[7].kernel: expected an integer, found "three"
//
// and yields an empty value, so that the reader's code has the shape of what it
// reads. The first error is kept; whoever made the root cursor looks at it
// once, at the end, and uses nothing of what was read if there is one.

#ifndef RUNTIME_JSON_CURSOR_H_
#define RUNTIME_JSON_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace sbp::json {

/// An object keeps the order of its fields: what is written reads as it was
/// meant.
using Value = nlohmann::ordered_json;

/// Parses `text`; fails with the place at which it stops being JSON.
absl::StatusOr<Value> parse(std::string_view text);

/// Text of `value` for people: what fits into a line stands in one line, what
/// does not is broken at its elements and indented.
std::string format(const Value& value);

class Cursor {
 public:
  /// The root. `status` receives the first error; it and `value` must outlive
  /// every cursor that steps from here.
  Cursor(const Value& value, absl::Status& status)
      : value(&value), status(&status) {}

  // A cursor points at the cursor it stepped from.
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// The field `key` of an object. The key must outlive the cursor.
  Cursor operator[](std::string_view key) const { return Cursor(*this, key); }

  /// True if this is an object with a field `key`.
  bool has(std::string_view key) const;

  /// The keys of an object, in the order of the text.
  std::vector<std::string> keys() const;

  std::string string() const;
  int64_t integer() const;
  double number() const;
  bool boolean() const;
  std::vector<int64_t> integers() const;

  /// What `read` makes of each element of an array.
  template <typename Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> result;
    const size_t count = arraySize();
    result.reserve(count);
    for (size_t index = 0; index < count; ++index)
      result.push_back(read(Cursor(*this, index)));
    return result;
  }

  /// Elements of an array.
  size_t arraySize() const;

  /// What `parse` (string_view -> optional) makes of a string; `expected` says
  /// what it accepts.
  template <typename Parse>
  auto parsed(Parse parse, std::string_view expected) const {
    const std::string text = string();
    auto result = parse(text);
    if (!result) failExpected(expected);
    return result.value_or(typename decltype(result)::value_type());
  }

  /// Records `message` as an error at this value, unless there is one already.
  void fail(std::string_view message) const;

 private:
  Cursor(const Cursor& parent, std::string_view key);
  Cursor(const Cursor& parent, size_t index);

  void failExpected(std::string_view expected) const;
  std::string path() const;

  const Value* value = nullptr;  // null: an error was recorded on the way here
  absl::Status* status;
  const Cursor* parent = nullptr;
  std::string_view key;
  size_t index = 0;
};

}  // namespace sbp::json

#endif  // RUNTIME_JSON_CURSOR_H_
