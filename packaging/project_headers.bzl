"""The headers and .td files with which plug-ins outside of the tree are compiled."""

load("//tools/build:tblgen.bzl", "TdInfo")

def _project_headers_impl(ctx):
    headers = depset(transitive = [
        dep[CcInfo].compilation_context.headers
        for dep in ctx.attr.deps
    ])
    tds = depset(transitive = [dep[TdInfo].files for dep in ctx.attr.tds])

    # Those of other projects come with their own packages; what is precompiled
    # serves sources of this tree alone.
    return [DefaultInfo(files = depset([
        file
        for file in headers.to_list() + tds.to_list()
        if file.owner.workspace_name == "" and
           file.owner.package != "tools/build/precompiled"
    ]))]

project_headers = rule(
    implementation = _project_headers_impl,
    doc = "All of the project's headers, generated ones too, that users of deps include.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "tds": attr.label_list(providers = [TdInfo]),
    },
)
