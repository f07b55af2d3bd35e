// Measures collectives, relative to copying the same number of bytes.
//
//   sbprun -n 2 collective_benchmark                 processes, shared memory
//   sbprun -n 2 collective_benchmark all_gather      only this kind
//   SBP_TRANSPORT=ucx sbprun -n 2 collective_benchmark
//   collective_benchmark --in-process 4              threads
//   sbprun -n 2 collective_benchmark all_reduce --tensors 64 --sizes 1024
//                                                    as a bucket, and one by
//                                                    one
//
// n is the size of the whole tensor in bytes (SampleTask.h). The unit is a
// memcpy of n bytes on all ranks at once, in the same run: absolute times on
// one machine vary by a factor of two from hour to hour, the ratio does not.
// Buffers of 64 KiB and more are written before each timed run, as kernels
// would.
//
// With --tensors it compares moving this number of tensors of n bytes each in a
// bucket with moving them one by one.
//
// First it measures what ranks exchange in every step, an exchange of words,
// relative to the same exchange by the control plane's all-gather of texts.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/communication/World.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
#include "runtime/options/Lists.h"
#include "runtime/plan/Plan.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

using Kind = plan::CollectiveTask::Kind;

constexpr int64_t kWrittenFrom = 64 * 1024;

struct Candidate {
  const char* name;
  Kind kind;
  bool isInPlace = false;
};

constexpr Candidate kCandidates[] = {
    {"all_reduce", Kind::kAllReduce},
    {"all_reduce_in_place", Kind::kAllReduce, /*isInPlace=*/true},
    {"reduce_scatter", Kind::kReduceScatter},
    {"all_gather", Kind::kAllGather},
    {"all_to_all", Kind::kAllToAll}};

struct Options {
  std::vector<int64_t> collectives;  // indices of candidates
  std::vector<int64_t> sizes = {1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26};
  int64_t numTensors = 1;
  int64_t numRepetitions = 7;
  int64_t numThreads = 0;
  bool isJson = false;
};

