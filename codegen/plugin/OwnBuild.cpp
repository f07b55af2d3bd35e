#include "codegen/plugin/OwnBuild.h"

#include "codegen/plugin/HeadersHash.h"

namespace sbp::plugin {

uint64_t ownHeadersHash() { return kHeadersHash; }

}  // namespace sbp::plugin
