"""Tests of whole programs that are compiled and run as a user does."""

_TOOLS = {
    "sbpc": "//tools:sbpc",
    "sbprun": "//tools:sbprun",
}

# What runs programs for GPUs without a GPU, see gpu.py.
_STAND_IN = {
    "append": "//codegen/cuda/testing/driver:append_kernels",
    "driver": "//codegen/cuda/testing/driver:libcuda.so.1",
    "nccl": "//codegen/cuda/testing/nccl:libnccl.so.2",
}

def training_test(
        name,
        files,
        size = "medium",
        data = [],
        runs_ranks = False,
        on_gpus = False):
    """Declares a test by the Python script NAME.py, which imports training.py.

    Args:
      name: of the test, and of the script.
      files: what is given to it as options beside the tools: {"generator":
        "//models:gpt.py"} is --generator=PATH. The generator writes the model.
      size: how long it may take.
      data: files that it needs and finds for itself.
      runs_ranks: whether it runs ranks on all cores that tests have.
      on_gpus: whether it runs programs for GPUs, and imports gpu.py.
    """
    options = dict(files, **_TOOLS)
    if on_gpus:
        options.update(_STAND_IN)
        data = data + ["gpu.py"]
    native.sh_test(
        name = name,
        size = size,
        srcs = [name + ".py"],
        args = ["--{}=$(location {})".format(*option) for option in options.items()],
        tags = ["cpu:2"] if runs_ranks else [],
        data = ["training.py", "//models:generator"] + options.values() + data,
    )
