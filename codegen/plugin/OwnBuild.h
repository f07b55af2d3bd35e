// The headers that this tool is built with, to compare with those of plug-ins.

#ifndef CODEGEN_PLUGIN_OWNBUILD_H_
#define CODEGEN_PLUGIN_OWNBUILD_H_

#include <cstdint>

namespace sbp::plugin {

/// Returns the hash of the headers for plug-ins (kHeadersHash).
uint64_t ownHeadersHash();

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_OWNBUILD_H_