double secondsOf(const std::function<void()>& body) {
  auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

// Returns the least time of one call of `body` over the repetitions. All ranks
// call it together; short bodies are called many times per measurement.
absl::StatusOr<double> measure(Communicator& communicator,
                               const Options& options, int64_t bytes,
                               const std::function<absl::Status()>& body) {
  const int64_t numCalls = bytes < kWrittenFrom ? 1000 : 1;
  double best = 1e30;
  absl::Status status;
  for (int64_t i = 0; i < options.numRepetitions && status.ok(); ++i) {
    if (bytes >= kWrittenFrom) {
      std::memset(communicator.arena(), static_cast<int>(i), bytes);
    }
    SBP_RETURN_IF_ERROR(communicator.barrier());
    double seconds = secondsOf([&] {
      for (int64_t call = 0; call < numCalls && status.ok(); ++call) {
        status = body();
      }
    });
    best = std::min(best, seconds / static_cast<double>(numCalls));
  }
  SBP_RETURN_IF_ERROR(status);
  return best;
}

void print(const Options& options, Communicator& communicator,
           const std::string& name, int64_t bytes, double seconds,
           double copySeconds) {
  if (communicator.rank() != 0) return;
  if (options.isJson) {
    fmt::print(
        "{{\"collective\": \"{}\", \"ranks\": {}, \"world\": \"{}\", "
        "\"bytes\": {}, \"seconds\": {:.9g}, \"memcpy_seconds\": {:.9g}}}\n",
        name, communicator.size(), communicator.description(), bytes, seconds,
        copySeconds);
  } else {
    fmt::print("{:<20}{:>12}{:>14.2f}{:>14.2f}{:>10.2f}\n", name, bytes,
               seconds * 1e6, copySeconds * 1e6, seconds / copySeconds);
  }
  std::fflush(stdout);
}

/// Measures the exchange of words among all ranks.
absl::Status timeWords(const Options& options, Communicator& communicator) {
  std::vector<Words> all;
  SBP_ASSIGN_OR_RETURN(const double seconds,
                       measure(communicator, options, sizeof(Words), [&] {
                         return communicator.exchangeWords(Words{}, all);
                       }));
  SBP_ASSIGN_OR_RETURN(const double textSeconds,
                       measure(communicator, options, sizeof(Words), [&] {
                         return communicator.allGather("0").status();
                       }));
  if (communicator.rank() == 0 && !options.isJson)
    fmt::print("words {:.2f} us, texts {:.2f} us\n", seconds * 1e6,
               textSeconds * 1e6);
  return absl::OkStatus();
}

absl::Status runCopyBenchmark(const Options& options,
                              Communicator& communicator) {
  if (communicator.rank() == 0 && !options.isJson) {
    fmt::print("{}\n{:<20}{:>12}{:>14}{:>14}{:>10}\n",
               communicator.description(), "collective", "n bytes", "us",
               "memcpy(n) us", "ratio");
  }
  SBP_RETURN_IF_ERROR(timeWords(options, communicator));
  for (int64_t bytes : options.sizes) {
    std::byte* arena = communicator.arena();
    SBP_ASSIGN_OR_RETURN(const double copySeconds,
                         measure(communicator, options, bytes, [&] {
                           std::memcpy(arena + bytes, arena, bytes);
                           asm volatile("" ::: "memory");
                           return absl::OkStatus();
                         }));
    for (int64_t index : options.collectives) {
      const Candidate& candidate = kCandidates[index];
      SBP_ASSIGN_OR_RETURN(auto collective,
                           communicator.prepare({sampleTask(
                               candidate.kind, {0}, communicator.size(), bytes,
                               candidate.isInPlace)}));
      SBP_ASSIGN_OR_RETURN(
          const double seconds, measure(communicator, options, bytes, [&] {
            return communicator.run(*collective, collective->buffers);
          }));
      print(options, communicator, candidate.name, bytes, seconds, copySeconds);
    }
  }
  return absl::OkStatus();
}

// Measures `numTensors` tensors of about `bytes` bytes in a bucket, and one by
// one.
absl::Status timeBucket(const Options& options, const Candidate& candidate,
                        int64_t bytes, Communicator& communicator) {
  std::vector<plan::CollectiveTask> tasks;
  std::vector<std::shared_ptr<const PreparedCollective>> alone;
  for (int64_t i = 0; i < options.numTensors; ++i) {
    tasks.push_back(sampleTask(candidate.kind, {0}, communicator.size(), bytes,
                               candidate.isInPlace));
    tasks.back().in += i * sampleArenaBytes(bytes);
    tasks.back().out += i * sampleArenaBytes(bytes);
    SBP_ASSIGN_OR_RETURN(alone.emplace_back(),
                         communicator.prepare({tasks.back()}));
  }
  SBP_ASSIGN_OR_RETURN(const auto bucket, communicator.prepare(tasks));
  SBP_ASSIGN_OR_RETURN(const double seconds,
                       measure(communicator, options, bytes, [&] {
                         return communicator.run(*bucket, bucket->buffers);
                       }));
  SBP_ASSIGN_OR_RETURN(
      const double aloneSeconds,
      measure(communicator, options, bytes, [&]() -> absl::Status {
        for (const auto& one : alone)
          SBP_RETURN_IF_ERROR(communicator.run(*one, one->buffers));
        return absl::OkStatus();
      }));
  if (communicator.rank() != 0) return absl::OkStatus();
  if (options.isJson)
    fmt::print(
        "{{\"collective\": \"{}\", \"ranks\": {}, \"world\": \"{}\", "
        "\"bytes\": {}, \"tensors\": {}, \"seconds\": {:.9g}, "
        "\"alone_seconds\": {:.9g}}}\n",
        candidate.name, communicator.size(), communicator.description(), bytes,
        options.numTensors, seconds, aloneSeconds);
  else
    fmt::print("{:<20}{:>12}{:>14.2f}{:>14.2f}{:>10.2f}\n", candidate.name,
               bytes, seconds * 1e6, aloneSeconds * 1e6,
               seconds / aloneSeconds);
  std::fflush(stdout);
  return absl::OkStatus();
}

absl::Status runBucketBenchmark(const Options& options,
                                Communicator& communicator) {
  if (communicator.rank() == 0 && !options.isJson)
    fmt::print("{}\n{:<20}{:>12}{:>14}{:>14}{:>10}\n",
               communicator.description(), "collective",
               fmt::format("{} x bytes", options.numTensors), "bucket us",
               "one by one us", "ratio");
  for (int64_t bytes : options.sizes)
    for (int64_t index : options.collectives)
      SBP_RETURN_IF_ERROR(
          timeBucket(options, kCandidates[index], bytes, communicator));
  return absl::OkStatus();
}

absl::Status runBenchmark(const Options& options, Communicator& communicator) {
  return options.numTensors > 1 ? runBucketBenchmark(options, communicator)
                                : runCopyBenchmark(options, communicator);
}

absl::Status run(const Options& options) {
  SBP_ASSIGN_OR_RETURN(bootstrap::Environment env,
                       bootstrap::readEnvironment());
  const int64_t numRanks = options.numThreads ? options.numThreads : env.size;
  const int64_t longest =
      *std::max_element(options.sizes.begin(), options.sizes.end());
  WorldOptions world;
  world.groups = {plan::Group{{"rank", numRanks}}};
  world.arenaBytes.assign(numRanks,
                          options.numTensors * sampleArenaBytes(longest));
  if (options.numThreads) {
    return runInProcess(world, [&](Communicator& communicator) {
      return runBenchmark(options, communicator);
    });
  }
  SBP_ASSIGN_OR_RETURN(auto communicator, connect(world));
  absl::Status status = runBenchmark(options, *communicator);
  if (status.ok()) return communicator->finish();
  communicator->fail(status);
  return status;
}

}  // namespace
}  // namespace sbp::communication

