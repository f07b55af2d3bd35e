"""A hash of headers that each source computes which includes it."""

load("//tools/build:project_headers.bzl", "headers_of")

_BEGIN = """// A hash of the headers with which plug-ins are compiled. Their texts are read
// when this file is, so a header that was changed has another hash.

#ifndef {guard}
#define {guard}

#include <cstdint>

#include "codegen/plugin/HashText.h"

#ifndef __has_embed
#error "a plug-in is compiled by clang 22 or later: this compiler has no #embed"
#endif

// The headers are found from the folder of this file, or, where they are in
// several trees, from the same folder of each tree, by --embed-dir.
#ifdef SBP_HEADERS_IN_EMBED_DIRS
#define SBP_HEADER(path) <path>
#else
#define SBP_HEADER(path) #path
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace sbp::plugin {{
namespace headers {{
"""

_HEADER = """
constexpr unsigned char kText{number}[] = {{
#embed SBP_HEADER({path})
}};
constexpr uint64_t kHash{number} = hashOf(kText{number});
"""

_END = """
constexpr uint64_t kHashes[] = {{
    {hashes},
}};

}}  // namespace headers

/// The hash of all of these headers.
constexpr uint64_t kHeadersHash = hashOf(headers::kHashes);

}}  // namespace sbp::plugin

#pragma clang diagnostic pop

#undef SBP_HEADER

#endif  // {guard}
"""

def _headers_hash_impl(ctx):
    out = ctx.outputs.out
    guard = out.short_path.upper().replace("/", "_").replace(".", "_") + "_"
    root = "../" * len(out.owner.package.split("/"))
    paths = sorted([
        file.short_path
        for file in headers_of(ctx.attr.deps)
        if file.short_path.endswith(".h") or file.short_path.endswith(".h.inc")
    ])
    ctx.actions.write(out, "".join(
        [_BEGIN.format(guard = guard)] +
        [
            _HEADER.format(number = number, path = root + path)
            for number, path in enumerate(paths)
        ] +
        [_END.format(
            guard = guard,
            hashes = ",\n    ".join(["kHash%d" % number for number in range(len(paths))]),
        )],
    ))

headers_hash = rule(
    implementation = _headers_hash_impl,
    doc = "Writes a header with the hash of the headers that users of deps include.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "out": attr.output(mandatory = True),
    },
)
