#include "runtime/bootstrap/Environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "runtime/hash/TextHash.h"

namespace sbp::bootstrap {
namespace {

// The names of the variables of one launcher. For the size there are several:
// Slurm sets the number of tasks of the step, but old versions set only the
// number of tasks of the job.
struct Vocabulary {
  const char* launcher;
  const char* rank;
  std::array<const char*, 2> sizes;
  const char* localRank;
  const char* marker;  // set only if this launcher has started the process
};

// A script that sbatch runs without srun also has SLURM_PROCID and
// SLURM_NTASKS, although it is a single process. But it has no step id.
constexpr Vocabulary kVocabularies[] = {
    {"sbprun or torchrun",
     "RANK",
     {"WORLD_SIZE", nullptr},
     "LOCAL_RANK",
     nullptr},
    {"mpirun",
     "OMPI_COMM_WORLD_RANK",
     {"OMPI_COMM_WORLD_SIZE", nullptr},
     "OMPI_COMM_WORLD_LOCAL_RANK",
     nullptr},
    {"srun",
     "SLURM_PROCID",
     {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     "SLURM_LOCALID",
     "SLURM_STEP_ID"},
};

// torchrun sets the same variables as sbprun, and also the name of its run.
constexpr char kTorchrun[] = "torchrun";
constexpr char kTorchrunName[] = "TORCHELASTIC_RUN_ID";

constexpr int kDefaultPort = 29500;

// Ports derived from a job's name are below Linux's ephemeral ports (32768 and
// up), which any connection may use.
constexpr int kFirstJobPort = 20000;
constexpr int kNumJobPorts = 12000;

absl::StatusOr<int64_t> readNumber(const Lookup& lookup, const char* name) {
  std::optional<std::string> text = lookup(name);
  if (!text) {
    return absl::InvalidArgumentError(
        fmt::format("environment variable {} is not set", name));
  }
  int64_t number = 0;
  if (!absl::SimpleAtoi(*text, &number) || number < 0) {
    return absl::InvalidArgumentError(fmt::format(
        "environment variable {} is \"{}\", not a count", name, *text));
  }
  return number;
}

// Number of ports that rank 0 tries in turn if it must avoid MASTER_PORT. More
// ports would help only if other processes held all of these ports.
constexpr int kNumSparePorts = 8;

// The rank and size of this process, as one launcher sets them.
struct RankAndSize {
  int64_t rank = 0;
  int64_t size = 1;
  std::string variables;  // "RANK=0, WORLD_SIZE=1"
};

// The launcher's name for this job, and whether the whole job is on this host.
struct Job {
  std::string name;
  bool isOnOneHost = false;
  std::string firstHost;  // empty if the launcher does not say
};

std::optional<Job> findJob(const Lookup& lookup, const Environment& env) {
  Job job;
  if (env.launcher == "mpirun") {
    job.name = lookup("PMIX_NAMESPACE")
                   .value_or(lookup("OMPI_MCA_ess_base_jobid").value_or(""));
    job.isOnOneHost =
        lookup("OMPI_COMM_WORLD_LOCAL_SIZE") == lookup("OMPI_COMM_WORLD_SIZE");
  } else if (env.launcher == "srun") {
    job.name = lookup("SLURM_JOB_ID").value_or("0") + "." +
               lookup("SLURM_STEP_ID").value_or("0");
    job.isOnOneHost = lookup("SLURM_STEP_NUM_NODES")
                          .value_or(lookup("SLURM_NNODES").value_or("")) == "1";
    job.firstHost =
        firstHost(lookup("SLURM_STEP_NODELIST")
                      .value_or(lookup("SLURM_JOB_NODELIST").value_or("")));
  }
  if (env.launcher == kTorchrun) {
    // The name alone may be the same for all runs ("none"), but no two agents
    // on a host have the same port.
    job.name = lookup(kTorchrunName).value_or("") + " at " +
               lookup("MASTER_PORT").value_or("");
  }
  if (job.name.empty()) return std::nullopt;
  return job;
}

bool isPortOfAgent(const Lookup& lookup, const Environment& env) {
  return env.launcher == kTorchrun &&
         lookup("TORCHELASTIC_USE_AGENT_STORE") == "True";
}

// Returns the ports of the job with this name, in the order in which they are
// tried.
std::vector<int> portsOf(const std::string& jobName) {
  std::vector<int> ports;
  for (int i = 0; i < kNumSparePorts; ++i) {
    ports.push_back(kFirstJobPort + static_cast<int>(hash::ofText(fmt::format(
                                                         "{} {}", jobName, i)) %
                                                     kNumJobPorts));
  }
  return ports;
}

absl::StatusOr<MeetingPoint> findMeetingPoint(const Lookup& lookup,
                                              const Environment& env,
                                              const std::optional<Job>& job) {
  MeetingPoint point;
  std::optional<std::string> address = lookup("MASTER_ADDR");
  if (!address && job && job->isOnOneHost) {
    point.socketName = fmt::format("sbp-{}-{}", getuid(), job->name);
    return point;
  }
  if (address) {
    point.host = *address;
  } else if (job && !job->firstHost.empty()) {
    point.host = job->firstHost;
  } else if (!job) {
    point.host = "127.0.0.1";
  } else {
    return absl::InvalidArgumentError(fmt::format(
        "the {} ranks of this job are on several hosts and {} does not say "
        "where rank 0 is: set MASTER_ADDR to its host (mpirun -x "
        "MASTER_ADDR=host)",
        env.size, env.launcher));
  }
  if (lookup("MASTER_PORT")) {
    absl::StatusOr<int64_t> port = readNumber(lookup, "MASTER_PORT");
    if (!port.ok()) return port.status();
    if (*port < 1 || *port > 65535) {
      return absl::InvalidArgumentError(fmt::format(
          "environment variable MASTER_PORT is {}, not a port in 1..65535",
          *port));
    }
    point.port = static_cast<int>(*port);
  } else if (job) {
    point.port = kFirstJobPort +
                 static_cast<int>(hash::ofText(job->name) % kNumJobPorts);
  } else {
    point.port = kDefaultPort;
  }
  return point;
}

const char* sizeNameOf(const Vocabulary& words, const Lookup& lookup) {
  const bool isOld = words.sizes[1] && !lookup(words.sizes[0]);
  return words.sizes[isOld ? 1 : 0];
}

// Whether the launcher with these variables has started this process.
bool isSpoken(const Vocabulary& words, const Lookup& lookup) {
  if (words.marker && !lookup(words.marker)) return false;
  return lookup(words.rank) || lookup(sizeNameOf(words, lookup));
}

absl::StatusOr<RankAndSize> readRankAndSize(const Vocabulary& words,
                                            const Lookup& lookup) {
  const char* sizeName = sizeNameOf(words, lookup);
  absl::StatusOr<int64_t> rank = readNumber(lookup, words.rank);
  if (!rank.ok()) return rank.status();
  absl::StatusOr<int64_t> size = readNumber(lookup, sizeName);
  if (!size.ok()) return size.status();
  if (*rank >= *size) {
    return absl::InvalidArgumentError(
        fmt::format("environment variable {} is {}, but {} is {}: ranks count "
                    "from 0",
                    words.rank, *rank, sizeName, *size));
  }
  return RankAndSize{
      *rank, *size,
      fmt::format("{}={}, {}={}", words.rank, *rank, sizeName, *size)};
}

}  // namespace

std::string MeetingPoint::describe() const {
  if (!socketName.empty()) return "socket " + socketName;
  return fmt::format("{}:{}", host, port);
}

std::string firstHost(const std::string& nodeList) {
  size_t end = nodeList.find_first_of("[,");
  std::string host = nodeList.substr(0, end);
  if (end == std::string::npos || nodeList[end] == ',') return host;
  size_t numberEnd = nodeList.find_first_of("-,]", end + 1);
  return host + nodeList.substr(end + 1, numberEnd - end - 1);
}

std::vector<MeetingPoint> Environment::candidates() const {
  std::vector<MeetingPoint> points = {meetingPoint};
  for (int port : sparePorts) points.push_back({"", meetingPoint.host, port});
  return points;
}

absl::StatusOr<Environment> readEnvironment(const Lookup& lookup) {
  Environment env;
  env.launcher = "none";
  const Vocabulary* chosen = nullptr;
  for (const Vocabulary& words : kVocabularies) {
    if (!isSpoken(words, lookup)) continue;
    absl::StatusOr<RankAndSize> found = readRankAndSize(words, lookup);
    if (chosen) {
      const bool isOther =
          found.ok() && (found->rank != env.rank || found->size != env.size);
      if (isOther) {
        env.contradictions.push_back({words.launcher, found->variables});
      }
      continue;
    }
    if (!found.ok()) return found.status();
    chosen = &words;
    env.launcher = words.launcher;
    env.rank = found->rank;
    env.size = found->size;
    env.variables = found->variables;
  }
  if (!chosen) return env;
  if (chosen == &kVocabularies[0] && lookup(kTorchrunName)) {
    env.launcher = kTorchrun;
  }
  if (lookup(chosen->localRank)) {
    absl::StatusOr<int64_t> localRank = readNumber(lookup, chosen->localRank);
    if (!localRank.ok()) return localRank.status();
    env.localRank = *localRank;
  }
  if (env.size > 1) {
    const std::optional<Job> job = findJob(lookup, env);
    absl::StatusOr<MeetingPoint> point = findMeetingPoint(lookup, env, job);
    if (!point.ok()) return point.status();
    env.meetingPoint = *point;
    if (job) env.jobName = job->name;
    if (isPortOfAgent(lookup, env)) {
      env.sparePorts = portsOf(env.jobName);
      env.meetingPoint.port = env.sparePorts.front();
      env.sparePorts.erase(env.sparePorts.begin());
    }
    env.secret = lookup(kSecretVariable).value_or("");
  }
  return env;
}

absl::StatusOr<Environment> readEnvironment() {
  return readEnvironment(
      [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (!value) return std::nullopt;
        return value;
      });
}

}  // namespace sbp::bootstrap
