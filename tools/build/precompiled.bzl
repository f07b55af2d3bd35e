"""Headers that are compiled once: clang's precompiled headers as Bazel targets."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# The folder that an action runs in, by a name that is the same for all.
_WORKING_FOLDER = "/proc/self/cwd"

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        # The header is of no library: what it includes is checked where it is used.
        unsupported_features = ctx.disabled_features + ["layering_check"],
    )
    headers = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context

    # The command line of a source that includes the header: clang takes no
    # precompiled header that was compiled otherwise.
    options = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = cc_common.create_compile_variables(
            feature_configuration = features,
            cc_toolchain = toolchain,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
            include_directories = headers.includes,
            quote_include_directories = headers.quote_includes,
            system_include_directories = headers.system_includes,
            preprocessor_defines = headers.defines,
            use_pic = True,
        ),
    )
    args = ctx.actions.args()
    args.add_all(options)

    # Still that layers are checked is an option that must be the same.
    if "layering_check" in ctx.features:
        args.add("-fmodules-strict-decluse")

    # Templates that the headers instantiate, they instantiate once.
    args.add("-fpch-instantiate-templates")

    # Links to inputs are as new as the action that they were made for.
    args.add_all(["-Xclang", "-fno-pch-timestamp"])

    # All headers count as the system's, so that a source depends on the
    # precompiled header, and not on what that was made of.
    args.add_all(["-isystem", ".", "--system-header-prefix="])
    args.add_all(["-x", "c++-header", "-"])
    args.add("-o", ctx.outputs.out)
    ctx.actions.run_shell(
        command = "echo '#include <%s>' | %s \"$@\"" % (
            ctx.file.header.path,
            cc_common.get_tool_for_action(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
            ),
        ),
        arguments = [args],
        env = {"PWD": _WORKING_FOLDER},
        inputs = depset(
            [ctx.file.header],
            transitive = [headers.headers, toolchain.all_files],
        ),
        outputs = [ctx.outputs.out],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling %s" % ctx.file.header.short_path,
    )
    return [
        DefaultInfo(files = depset([ctx.outputs.out])),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            # clang reads no header again, but makes sure that they are there.
            headers = depset(
                [ctx.outputs.out, ctx.file.header],
                transitive = [headers.headers],
            ),
        )),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = "Compiles a header, for sources that are compiled with what it includes.",
    attrs = {
        "header": attr.label(allow_single_file = [".h"], mandatory = True),
        "out": attr.output(mandatory = True),
        "deps": attr.label_list(
            doc = "Libraries whose headers it includes.",
            providers = [CcInfo],
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    provides = [CcInfo],
)
