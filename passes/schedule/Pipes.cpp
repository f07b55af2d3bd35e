#include "passes/schedule/Pipes.h"

#include <map>

namespace sbp::schedule {

std::vector<Pipe> pipesOf(const Table& table) {
  std::vector<std::vector<int64_t>> ways(table.numParts(),
                                         std::vector<int64_t>(table.numStages));
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const Task& task : table.workers[worker])
      if (task.kind == Kind::Forward)
        for (int64_t part = task.first; part < task.end(); ++part)
          ways[part][task.stage] = worker;

  std::vector<Pipe> pipes;
  std::map<std::vector<int64_t>, size_t> numbers;
  for (int64_t part = 0; part < table.numParts(); ++part) {
    const auto [known, isNew] = numbers.try_emplace(ways[part], pipes.size());
    if (isNew) pipes.push_back({ways[part], {}});
    pipes[known->second].parts.push_back(part);
  }
  return pipes;
}

}  // namespace sbp::schedule
