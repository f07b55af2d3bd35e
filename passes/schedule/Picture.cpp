#include "passes/schedule/Picture.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "passes/schedule/Csv.h"

namespace sbp::schedule {
namespace {

/// Returns the largest time that divides all starts and ends; 0 if there would
/// be too many columns, or if all times are 0.
double unitOf(const Simulation& run) {
  double unit = 0;
  auto divide = [&](double time) {
    while (time > 0) {
      const double rest = std::fmod(unit, time);
      unit = time;
      time = rest;
      if (run.makespan / unit > kMostColumns) return false;
    }
    return true;
  };
  for (const std::vector<double>* times : {&run.starts, &run.ends})
    for (double time : *times)
      if (!divide(time)) return 0;
  return unit;
}

/// Whether a worker has several stages, so that cells must show the stage.
bool needsStages(const Table& table) {
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.stage != tasks[0].stage) return true;
  return false;
}

}  // namespace

std::optional<std::string> pictureOf(const Dependencies& dependencies,
                                     const Simulation& run) {
  const double unit = unitOf(run);
  if (unit <= 0) return std::nullopt;
  const Table& table = dependencies.table();
  const int64_t numColumns = std::llround(run.makespan / unit);
  const bool hasStages = needsStages(table);
  std::vector<std::vector<std::string>> rows;
  size_t width = 1;
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    std::vector<std::string>& row = rows.emplace_back(numColumns, ".");
    for (int64_t task = dependencies.firstOf(worker);
         task < dependencies.firstOf(worker + 1); ++task) {
      std::string cell = cellOf(table, dependencies.task(task));
      if (!hasStages) cell.erase(0, cell.find_first_not_of("0123456789"));
      const int64_t end = std::llround(run.ends[task] / unit);
      for (int64_t i = std::llround(run.starts[task] / unit); i < end; ++i) {
        row[i] = cell;
        width = std::max(width, cell.size());
      }
    }
  }
  std::string picture;
  const size_t digits = fmt::format("{}", table.numWorkers() - 1).size();
  for (size_t worker = 0; worker < rows.size(); ++worker) {
    std::string line = fmt::format("worker {:>{}} |", worker, digits);
    for (const std::string& cell : rows[worker])
      line += fmt::format(" {:<{}}", cell, width);
    picture += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return picture;
}

}  // namespace sbp::schedule
