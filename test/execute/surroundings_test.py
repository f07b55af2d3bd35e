#!/usr/bin/python3
"""Compiler and programs work in unusual surroundings.

These are: without standard input, output and error; on a processor that lacks instructions;
under limits on files; in user namespaces; where a host has several addresses; and with names
that contain control characters of terminals, or the separator of names. Output for a terminal reports the files that were made.
"""

import array
import os
import pathlib
import pty
import resource
import signal
import subprocess
import sys

import training

# An input whose name contains the separator of names, and a sequence that clears a terminal.
MODEL = """
nn.parameter @w : tensor<4x3xf32> = #nn.zeros
func.func @loss(%x: tensor<8x4xf32> {nn.input = "a=b"}, %t: tensor<8xi32> {nn.input = "\\1B[2Jt"})
    -> (tensor<f32> {nn.output = "lo\\0Ass"}) attributes {nn.optimizer = #nn.sgd} {
  %w = nn.get @w : tensor<4x3xf32>
  %y = nn.einsum "bi,ij->bj" %x, %w
      : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %loss = nn.cross_entropy %y, %t : (tensor<8x3xf32>, tensor<8xi32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"""


def npy(path, descr, shape, numbers):
    """Writes a .npy file of `numbers`, an array."""
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    path.write_bytes(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little")
                     + header.encode() + numbers.tobytes())


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=300,
                          **options)


def limited(kind, most):
    """Returns a function that sets a limit in a child process."""
    return lambda: resource.setrlimit(kind, (most, most))


def without_descriptors():
    for descriptor in (0, 1, 2):
        os.close(descriptor)


def is_one_error(result, *words):
    lines = result.stderr.splitlines()
    return (result.returncode == 1 and len(lines) == 1 and lines[0].startswith("error: ")
            and all(word in lines[0] for word in words))


