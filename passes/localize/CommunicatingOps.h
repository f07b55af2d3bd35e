// What an op takes that communicates itself (CommunicatingOpInterface).
//
// Such an op does not say what it costs. A program of that op alone is
// localized, as the whole program will be, and what comes out is read: what
// each local op computes, what each collective sends, and what memory is needed
// in between. So a plug-in cannot promise one thing and do another.

#ifndef PASSES_LOCALIZE_COMMUNICATINGOPS_H_
#define PASSES_LOCALIZE_COMMUNICATINGOPS_H_

#include <map>
#include <string>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/cost/Collectives.h"
#include "passes/module/OpKey.h"

namespace sbp {

/// Collectives of one op that are alike.
struct OwnCollective {
  std::string name;              // "halo_exchange"
  SmallVector<int64_t, 3> axes;  // of the mesh
  double bytes = 0;              // that a member holds where it holds most
  int64_t number = 0;
  SmallVector<LevelTraffic, 3> traffic;  // of each

  double seconds() const {  // of all of them
    return static_cast<double>(number) * secondsOf(traffic);
  }
};

/// What one run of an op takes.
struct CommunicatingOpCost {
  double computing = 0;  // seconds
  std::vector<OwnCollective> collectives;
  /// Bytes in memory at most, beside operands and results.
  double workingBytes = 0;

  double communicating() const;
};

class CommunicatingOps {
 public:
  CommunicatingOps(const Mesh& mesh, const Device& device)
      : mesh_(mesh), transitions_(onlyMesh(mesh)), device_(device) {}

  /// The cost of `op`, placed or not, if its operands and results lie so; they
  /// form signatures that go together, of which one communicates.
  const CommunicatingOpCost& costOf(Operation* op, ArrayRef<Placement> operands,
                                    ArrayRef<Placement> results);

 private:
  static PlacedMeshes onlyMesh(const Mesh& mesh);

  Mesh mesh_;
  GroupTransitions transitions_;
  const Device& device_;
  std::map<OpKey, CommunicatingOpCost> costs_;  // by placed types
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_COMMUNICATINGOPS_H_
