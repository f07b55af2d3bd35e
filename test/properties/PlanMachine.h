// The ranks of a plan as machines that run step by step, on symbols.
//
// This is what an executor and a communicator do, written down once more and as
// plainly as possible, to tell whether a plan is right without any of what
// proves it (runtime/proof). Each rank is a list of steps and a place in it; a
// step is taken if what it waits for is there:
//
//   start_send, start_receive     always
//   finish_send                   when all receivers have started
//   finish_receive                when all senders have started
//   collective                    when all members have come
//
// Nothing is buffered. A rank's memory holds a term in each aligned piece: what
// was computed, as a number that depends on all of it, on the task that has
// done it and on the time that it was done for. What a task takes is recorded.
//
// Steps that can be taken stay so until they are, and what one rank does
// between two waits is seen by no other one: what is sent is locked and what is
// received is in the way until their ends, so that whoever touches it is at
// fault, whenever the copying takes place. So all orders in which ranks get on
// come to the same end, with the same records. One is run, at random.

#ifndef TEST_PROPERTIES_PLANMACHINE_H_
#define TEST_PROPERTIES_PLANMACHINE_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/plan/Plan.h"
#include "test/properties/Choices.h"
#include "test/properties/MessageChannels.h"
#include "test/properties/TermMemory.h"

namespace sbp::properties {

/// Of a task of a plan that was edited: where it stood before.
struct Origin {
  int64_t program = 0;
  int64_t task = 0;
  int64_t loop = -1;         // for whose times it is
  int64_t scratchBytes = 0;  // of a kernel
  int64_t meeting = -1;      // of a collective: its number among its group's
};

/// By program and task of one entry.
using Origins = std::vector<std::vector<Origin>>;

/// How a plan has run.
struct PlanRun {
  /// What a task takes: by rank, program and task that it was, and time.
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;

  std::string fault;   // the first thing that cannot be: memory is in use, ...
  bool hangs = false;  // ranks wait for ever
  std::map<Key, std::vector<Term>> taken;
  std::vector<Term> results;  // outputs, gradients, parameters, inputs
};

/// Runs entry number `entry` of `plan`, where messages go as `messages` says.
PlanRun runOnMachines(const plan::Plan& plan, size_t entry,
                      const Origins& origins, Messages messages,
                      Choices& choices);

/// Whether a task in `run` runs on ranks or for times for which it does not in
/// `expected`: whether it takes there what it is meant to, these do not tell.
bool runsElsewhere(const PlanRun& run, const PlanRun& expected);

/// Why `run` of an edited plan is not as `expected`, that of the plan before;
/// empty if it is, wherever its tasks run.
std::string differenceOf(const PlanRun& run, const PlanRun& expected);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_PLANMACHINE_H_
