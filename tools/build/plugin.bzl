"""Dialect plug-ins: shared libraries that the tools load."""

load("//tools/build:tblgen.bzl", "gentbl")

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

def dialect_plugin(name, srcs, td = None, has_enums = False, copts = [], **kwargs):
    """Declares a shared library `name`.so for --load-dialect-plugin.

    It may include all headers and .td files that are installed for plug-ins. It
    uses the symbols of the tool that loads it, as a type that is linked into
    both would be two types.

    Args:
      name: name of the plug-in.
      srcs: its sources; one of them has SBP_DIALECT_PLUGIN.
      td: definitions of a dialect with ops, if it has any. `Foo.td` yields
        Foo.h.inc and Foo.cpp.inc for the dialect, FooOps.h.inc and FooOps.cpp.inc
        for its ops.
      has_enums: whether it also yields FooEnums.h.inc and FooEnums.cpp.inc.
      copts: further options of the compiler.
      **kwargs: attributes of the shared library.
    """
    generated = []
    if td:
        stem = td[:-len(".td")]
        kinds = {"dialect": stem, "ops": stem + "Ops"}
        if has_enums:
            kinds["enums"] = stem + "Enums"
        for kind, out in kinds.items():
            generated.append("%s_%s_inc" % (name, kind))
            gentbl(
                name = generated[-1],
                kind = kind,
                out = out,
                td_file = td,
                deps = ["//codegen/plugin:td"],
            )
    _headers(
        name = name + "_headers",
        deps = generated + ["//codegen/plugin:Plugin"],
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
