"""The right way for a command to fail: exit status 1, one error that names the fault, and
no other output.
"""

import os
import resource
import signal
import subprocess

# Text that no error should contain.
CRASHES = ("LLVM ERROR", "Stack dump", "terminate called", "Sanitizer")


def complaints(name, words, command, is_line=False, file_limit=None):
    """Returns what is wrong with the failure of `command`, as a list of sentences.

    The command must exit with 1, print one error that contains all of `words`, print nothing
    else, and leave this folder unchanged. With `is_line` the error must be one line, as it
    belongs to no position in a model. `file_limit` is the largest size of a file, in bytes,
    which stands for a full disk.
    """
    def limit_files():
        # Without the signal a write fails as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    command = [str(word) for word in command]
    before = snapshot()
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                                errors="replace", stderr=subprocess.PIPE,
                                check=False, timeout=60,
                                preexec_fn=limit_files if file_limit else None)
    except subprocess.TimeoutExpired:
        return [f"{name}: hangs: {' '.join(command)}"]
    said = result.stderr
    found = []
    if result.returncode != 1:
        found.append(f"exits with {result.returncode}")
    # Output of a run before its disk is full is permitted.
    if result.stdout and not file_limit:
        found.append(f"prints {result.stdout[:200]}")
    if not said or said.count("error:") > 1:
        found.append(f"says {said.count('error:')} errors")
    if "sbprun:" in said:
        found.append("sbprun says it again")
    if is_line and (said.count("\n") != 1 or not said.startswith("error: ")):
        found.append("is not one line that begins with error:")
    found += [f"shows {crash}" for crash in CRASHES if crash in said]
    found += [f"does not name {word}" for word in words if word not in said]
    after = snapshot()
    found += [f"leaves {path}" for path in sorted(after.items() ^ before.items())]
    return [f"{name}: {'; '.join(map(str, found))}\n$ {' '.join(command)}\n{said}"
            ] if found else []


def snapshot():
    """Returns sizes and times of the files in this folder."""
    return {entry.path: (entry.stat().st_size, entry.stat().st_mtime_ns)
            for entry in os.scandir() if entry.is_file()}
