"""Libraries that are linked whole."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _whole_library_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    inputs = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).linking_context.linker_inputs
    whole = cc_common.create_linker_input(
        owner = ctx.label,
        libraries = depset([
            cc_common.create_library_to_link(
                actions = ctx.actions,
                feature_configuration = features,
                cc_toolchain = toolchain,
                static_library = library.static_library,
                pic_static_library = library.pic_static_library,
                alwayslink = True,
            )
            for input in inputs.to_list()
            if input.owner.workspace_name == ""
            for library in input.libraries
        ]),
        user_link_flags = depset(ctx.attr.linkopts),
    )

    # Before the same libraries as others need them: a linker takes nothing from those, as
    # it has everything by then.
    return [CcInfo(linking_context = cc_common.create_linking_context(
        linker_inputs = depset([whole], transitive = [inputs], order = "topological"),
    ))]

whole_library = rule(
    implementation = _whole_library_impl,
    doc = "Links all of deps and of the project's libraries that they need, used or not.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "linkopts": attr.string_list(),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    provides = [CcInfo],
)
