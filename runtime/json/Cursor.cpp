#include "runtime/json/Cursor.h"

#include <algorithm>
#include <limits>

#include "fmt/format.h"
#include "runtime/status/Status.h"

namespace sbp::json {
namespace {

constexpr size_t kLineWidth = 100;

/// Formats `value` in one line. Stops soon after kLineWidth characters, which
/// is more than any caller shows.
std::string oneLine(const Value& value) {
  if (value.is_array() || value.is_object()) {
    std::string text;
    for (const auto& [key, element] : value.items()) {
      if (!text.empty()) text += ", ";
      if (value.is_object()) text += Value(key).dump() + ": ";
      text += oneLine(element);
      if (text.size() > kLineWidth) break;
    }
    return value.is_array() ? "[" + text + "]" : "{" + text + "}";
  }
  return value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

/// Appends the numbers of `list` to `text`, as many in a line as fit at
/// `indent`.
void formatNumbers(const Value& list, size_t indent, std::string& text) {
  const std::string margin(indent + 1, ' ');
  std::string line;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string number =
        oneLine(list[i]) + (i + 1 < list.size() ? "," : "");
    if (i > 0 && margin.size() + line.size() + 1 + number.size() > kLineWidth) {
      text += "\n" + margin + line;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + number;
  }
  text += "\n" + margin + line;
}

/// Appends `value` to `text`, in one line if it fits at `indent`, else with a
/// line per element, or lines full of numbers.
void formatTo(const Value& value, size_t indent, std::string& text) {
  const std::string line = oneLine(value);
  const bool isNested = value.is_array() || value.is_object();
  if (!isNested || line.size() + indent <= kLineWidth) {
    text += line;
    return;
  }
  if (value.is_array() &&
      std::all_of(value.begin(), value.end(),
                  [](const Value& element) { return element.is_number(); })) {
    text += "[";
    formatNumbers(value, indent, text);
    text += "\n" + std::string(indent, ' ') + "]";
    return;
  }
  const std::string margin(indent + 1, ' ');
  text += value.is_array() ? "[" : "{";
  bool isFirst = true;
  for (const auto& [key, element] : value.items()) {
    text += isFirst ? "\n" + margin : ",\n" + margin;
    isFirst = false;
    if (value.is_object()) text += Value(key).dump() + ": ";
    formatTo(element, indent + 1, text);
  }
  text += "\n" + std::string(indent, ' ') + (value.is_array() ? "]" : "}");
}

}  // namespace

absl::StatusOr<Value> parse(std::string_view text) {
  try {
    return Value::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    // Skip the library's own tag, "[json.exception...] ".
    const std::string_view text = exception.what();
    return sbp::error("{}", text.substr(text.find(' ') + 1));
  }
}

std::string format(const Value& value) {
  std::string text;
  formatTo(value, 0, text);
  return text;
}

Cursor::Cursor(const Cursor& parent, std::string_view key)
    : status(parent.status), parent(&parent), key(key) {
  if (!parent.value) return;
  if (!parent.value->is_object()) {
    parent.failExpected("an object");
  } else if (!parent.has(key)) {
    parent.fail(fmt::format("has no field \"{}\"", key));
  } else {
    value = &parent.value->at(std::string(key));
  }
}

Cursor::Cursor(const Cursor& parent, size_t index)
    : value(&(*parent.value)[index]),
      status(parent.status),
      parent(&parent),
      index(index) {}

bool Cursor::has(std::string_view key) const {
  return value && value->is_object() && value->contains(std::string(key));
}

std::vector<std::string> Cursor::keys() const {
  std::vector<std::string> result;
  if (!value) return result;
  if (!value->is_object()) {
    failExpected("an object");
    return result;
  }
  for (const auto& [key, element] : value->items()) result.push_back(key);
  return result;
}

size_t Cursor::arraySize() const {
  if (!value) return 0;
  if (value->is_array()) return value->size();
  failExpected("an array");
  return 0;
}

std::string Cursor::string() const {
  if (!value) return {};
  if (value->is_string()) return value->get<std::string>();
  failExpected("a string");
  return {};
}

int64_t Cursor::integer() const {
  if (!value) return 0;
  const bool isTooLarge =
      value->is_number_unsigned() &&
      value->get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max());
  if (value->is_number_integer() && !isTooLarge) return value->get<int64_t>();
  failExpected("an integer");
  return 0;
}

double Cursor::number() const {
  if (!value) return 0;
  if (value->is_number()) return value->get<double>();
  failExpected("a number");
  return 0;
}

bool Cursor::boolean() const {
  if (!value) return false;
  if (value->is_boolean()) return value->get<bool>();
  failExpected("true or false");
  return false;
}

std::vector<int64_t> Cursor::integers() const {
  return list([](const Cursor& element) { return element.integer(); });
}

void Cursor::fail(std::string_view message) const {
  if (!status->ok()) return;
  const std::string where = path();
  *status = absl::InvalidArgumentError(
      where.empty() ? std::string(message)
                    : fmt::format("{}: {}", where, message));
}

void Cursor::failExpected(std::string_view expected) const {
  if (!value) return;
  std::string found = oneLine(*value);
  if (found.size() > 40) found = found.substr(0, 40) + "...";
  fail(fmt::format("expected {}, found {}", expected, found));
}

std::string Cursor::path() const {
  if (!parent) return {};
  const std::string way = parent->path();
  if (key.empty()) return fmt::format("{}[{}]", way, index);
  return way.empty() ? std::string(key) : fmt::format("{}.{}", way, key);
}

}  // namespace sbp::json
