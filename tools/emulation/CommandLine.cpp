#include "tools/emulation/CommandLine.h"

#include "fmt/core.h"
#include "runtime/file/Show.h"
#include "runtime/options/Checks.h"
#include "runtime/options/HelpFormatter.h"
#include "tools/emulation/Host.h"
#include "tools/emulation/RunOnHosts.h"

namespace sbp::emulation {
namespace {

constexpr char kDescription[] =
    R"(sbp-hosts emulates hosts on this machine, joined by a switch whose links have the
bandwidth and latency that you give, and runs a command on all of them at the same time.

  sbp-hosts --hosts 4 --bandwidth 1e8 --latency 5e-5 \
    sbprun -n 1 --nodes 4 --node-rank {host} --master-addr {address} ./gpt ...

In the command, {host} stands for the number of the host, from 0, and {address} for
the address of host 0. Each host has network and IPC namespaces of its own, so programs
on two hosts do not share memory. They do share the cores and files of this machine. When
a command fails, sbp-hosts ends the others, and exits with the code of that command.

sbp-hosts needs root. If the kernel refuses the namespaces, it prints the reason and exits
with code 77.)";

}  // namespace

int runCommandLine(int argc, char** argv, const std::string& version) {
  Job job;
  CLI::App app(kDescription, "sbp-hosts");
  app.formatter(std::make_shared<options::HelpFormatter>("COMMAND [ARGS...]"));
  app.prefix_command();
  app.set_version_flag("--version", version, "Print the version and exit");
  app.add_option("--hosts", job.numHosts, "Number of hosts (2)")
      ->type_name("N")
      ->check(options::integerFrom(1, kMostHosts));
  app.add_option(
         "--bandwidth", job.link.bytesPerSecond,
         "Bandwidth of a host's link in each direction, in bytes per second "
         "(that of the switch)")
      ->type_name("RATE")
      ->check(options::positive());
  app.add_option("--latency", job.link.latencySeconds,
                 "Latency from host to host (0)")
      ->type_name("SECONDS")
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
