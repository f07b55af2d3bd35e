"""cc_library, cc_binary and cc_test, as all BUILD files see them: with precompiled headers.

tools/build_rules/prelude_bazel puts them in the place of Bazel's own.
"""

# What is precompiled for targets that name a library in their deps: the first
# that is found, so the largest comes first.
_PRECOMPILED = [
    ("//dialects/nn:nn", "//tools/build/precompiled:nn"),
    ("@llvm//:mlir", "//tools/build/precompiled:mlir"),
    ("@system//:gtest_main", "//tools/build/precompiled:test"),
]

_STANDARD = "//tools/build/precompiled:standard"

# With --config=bare each source has what it includes itself, and nothing else.
_BARE = "//tools/build:bare"

def _absolute(label):
    """Returns a label from the workspace, with the target's name."""
    if label.startswith(":"):
        return "//" + native.package_name() + label
    if ":" not in label:
        return label + ":" + label.split("/")[-1]
    return label

def _precompiled(deps):
    """Returns the precompiled header for a target of these deps."""
    labels = [_absolute(dep) for dep in deps]
    for library, header in _PRECOMPILED:
        if library in labels:
            return header
    return _STANDARD

def _with_precompiled(rule, srcs = [], deps = [], copts = [], **kwargs):
    """Declares a target whose sources begin with a precompiled header.

    That is compiled as most are: with options of its own, a target has none.
    """
    if not copts and [src for src in srcs if src.endswith(".cpp")]:
        header = _precompiled(deps)
        deps = deps + select({_BARE: [], "//conditions:default": [header]})
        copts = select({_BARE: [], "//conditions:default": [
            "-include-pch",
            "$(BINDIR)/%s.pch" % header[2:].replace(":", "/"),
            # It is what the source depends on, instead of all that it includes;
            # so Bazel's own -MD remains unused.
            "-MMD",
            "-Wno-unused-command-line-argument",
            "-Xclang",
            "-module-file-deps",
        ]})
    rule(srcs = srcs, deps = deps, copts = copts, **kwargs)

def cc_library(**kwargs):
    _with_precompiled(native.cc_library, **kwargs)

def cc_binary(**kwargs):
    _with_precompiled(native.cc_binary, **kwargs)

def cc_test(**kwargs):
    _with_precompiled(native.cc_test, **kwargs)
