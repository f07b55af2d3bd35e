// Reading of JSON whose form is known, without an error check after every step.
//
// A cursor is a value of the JSON text together with its path. A step to a
// field that does not exist, or an attempt to read a string as a number,
// records an error with the path,
//
//   programs[0].entries[1].tasks[7].kernel: expected an integer, found "three"
//
// and yields an empty value, so that the code that reads has the same structure
// as the data. Only the first error is kept. The caller that created the root
// cursor checks the status once, at the end, and discards all values if it is
// an error.

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

/// A JSON value. Objects keep the order of their fields, so that they are
/// written as they were built.
using Value = nlohmann::ordered_json;

/// Parses `text`. Fails with the position of the first mistake.
absl::StatusOr<Value> parse(std::string_view text);

/// Formats `value` for people: a value that fits into a line of 100 characters
/// is written in one line; a longer value has a line per element, indented. A
/// longer list of numbers has as many numbers in a line as fit.
std::string format(const Value& value);

/// A value of a JSON text and its path, as described above.
class Cursor {
 public:
  /// Creates the root. `status` receives the first error. `value` and `status`
  /// must outlive this cursor and every cursor made from it.
  Cursor(const Value& value, absl::Status& status)
      : value(&value), status(&status) {}

  // Not copyable, because a cursor keeps a pointer to the cursor of the value
  // that contains its value.
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Returns a cursor to the field `key` of an object. The text of `key` and
  /// this cursor must outlive the result.
  Cursor operator[](std::string_view key) const { return Cursor(*this, key); }

  /// Whether this is an object with a field `key`.
  bool has(std::string_view key) const;

  /// Returns the keys of an object, in the order of the text. Records an error
  /// and returns none if this is not an object.
  std::vector<std::string> keys() const;

  /// Returns the value if it has the type. Otherwise records an error and
  /// returns "", 0, false or an empty list.
  std::string string() const;
  int64_t integer() const;
  double number() const;
  bool boolean() const;
  std::vector<int64_t> integers() const;

  /// Returns the result of `read` for each element of an array. Records an
  /// error and returns none if this is not an array.
  template <typename Read>
  auto list(Read read) const {
    std::vector<decltype(read(*this))> result;
    const size_t count = arraySize();
    result.reserve(count);
    for (size_t index = 0; index < count; ++index)
      result.push_back(read(Cursor(*this, index)));
    return result;
  }

  /// Returns the number of elements of an array. Records an error and returns 0
  /// if this is not an array.
  size_t arraySize() const;

  /// Returns the result of `parse` (string_view -> optional) for a string. If
  /// `parse` returns nullopt, records an error, in which `expected` lists the
  /// accepted strings, and returns a default value.
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

  const Value* value = nullptr;  // null: an error has been recorded
  absl::Status* status;
  const Cursor* parent = nullptr;
  std::string_view key;
  size_t index = 0;
};

}  // namespace sbp::json

#endif  // RUNTIME_JSON_CURSOR_H_
