"""Files as data of a program: the bytes of a file between two symbols."""

def embed_file(name, src, symbol, visibility = None):
    """Declares a library that defines `<symbol>_begin` and `<symbol>_end`.

    Args:
      name: the library.
      src: the file, or a target that makes one.
      symbol: what C calls it: extern "C" const char <symbol>_begin[].
      visibility: who may link it.
    """
    native.genrule(
        name = name + "_object",
        srcs = [src],
        outs = [name + ".o"],
        cmd = " ".join([
            "printf '%s\\n'",
            "'.section .rodata,\"a\",@progbits' '.balign 16'",
            "'.globl {0}_begin' '{0}_begin:' '.incbin \"$<\"'",
            "'.globl {0}_end' '{0}_end:'",
            "'.section .note.GNU-stack,\"\",@progbits'",
            "| $(CC) -x assembler -c - -o $@",
        ]).format(symbol),
        toolchains = ["@bazel_tools//tools/cpp:current_cc_toolchain"],
    )
    native.cc_library(
        name = name,
        srcs = [name + ".o"],
        linkstatic = True,
        alwayslink = True,
        visibility = visibility,
    )
