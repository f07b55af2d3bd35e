"""Dialect plug-ins: shared libraries that the tools load."""

# Where clang finds the headers that codegen/plugin/HeadersHash.h hashes: in the tree of the
# sources, and in that of what is generated.
HEADERS_COPTS = [
    "-DSBP_HEADERS_IN_EMBED_DIRS",
    "--embed-dir=codegen/plugin",
    "--embed-dir=$(BINDIR)/codegen/plugin",
]

def _headers_impl(ctx):
    return [cc_common.merge_cc_infos(cc_infos = [
        CcInfo(compilation_context = dep[CcInfo].compilation_context)
        for dep in ctx.attr.deps
    ])]

_headers = rule(
    implementation = _headers_impl,
    doc = "The headers of libraries, without the libraries.",
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
    provides = [CcInfo],
)

def dialect_plugin(name, srcs, deps, copts = [], **kwargs):
    """Declares a shared library `name`.so for --load-dialect-plugin.

    It uses the symbols of `deps` in the tool that loads it, as a type that is
    linked into both would be two types.

    Args:
      name: name of the plug-in.
      srcs: its sources; one of them has SBP_DIALECT_PLUGIN.
      deps: libraries whose headers they include.
      copts: further options of the compiler.
      **kwargs: attributes of the shared library.
    """
    _headers(
        name = name + "_headers",
        deps = deps + ["//codegen/plugin:Plugin"],
    )
    native.cc_binary(
        name = name + ".so",
        srcs = srcs,
        linkshared = True,
        copts = HEADERS_COPTS + copts,
        # All headers of the libraries are one dependency.
        features = ["-layering_check"],
        deps = [name + "_headers"],
        **kwargs
    )