class Surroundings:
    def __init__(self, tools):
        self.tools = tools
        self.failures = []
        self.data = []
        self.text = ["--text", tools.text, "--steps", "2"]

    def expect(self, what, is_so, *shown):
        if not is_so:
            self.failures.append(f"{what}: {' '.join(str(part) for part in shown)}")

    def compile(self, model, *options, name="program", **settings):
        return run(self.tools.sbpc, model, "-o", name, *options, **settings)

    def models(self):
        training.run(self.tools.generator, "--layers", 1, "--width", 8, "--heads", 1,
                     "--vocabulary", 256, "--batch", 4, "--sequence", 8, "-o", "gpt.mlir")
        training.run(self.tools.generator, "--layers", 1, "--width", 8, "--heads", 1,
                     "--vocabulary", 50257, "--batch", 2, "--sequence", 8, "-o", "big.mlir")
        pathlib.Path("names.mlir").write_text(MODEL)
        self.expect("gpt", self.compile("gpt.mlir", "-n", 4, name="gpt").returncode == 0)

    def without_descriptors(self):
        self.compile("gpt.mlir", "-n", 1, name="open")
        command = [self.tools.sbpc, "gpt.mlir", "-n", "1", "-o", "closed"]
        code = subprocess.run(command, preexec_fn=without_descriptors, check=False,
                              close_fds=False).returncode
        same = pathlib.Path("open").read_bytes() == pathlib.Path("closed").read_bytes()
        self.expect("without descriptors another program is written",
                    code == 0 and same, code)

    def other_processor(self):
        # Bulldozer has instructions that no current processor has.
        self.compile("gpt.mlir", "-n", 2, "--cpu", "bdver4", name="other")
        result = run(self.tools.sbprun, "-n", 2, "./other", *self.text)
        self.expect("another processor", is_one_error(result, "bdver4", "fma4", "--cpu"),
                    result.returncode, result.stderr)
        self.expect("its description", run("./other", "--describe").returncode == 0)

    def limits(self):
        result = self.compile("gpt.mlir", "-n", 1, name="small", preexec_fn=limited(
            resource.RLIMIT_FSIZE, 100_000))
        self.expect("a program beyond the limit of files",
                    is_one_error(result, "File too large"), result.returncode, result.stderr)
        self.expect("its rest", not list(pathlib.Path(".").glob("small*")))
        result = run(self.tools.sbprun, "-n", 4, "./gpt", *self.text, preexec_fn=limited(
            resource.RLIMIT_FSIZE, 4096))
        self.expect("memory beyond the limit of files",
                    is_one_error(result, "File too large"), result.returncode, result.stderr)
        for most in (8, 10):
            result = run(self.tools.sbprun, "-n", 4, "./gpt", *self.text,
                         preexec_fn=limited(resource.RLIMIT_NOFILE, most))
            self.expect(f"{most} descriptors",
                        is_one_error(result, f"may open {most} files", "ulimit -n"),
                        result.returncode, result.stderr)

    def user_namespaces(self):
        if run("unshare", "-U", "true").returncode != 0:
            print("user namespaces cannot be made here")
            return
        environment = dict(os.environ, WORLD_SIZE="4", MASTER_PORT=str(20000 + os.getpid() % 10000))
        ranks = [subprocess.Popen(["unshare", "-U", "./gpt", *self.text],
                                  env=dict(environment, RANK=str(rank)), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                 for rank in range(4)]
        said = [rank.communicate(timeout=120)[0] for rank in ranks]
        self.expect("user namespaces", all(rank.returncode == 0 for rank in ranks), *said)
        self.expect("what UCX says there", "UCX" not in "".join(said), *said)

    def addresses(self):
        """Checks a name of the host with several addresses, where rank 0 does not listen at
        the first one."""
        pathlib.Path("hosts").write_text("::1 localhost\n127.0.0.1 localhost\n")
        with_hosts = "mount --bind hosts /etc/hosts && "
        if run("unshare", "-Urm", "sh", "-c", with_hosts + "true").returncode != 0:
            print("file systems cannot be mounted here")
            return
        environment = dict(os.environ, WORLD_SIZE="4", MASTER_ADDR="localhost",
                           MASTER_PORT=str(30000 + os.getpid() % 10000))
        ranks = " ".join(f"RANK={rank} ./gpt {' '.join(map(str, self.text))} --wait-timeout 20 &"
                         for rank in range(4))
        result = run("unshare", "-Urm", "sh", "-c", f"{with_hosts} {{ {ranks} wait; }}",
                     env=environment)
        self.expect("a name of two addresses", "step 2/2" in result.stdout, result.stderr)

    def names(self):
        self.compile("names.mlir", "-n", 1, name="names")
        npy(pathlib.Path("x=1.npy"), "<f4", "(16, 4)", array.array("f", [0.5] * 64))
        npy(pathlib.Path("t.npy"), "|u1", "(16,)", array.array("B", [1] * 16))
        data = ["--data", "a=b=x=1.npy", "--data", "\x1b[2Jt=t.npy"]
        result = run("./names", *data, "--steps", 1)
        self.expect("a name with =", result.returncode == 0, result.stderr)
        self.expect("u8 for i32", result.stderr == "note: t.npy: u8 is read as i32\n",
                    result.stderr)
        shown = [run("./names", option).stdout for option in ("--describe", "--help")]
        shown.append(run("./names", *data[:2]).stderr)
        shown.append(run("./names", *data, "--entry", "loss").stdout)
        for text in shown:
            self.expect("control characters", "\x1b" not in text and "\nss" not in text, text)
        self.expect("they are shown", "\\x1b[2Jt" in shown[0] and "lo\\nss" in shown[3], *shown)
        lines = run("./names", *data, "--entry", "loss", "--json").stdout.splitlines()
        self.expect("JSON", all(line.startswith("{") and line.endswith("}") for line in lines),
                    *lines)

    def tokens(self):
        self.compile("big.mlir", "-n", 1, name="big")
        pathlib.Path("train.bin").write_bytes(
            array.array("H", [(i * 7919) % 50257 for i in range(4000)]).tobytes())
        result = run("./big", "--tokens", "train.bin", "--steps", 2)
        self.expect("nanoGPT's tokens", result.returncode == 0 and not result.stderr,
                    result.stderr)
        result = run("./big", "--text", "train.bin", "--steps", 1)
        self.expect("a text of few tokens", "a text feeds 0..255 of 50257" in result.stderr,
                    result.stderr)
        self.expect("the help", "--tokens train.bin" in run("./big", "--help").stdout)

    def terminal(self):
        """Checks that output for a terminal reports the files that were made, and other
        output does not."""
        main, end = pty.openpty()
        subprocess.run([self.tools.sbpc, "gpt.mlir", "-n", "4", "-o", "shown"], stderr=end,
                       check=True)
        os.close(end)
        said = os.read(main, 4096).decode()
        self.expect("what a terminal is told",
                    all(word in said for word in ("shown: a program for 4 ranks",
                                                  "train_step takes", "per rank",
                                                  "sbprun -n 4 ./shown --text book.txt")), said)
        self.expect("silence", self.compile("gpt.mlir", "-n", 4).stderr == "")


def main():
    tools = training.parse_tools("text")
    os.chdir(training.scratch())
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    surroundings = Surroundings(tools)
    surroundings.models()
    surroundings.without_descriptors()
    surroundings.other_processor()
    surroundings.limits()
    surroundings.user_namespaces()
    surroundings.addresses()
    surroundings.names()
    surroundings.tokens()
    surroundings.terminal()
    sys.exit("\n".join(surroundings.failures) or None)


if __name__ == "__main__":
    main()
