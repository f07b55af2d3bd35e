// A simulator of the ranks of a plan, on symbolic values.
//
// The simulator is a second, plain implementation of the executor and the
// communicator. It decides whether a plan is right without any code of the
// proof (runtime/proof). Each rank is a list of steps and a position in the
// list. A step can be run under this condition:
//
//   start_send, start_receive     always
//   finish_send, finish_receive   when all messages of the transfer on this
//                                 rank are transferred (MessageChannels.h)
//   collective                    when all members have arrived
//
// Messages are not buffered. Each aligned piece of a rank's memory holds a
// term, a number that stands for the value there. The term depends on the task
// that computed the value, on the iteration of the task's loop, and on the
// task's operands. The operands of each task are recorded.
//
// One random interleaving of the ranks is run. All interleavings have the same
// result: a step that can be run remains so, and between two waits no rank
// observes what another rank does. A write to the memory of a send or a receive
// between its start and its finish is a fault, regardless of when the data is
// copied. A task that reads the memory of a receive in that time gets an
// unknown term.

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

/// The position of a task before the plan was edited, and its properties there.
struct Origin {
  int64_t program = 0;
  int64_t task = 0;
  int64_t loop = -1;         // that contains the task, or -1
  int64_t scratchBytes = 0;  // of a kernel
  int64_t collective = -1;   // number among the collectives of its group
};

/// The origins of the tasks of one entry, by program and task.
using Origins = std::vector<std::vector<Origin>>;

/// The result of a run of a plan.
struct PlanRun {
  /// A task on a rank, in one iteration: rank, program and task of its origin,
  /// iteration.
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t>;

  std::string fault;   // the first fault, such as access to memory in use
  bool hangs = false;  // whether ranks wait for ever
  std::map<Key, std::vector<Term>> operandsOf;  // by task
  std::vector<Term> results;  // outputs, gradients, parameters, inputs
};

/// Runs entry number `entry` of `plan`. `messages` is the order of messages.
PlanRun runOnMachines(const plan::Plan& plan, size_t entry,
                      const Origins& origins, Messages messages,
                      Choices& choices);

/// Whether a task in `run` runs on a rank, or in an iteration, in which it does
/// not run in `expected`. Then `expected` has no operands to compare with.
bool runsElsewhere(const PlanRun& run, const PlanRun& expected);

/// Compares `run`, that of an edited plan, with `expected`, that of the
/// original plan: the operands of tasks that both runs have, and the results.
/// Returns the fault of `run`, or what differs, or "".
std::string differenceOf(const PlanRun& run, const PlanRun& expected);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_PLANMACHINE_H_
