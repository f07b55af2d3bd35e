// Where the ranks of an entry wait for one another, as data.
//
// Each rank has a list of stops, in the order in which it comes to them. At a
// stop it does something that others may wait for, and waits for meetings: a
// message from one rank to another one, whose two ends must have started, or a
// collective, to which all members must have come.
//
//   rank 0   start_send a          finish_send a           stops
//                 |                     ^
//                 +---> message a <-----+--+               a meeting
//                 +---------------------|--+
//   rank 1        start_receive a       finish_receive a   stops

#ifndef RUNTIME_PROOF_MEETINGS_H_
#define RUNTIME_PROOF_MEETINGS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plan/Plan.h"
#include "runtime/proof/Place.h"
#include "runtime/proof/Waits.h"

namespace sbp::proof {

/// What a rank does, or where it waits.
struct Stop {
  Place place;
  std::vector<int64_t> waits;    // meetings that must be over before it goes on
  std::vector<int64_t> reaches;  // meetings that it is a part of
};

/// Something that is over when all its parts have been reached, and the
/// meetings before it on its channel are over.
struct Meeting {
  struct Part {
    int64_t rank = 0;
    int64_t stop = -1;  // of the rank; none: it never comes there
  };

  bool isMessage = false;  // from the first part to the second
  std::vector<Part> parts;
  std::vector<int64_t> after;  // meetings
};

/// Who runs. Ranks, each for itself; or programs: all ranks of one step by step
/// together, waiting for all that any of them could wait for. If that comes to
/// the end, ranks for themselves do: they have less to wait for, and any way to
/// run them ends alike. Programs are few where ranks are many.
enum class Runners { kRanks, kPrograms };

/// Where it says rank, it is one of the runners.
struct Meetings {
  std::vector<const plan::EntryProgram*> programs;  // by rank
  std::vector<std::vector<Stop>> stops;             // by rank, in order
  std::vector<Meeting> meetings;
};

/// Those of entry number `entry`, run once, or so often. Fails where members of
/// a group come together to different collectives, as the values of the plan
/// know them.
absl::StatusOr<Meetings> meetingsOf(const plan::Plan& plan, size_t entry,
                                    Channel channel, Runners runners);

}  // namespace sbp::proof

#endif  // RUNTIME_PROOF_MEETINGS_H_
