// The identity of a job: a key that all ranks of the job have, and that ranks
// of other jobs do not have.
//
// If SBP_JOB_SECRET holds a secret, the key is derived from the secret and from
// the launcher's name for the job, because a user may use the same secret for
// all jobs. sbprun draws a secret for a job of one host; the user may choose
// one for any job. Without a secret the key is derived from the start
// arguments: the program, the options that must agree, the contents of the
// data, the number of ranks, and the launcher's name for the job, if it has
// one. So ranks that are started by hand recognise their own job among jobs
// that compute something else. Without a secret, two jobs that are started
// exactly alike cannot be distinguished, and anybody who knows the start
// arguments can compute the key.

#ifndef RUNTIME_BOOTSTRAP_IDENTITY_H_
#define RUNTIME_BOOTSTRAP_IDENTITY_H_

#include <string>

#include "runtime/bootstrap/Environment.h"
#include "runtime/bootstrap/Key.h"
#include "runtime/bootstrap/StartArguments.h"

namespace sbp::bootstrap {

/// The source of the key: a secret, or the start arguments. It is sent as one
/// byte.
enum class KeySource : char { kSecret = 's', kStart = 'o' };

/// A job's key, and the start arguments of one of its ranks.
struct Identity {
  KeySource keySource;
  Key key;
  /// Start arguments, shortened (StartArguments.h). They include the job's name
  /// and the number of ranks.
  StartArguments start;
  std::string digest;  // hash of the labels and values of `start`
};

/// Whether `theirs`, the start arguments of another rank, contain the job's
/// name in `env`. True if `env` has no job name.
bool hasJobName(const Environment& env, const StartArguments& theirs);

/// Returns the identity of a rank in environment `env` that was started with
/// `start`. Adds the job's name, if it has one, and the number of ranks to
/// `start`, and shortens it (StartArguments.h).
Identity identify(const Environment& env, StartArguments start);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_IDENTITY_H_
