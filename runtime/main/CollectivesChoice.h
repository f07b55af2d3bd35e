// The route of collectives between GPUs, and the option that chooses it.

#ifndef RUNTIME_MAIN_COLLECTIVESCHOICE_H_
#define RUNTIME_MAIN_COLLECTIVESCHOICE_H_

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sbp::program {

/// The route of collectives between GPUs.
enum class CollectivesChoice {
  kAuto,    // kPeer within a host, kNccl between hosts, or else kStaged
  kStaged,  // through the memory of the hosts
  kPeer,    // GPUs of one host read each other's memory
  kNccl,    // by NCCL
};

/// Adds the option --collectives, which sets `choice`, to `app`.
CLI::Option* addCollectivesOption(CLI::App& app, CollectivesChoice& choice);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_COLLECTIVESCHOICE_H_
