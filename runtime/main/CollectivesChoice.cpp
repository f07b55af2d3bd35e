#include "runtime/main/CollectivesChoice.h"

#include <cstdint>

#include "CLI/CLI.hpp"
#include "runtime/options/Checks.h"

namespace sbp::program {

CLI::Option* addCollectivesOption(CLI::App& app, CollectivesChoice& choice) {
  using Choice = CollectivesChoice;
  const auto number = [](Choice one) { return static_cast<int64_t>(one); };
  return app
      .add_option("--collectives", choice,
                  "Way of collectives between GPUs: peer (GPUs of one host "
                  "read each other's memory), nccl (by NCCL, which has to be "
                  "installed), staged (through the memory of hosts: works "
                  "always), or auto, which takes peer within a host, nccl "
                  "between hosts, and staged where these do not work. Peer "
                  "and staged give the same bits; nccl may differ in the last "
                  "ones (auto)")
      ->type_name("NAME")
      ->transform(options::oneOf({{"auto", number(Choice::kAuto)},
                                  {"staged", number(Choice::kStaged)},
                                  {"peer", number(Choice::kPeer)},
                                  {"nccl", number(Choice::kNccl)}}));
}

}  // namespace sbp::program
