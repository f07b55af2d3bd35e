"""Dialect plug-ins: shared libraries that sbpc and sbp-opt load."""

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

def dialect_plugin(name, srcs, deps, **kwargs):
    """Declares a shared library `name`.so for --load-dialect-plugin.

    It uses the symbols of `deps` in the tool that loads it, as a type that is
    linked into both would be two types.

    Args:
      name: name of the plug-in.
      srcs: its sources; one of them defines mlirGetDialectPluginInfo.
      deps: libraries whose headers they include.
      **kwargs: attributes of the shared library.
    """
    _headers(
        name = name + "_headers",
        deps = deps,
    )
    native.cc_binary(
        name = name + ".so",
        srcs = srcs,
        linkshared = True,
        # Functions are bound at their first call, as tools that make no kernels lack
        # those that only kernels call.
        linkopts = ["-Wl,-z,lazy"],
        # All headers of the libraries are one dependency.
        features = ["-layering_check"],
        deps = [name + "_headers"],
        **kwargs
    )
