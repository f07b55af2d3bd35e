"""The headers and .td files with which plug-ins outside of the tree are compiled."""

load("//tools/build:tblgen.bzl", "TdInfo")

def files_of_project(files):
    """Returns those of `files` that are of this project.

    Those of other projects come with their own packages; what is precompiled serves
    sources of this tree alone.

    Args:
      files: a list of files.
    """
    return [
        file
        for file in files
        if file.owner.workspace_name == "" and
           file.owner.package != "tools/build/precompiled"
    ]

def headers_of(deps):
    """Returns the project's headers, generated ones too, that users of `deps` include.

    Args:
      deps: a list of targets.
    """
    return files_of_project(depset(transitive = [
        dep[CcInfo].compilation_context.headers
        for dep in deps
    ]).to_list())

def _project_headers_impl(ctx):
    tds = depset(transitive = [dep[TdInfo].files for dep in ctx.attr.tds])
    return [DefaultInfo(files = depset(
        headers_of(ctx.attr.deps) + files_of_project(tds.to_list()),
    ))]

project_headers = rule(
    implementation = _project_headers_impl,
    doc = "All of the project's headers, generated ones too, that users of deps include.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "tds": attr.label_list(providers = [TdInfo]),
    },
)
