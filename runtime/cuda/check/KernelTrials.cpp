#include "runtime/cuda/check/KernelTrials.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "runtime/json/Cursor.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

json::Value toJson(const plan::Launch& launch) {
  json::Value value;
  value["function"] = launch.function;
  value["blocks"] = launch.blocks;
  value["threads"] = launch.threads;
  return value;
}

plan::Launch readLaunch(const json::Cursor& json) {
  plan::Launch launch;
  launch.function = json["function"].string();
  launch.blocks = json["blocks"].integer();
  launch.threads = json["threads"].integer();
  return launch;
}

}  // namespace

absl::Status KernelTrials::write(const std::string& path) const {
  json::Value header;
  std::string bytes;
  header["name"] = name;
  for (const Code& image : code) {
    json::Value value;
    value["chip"] = image.chip;
    value["ptx"] = image.ptx;
    header["code"].push_back(std::move(value));
  }
  for (const KernelTrial& trial : all) {
    json::Value value;
    value["name"] = trial.name;
    for (const plan::Launch& launch : trial.launches)
      value["launches"].push_back(toJson(launch));
    for (const TrialBuffer& buffer : trial.buffers) {
      json::Value its;
      its["type"] =
          buffer.type ? std::string(plan::toString(*buffer.type)) : "";
      its["bytes"] = buffer.before.size();
      value["buffers"].push_back(std::move(its));
      bytes += buffer.before;
      bytes += buffer.after;
    }
    header["trials"].push_back(std::move(value));
  }
  const std::string text = header.dump();
  std::ofstream file(path, std::ios::binary);
  file << text.size() << '\n' << text << bytes;
  file.close();
  if (!file) return error("{} cannot be written", path);
  return absl::OkStatus();
}

absl::StatusOr<KernelTrials> KernelTrials::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  const size_t line = all.find('\n');
  const size_t length = std::strtoull(all.c_str(), nullptr, 10);
  if (line == std::string::npos || length > all.size() - line - 1)
    return error("{} is damaged", path);
  size_t next = line + 1 + length;
  absl::StatusOr<json::Value> header =
      json::parse(std::string_view(all).substr(line + 1, length));
  SBP_RETURN_IF_ERROR(header.status());
  absl::Status status;
  const json::Cursor root(*header, status);
  KernelTrials trials;
  trials.name = root["name"].string();
  trials.code = root["code"].list([](const json::Cursor& json) {
    return Code{json["chip"].string(), json["ptx"].string()};
  });
  const auto take = [&](size_t bytes) {
    if (bytes > all.size() - next) {
      if (status.ok()) status = error("{} is damaged", path);
      return std::string();
    }
    next += bytes;
    return all.substr(next - bytes, bytes);
  };
  trials.all = root["trials"].list([&](const json::Cursor& json) {
    KernelTrial trial;
    trial.name = json["name"].string();
    trial.launches = json["launches"].list(readLaunch);
    trial.buffers = json["buffers"].list([&](const json::Cursor& its) {
      TrialBuffer buffer;
      buffer.type = plan::parseElementType(its["type"].string());
      const size_t bytes = its["bytes"].integer();
      buffer.before = take(bytes);
      buffer.after = take(bytes);
      return buffer;
    });
    return trial;
  });
  SBP_RETURN_IF_ERROR(status);
  return trials;
}

}  // namespace sbp::cuda
