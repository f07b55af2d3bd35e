"""The shared libraries that are packaged with the tools, and their licences.

These are all libraries that the tools load except glibc. Every Debian has glibc, and it must be
that of the machine, as it fits the machine's loader and name services. On a machine that builds
packages each library belongs to a Debian package, which has a copyright file.
"""

import os
import pathlib
import re
import subprocess
import sys

GLIBC = "libc6"


def needed_by(programs, built_with):
    """Returns {name of the library: its file} for all libraries that `programs` load,
    except glibc. The libraries `built_with` are in no folder of the system."""
    libraries = {}
    folders = {os.path.dirname(os.path.abspath(library)) for library in built_with}
    environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(folders)}
    for program in programs:
        listing = subprocess.run(["ldd", program], check=True, capture_output=True,
                                 text=True, env=environment).stdout
        if missing := re.findall(r"(\S+) => not found", listing):
            sys.exit(f"{program} needs {', '.join(missing)}, which this machine has not")
        for name, path in re.findall(r"(\S+) => (/\S+)", listing):
            libraries[name] = os.path.realpath(path)
    return {name: path for name, path in sorted(libraries.items())
            if package_of(path) != GLIBC}


def package_of(path):
    """Returns the Debian package that has installed the file."""
    # Packages have files in /lib and in /usr/lib, although /lib is now a link to /usr/lib.
    candidates = [path, path.removeprefix("/usr"), "/usr" + path]
    for candidate in candidates:
        answer = subprocess.run(["dpkg-query", "--search", candidate],
                                capture_output=True, text=True)
        if answer.returncode == 0:
            return answer.stdout.split(":")[0]
    sys.exit(f"no Debian package has installed {path}")


def copyright_of(package):
    """Returns the text of the package's licence."""
    return pathlib.Path("/usr/share/doc", package, "copyright").read_text()