int main(int argc, char** argv) {
  sbp::communication::Options options;
  CLI::App app("Times collectives against memcpy of the same bytes.",
               "collective_benchmark");
  app.formatter(std::make_shared<sbp::options::HelpFormatter>());
  std::vector<std::pair<std::string, int64_t>> names;
  for (const auto& candidate : sbp::communication::kCandidates)
    names.emplace_back(candidate.name, names.size());
  app.add_option("collective", options.collectives,
                 "Collectives to time: all_reduce, all_reduce_in_place, "
                 "reduce_scatter, all_gather, all_to_all (all of them)")
      ->type_name("NAME")
      ->transform(sbp::options::oneOf(names));
  sbp::options::addList(app, "--sizes", options.sizes,
                        {',', 1, 100, sbp::options::integerFrom(1)},
                        "Sizes of the whole tensor in bytes");
  app.add_option("--tensors", options.numTensors,
                 "Number of tensors, timed in one bucket and one by one")
      ->type_name("N")
      ->check(sbp::options::integerFrom(1));
  app.add_option("--repetitions", options.numRepetitions,
                 "Number of repetitions, of which the fastest counts")
      ->type_name("N")
      ->check(sbp::options::integerFrom(1));
  app.add_option("--in-process", options.numThreads,
                 "Number of ranks, as threads of this process")
      ->type_name("N")
      ->check(sbp::options::integerFrom(1));
  app.add_flag("--json", options.isJson, "Print one JSON object per line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::Error& error) {
    fmt::print(stderr, "error: {}\n", sbp::options::messageOf(error));
    return 1;
  }
  if (options.collectives.empty())
    for (const auto& [name, index] : names)
      options.collectives.push_back(index);
  absl::Status status = sbp::communication::run(options);
  if (status.ok()) return 0;
  if (!absl::IsAborted(status)) {
    fmt::print(stderr, "error: {}\n", sbp::textOf(status));
    return 1;
  }
  return sbp::communication::kAbortedExitCode;
}
