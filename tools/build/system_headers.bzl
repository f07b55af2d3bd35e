"""Headers of a package of the system: they are found, and are no inputs of what includes them."""

def _system_headers_impl(ctx):
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        system_includes = depset([ctx.attr.folder]),
    ))]

system_headers = rule(
    implementation = _system_headers_impl,
    doc = "A folder of headers outside of the workspace.",
    attrs = {"folder": attr.string(mandatory = True)},
    provides = [CcInfo],
)
