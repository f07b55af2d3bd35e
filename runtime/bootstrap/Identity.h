// What a job is known by among its ranks: a key that no other job has.
//
// It comes from the secret in SBP_JOB_SECRET, which sbprun draws for a job of
// one host and the user may choose for any, and from the launcher's name for
// the job, as a user may have chosen one for all. Where there is none it comes
// from
// what the ranks were started with: the program, the options that must agree,
// what the data holds, and the launcher's name for the job, if it has one. So
// ranks that were started by hand, without further ado, know their own job from
// one that computes something else. Two jobs that are started exactly alike are
// one to them; and who knows what was started can reckon the key. Only a secret
// keeps those out.

#ifndef RUNTIME_BOOTSTRAP_IDENTITY_H_
#define RUNTIME_BOOTSTRAP_IDENTITY_H_

#include <string>

#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Key.h"
#include "runtime/bootstrap/Start.h"

namespace sbp::bootstrap {

/// Where the key comes from; a byte on the wire.
enum class Basis : char { kSecret = 's', kStart = 'o' };

struct Identity {
  Basis basis;
  Key key;
  Start start;
  std::string digest;  // of the start
};

/// Whether a rank that was started with `theirs` is of the job to which the
/// launcher of `env` has given a name. True if it has given none.
bool isOfJob(const Environment& env, const Start& theirs);

/// The identity of a rank in environment `env` that was started with `start`.
Identity identify(const Environment& env, Start start);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_IDENTITY_H_
