"""Libraries joined into one object file, to link where there are no libraries."""

def _relocatable_object_impl(ctx):
    archives = depset(transitive = [
        depset([
            library.pic_static_library or library.static_library
            for library in linker_input.libraries
            if library.pic_static_library or library.static_library
        ])
        for dep in ctx.attr.deps
        for linker_input in dep[CcInfo].linking_context.linker_inputs.to_list()
    ])
    args = ctx.actions.args()
    args.add("-r")
    args.add("--strip-debug")
    args.add("-o", ctx.outputs.out)
    args.add("--undefined=" + ctx.attr.root)

    # Archives are in any order, as their members need each other.
    args.add("--start-group")
    args.add_all(archives)
    args.add_all(ctx.files.static_libraries)
    args.add("--end-group")
    ctx.actions.run(
        executable = ctx.file._linker,
        arguments = [args],
        inputs = depset(ctx.files.static_libraries, transitive = [archives]),
        outputs = [ctx.outputs.out],
        mnemonic = "RelocatableLink",
        progress_message = "Joining %s" % ctx.outputs.out.short_path,
    )
    return [DefaultInfo(runfiles = ctx.runfiles(files = [ctx.outputs.out]))]

relocatable_object = rule(
    implementation = _relocatable_object_impl,
    doc = "Joins what `root` needs of some libraries into one object file.",
    attrs = {
        "out": attr.output(mandatory = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "root": attr.string(doc = "The symbol that pulls in all others."),
        "static_libraries": attr.label_list(
            doc = "Archives that take the place of the deps' linkopts.",
            allow_files = [".a"],
        ),
        "_linker": attr.label(
            default = "@llvm//:bin/ld.lld",
            allow_single_file = True,
        ),
    },
)
