#include "passes/search/allocation/ChainFiles.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "passes/search/allocation/ProfileGraph.h"
#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

using json::Cursor;

constexpr double kMegabyte = 1e6;

/// Returns the field `name`, or `name` with its unit.
std::string fieldOf(const Cursor& object, const std::string& name,
                    const std::string& unit) {
  const std::string withUnit = name + "_" + unit;
  return object.has(withUnit) ? withUnit : name;
}

std::vector<double> numbersOf(const Cursor& list, double unit) {
  return list.list([&](const Cursor& value) { return unit * value.number(); });
}

ChainFile readObject(const Cursor& object) {
  ChainFile file;
  auto numbers = [&](const std::string& name, const std::string& unit) {
    return numbersOf(object[fieldOf(object, name, unit)],
                     unit == "MB" ? kMegabyte : 1);
  };
  file.chain.forward = numbers("uF", "ms");
  file.chain.backward = numbers("uB", "ms");
  file.chain.weights = numbers("W", "MB");
  file.chain.cuts = numbers("a", "MB");
  if (!file.chain.cuts.empty())
    file.chain.outputs.assign(file.chain.cuts.begin() + 1,
                              file.chain.cuts.end());
  if (object.has("P")) file.processors = object["P"].integer();
  const std::string memory = fieldOf(object, "M", "MB");
  if (object.has(memory)) file.memory = kMegabyte * object[memory].number();
  const std::string bandwidth = fieldOf(object, "beta", "MB_per_ms");
  if (object.has(bandwidth))
    file.bandwidth = kMegabyte * object[bandwidth].number();
  return file;
}

ChainFile readInstance(const Cursor& value) {
  return value.has("inputs") ? readObject(value["inputs"]) : readObject(value);
}

absl::StatusOr<ChainFile> readJson(std::string_view text,
                                   std::optional<int64_t> instance) {
  SBP_ASSIGN_OR_RETURN(const json::Value value, json::parse(text));
  absl::Status status;
  const Cursor root(value, status);
  ChainFile file;
  if (value.is_array()) {
    const auto count = static_cast<int64_t>(value.size());
    if (!instance && count != 1)
      return error("the file has {} chains; --instance chooses one, from 0",
                   count);
    const int64_t chosen = instance.value_or(0);
    if (chosen >= count)
      return error("--instance is {}, and the file has {} chains, from 0",
                   chosen, count);
    int64_t index = 0;
    root.list([&](const Cursor& element) {
      if (index++ == chosen) file = readInstance(element);
      return 0;
    });
  } else {
    if (instance && *instance > 0)
      return error("--instance is {}, and the file has one chain", *instance);
    file = readInstance(root);
  }
  if (!status.ok()) return status;
  return file;
}

/// Splits a line of CSV. A cell in quotes may have commas.
std::vector<std::string> cellsOf(std::string_view line) {
  std::vector<std::string> cells(1);
  bool isQuoted = false;
  for (char c : line) {
    if (c == '"')
      isQuoted = !isQuoted;
    else if (c == ',' && !isQuoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

absl::StatusOr<ChainFile> readCsv(std::string_view text) {
  ChainFile file;
  LayerChain& chain = file.chain;
  chain.cuts = {0};
  const std::pair<std::string_view, std::vector<double>*> columns[] = {
      {"fwd_ms", &chain.forward},
      {"bwd_ms", &chain.backward},
      {"weight_bytes", &chain.weights},
      {"cut_bytes_after", &chain.cuts},
      {"act_bytes", &chain.outputs}};
  std::map<std::string, size_t> indices;
  int64_t number = 0;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (line.trim().empty()) continue;
    const std::vector<std::string> cells = cellsOf(line);
    if (indices.empty()) {
      for (size_t i = 0; i < cells.size(); ++i) indices.emplace(cells[i], i);
      for (const auto& [name, values] : columns)
        if (indices.count(std::string(name)) == 0)
          return error("line {}: there is no column {}", number, name);
      continue;
    }
    for (const auto& [name, values] : columns) {
      const size_t index = indices[std::string(name)];
      double value = 0;
      if (index >= cells.size() ||
          llvm::StringRef(cells[index]).getAsDouble(value))
        return error("line {}: column {} has '{}' where a number is needed",
                     number, name, index < cells.size() ? cells[index] : "");
      values->push_back(value);
    }
    const auto node = indices.find("node");
    if (node != indices.end() && node->second < cells.size())
      chain.names.push_back(cells[node->second]);
  }
  return file;
}

}  // namespace

absl::StatusOr<ChainFile> readChain(std::string_view text,
                                    std::optional<int64_t> instance) {
  const llvm::StringRef body = llvm::StringRef(text).ltrim();
  if (body.empty()) return error("the file is empty");
  absl::StatusOr<ChainFile> file;
  const bool isJson = body[0] == '{' || body[0] == '[';
  if (isJson) {
    file = readJson(text, instance);
  } else if (instance && *instance > 0) {
    return error("--instance is {}, and the file has one chain", *instance);
  } else if (body.starts_with("pos,")) {
    file = readCsv(text);
  } else {
    SBP_ASSIGN_OR_RETURN(LayerChain chain, readProfile(text));
    file = ChainFile{std::move(chain), {}, {}, {}};
  }
  if (!file.ok()) return file;
  SBP_RETURN_IF_ERROR(file->chain.check());
  return file;
}

}  // namespace sbp::search
