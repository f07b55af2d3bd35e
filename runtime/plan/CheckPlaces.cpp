#include "runtime/plan/CheckPlaces.h"

#include "runtime/status/Status.h"

namespace sbp::plan {

absl::Status checkPlaces(const Places& places) {
  const auto numFiles = static_cast<int64_t>(places.files.size());
  for (size_t i = 0; i < places.origins.size(); ++i) {
    if (places.origins[i].empty()) return error("origin {} has no place", i);
    for (const Place& place : places.origins[i]) {
      if (place.file < 0 || place.file >= numFiles)
        return error("origin {} is in file {} of {}", i, place.file, numFiles);
      if (place.line < 1 || place.column < 0)
        return error("origin {} is line {}, column {}", i, place.line,
                     place.column);
    }
  }
  return absl::OkStatus();
}

absl::Status checkOrigins(const Places& places, const EntryProgram& program) {
  const auto numOrigins = static_cast<int64_t>(places.origins.size());
  const auto isKnown = [&](int64_t origin) {
    return origin >= kUnknownOrigin && origin < numOrigins;
  };
  if (!program.origins.empty() &&
      program.origins.size() != program.tasks.size())
    return error("{} origins for {} tasks", program.origins.size(),
                 program.tasks.size());
  for (size_t i = 0; i < program.origins.size(); ++i)
    if (!isKnown(program.origins[i]))
      return error("task {} comes from origin {} of {}", i, program.origins[i],
                   numOrigins);
  for (size_t i = 0; i < program.calls.size(); ++i)
    if (!isKnown(program.calls[i].origin))
      return error("call {} comes from origin {} of {}", i,
                   program.calls[i].origin, numOrigins);
  return absl::OkStatus();
}

}  // namespace sbp::plan
