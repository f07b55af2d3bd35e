#include "runtime/emulation/CommandLine.h"

#include "fmt/core.h"
#include "runtime/emulation/Host.h"
#include "runtime/emulation/RunOnHosts.h"
#include "runtime/file/Show.h"
#include "runtime/options/Checks.h"

namespace sbp::emulation {
namespace {

constexpr char kDescription[] =
    R"(Emulates hosts on this machine, joined by a switch whose links are as slow as you
say, and runs a command on each of them at once.

  sbp-hosts --hosts 4 --bandwidth 1e8 --latency 5e-5 \
    sbprun -n 1 --nodes 4 --node-rank {host} --master-addr {address} ./gpt ...

In the command, {host} stands for the number of the host, from 0, and {address} for
the address of host 0. A host has network and IPC namespaces of its own, so programs
on two of them do not share memory; cores and files are those of this machine. When a
command fails, the others are told to end, and its exit code is that of sbp-hosts.

Needs root. Where the kernel refuses, it says why and exits with code 77.)";

}  // namespace

int runCommandLine(int argc, char** argv, const std::string& version) {
  Job job;
  CLI::App app(kDescription, "sbp-hosts");
  app.prefix_command();
  app.set_version_flag("--version", version, "say which sbp-hosts this is");
  app.add_option("--hosts", job.numHosts, "how many (default: 2)")
      ->check(options::integerFrom(1, kMostHosts));
  app.add_option(
         "--bandwidth", job.link.bytesPerSecond,
         "bytes per second of a host's link, in each direction (default: "
         "as many as the switch can move)")
      ->check(options::positive());
  app.add_option("--latency", job.link.latencySeconds,
                 "seconds from host to host (default: 0)")
      ->check(options::notNegative());
  try {
    app.parse(argc, argv);
    job.command = app.remaining();
    // As with many launchers, the command may be preceded by "--".
    if (!job.command.empty() && job.command.front() == "--")
      job.command.erase(job.command.begin());
    if (job.command.empty()) throw CLI::RequiredError("COMMAND");
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::Error& error) {
    file::show(stderr, fmt::format("error: {}\n", options::messageOf(error)));
    return 1;
  }
  return runOnHosts(job);
}

}  // namespace sbp::emulation
