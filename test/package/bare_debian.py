"""A bare Debian in a folder, and commands that run as if it were the whole system.

The machine that runs the tests is a Debian itself. The files of its essential packages, and their
entries in dpkg's database, make up a bare Debian of the same version. It has no files of other
packages (no compiler, no LLVM, no Bazel), and no network.
"""

import os
import pathlib
import re
import shutil
import subprocess

# The links of Debian since version 12; packages still name files in /bin and /lib.
MERGED = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")


class CannotIsolate(Exception):
    """The kernel does not permit a process to have a folder as its root; the message has
    the reason."""


class BareDebian:
    """The system in the folder `root`, with a user whose home is /home/user."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        for name in MERGED:
            (self.root / "usr" / name).mkdir(parents=True)
            (self.root / name).symlink_to(f"usr/{name}")
        for folder in ("dev", "proc", "tmp", "home/user", "var/lib/dpkg/info",
                       "var/lib/dpkg/updates"):
            (self.root / folder).mkdir(parents=True)
        # dpkg's names of its records of packages.
        shutil.copy2("/var/lib/dpkg/info/format", self.root / "var/lib/dpkg/info")
        self.home = self.root / "home/user"
        self.installed = set()
        self.install(*essential_packages())

    def install(self, *packages):
        """Adds packages of this machine, and their dependencies."""
        for package in with_dependencies(packages) - self.installed:
            self.installed.add(package)
            self._copy_files(package)
            status = subprocess.run(["dpkg-query", "--status", package], check=True,
                                    capture_output=True, text=True).stdout
            with open(self.root / "var/lib/dpkg/status", "a") as database:
                database.write(status + "\n")

    def run_as_root(self, command, **keywords):
        """Runs the words `command` as root, who may write anywhere."""
        return self._run(["--bind", self.root, "/"], 0, "/root", command, **keywords)

    def run_as_user(self, command, **keywords):
        """Runs the words `command` as a user, who may write only to their home."""
        return self._run(["--ro-bind", self.root, "/", "--bind", self.home, "/home/user"],
                         1000, "/home/user", command, **keywords)

    def _copy_files(self, package):
        paths = subprocess.run(["dpkg-query", "--listfiles", package], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        for path in paths:
            target = self.root / path.lstrip("/")
            # Skips lines about diversions, and folders, which belong to many packages.
            if not os.path.lexists(path) or os.path.lexists(target):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if os.path.islink(path):
                target.symlink_to(os.readlink(path))
            elif os.path.isdir(path):
                target.mkdir()
            else:
                shutil.copy2(path, target)
        for record in pathlib.Path("/var/lib/dpkg/info").glob(f"{package}[.:]*"):
            shutil.copy2(record, self.root / "var/lib/dpkg/info")

    def _run(self, binds, user, home, command, **keywords):
        return subprocess.run(
            ["bwrap", "--unshare-all", "--die-with-parent", *binds, "--proc", "/proc",
             "--dev", "/dev", "--tmpfs", "/tmp", "--uid", str(user), "--gid", str(user),
             "--clearenv", "--setenv", "HOME", home, "--setenv", "PATH",
             "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
             "--chdir", home if user else "/", *command], check=True, **keywords)


def check_isolation():
    """Raises CannotIsolate if commands cannot be run in a folder."""
    trial = subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc",
                            "/proc", "--dev", "/dev", "true"], capture_output=True,
                           text=True)
    if trial.returncode != 0:
        raise CannotIsolate(trial.stderr.strip())


def essential_packages():
    lines = dpkg_query("${Essential} ${Package}")
    return [line.split()[1] for line in lines if line.startswith("yes ")]


def with_dependencies(packages):
    """Returns the names of `packages` and of all their dependencies."""
    dependencies, providers = {}, {}
    for line in dpkg_query("${Package}|${Pre-Depends}, ${Depends}|${Provides}"):
        # Alternatives also contain bars; names and provided names do not.
        name, rest = line.split("|", 1)
        depends, provides = rest.rsplit("|", 1)
        dependencies[name] = depends
        for provided in [name] + names_in(provides):
            providers.setdefault(provided, name)
    found, waiting = set(), list(packages)
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        for choice in dependencies[package].split(","):
            installed = [providers[name] for name in names_in(choice)
                         if name in providers]
            waiting += installed[:1]
    return found


def names_in(relation):
    """Returns the names of packages in `a (>= 1) | b:any, c`."""
    return [re.match(r"[^\s:(]+", word.strip())[0]
            for word in re.split("[,|]", relation) if word.strip()]


def dpkg_query(line_format):
    """Returns one line per installed package."""
    lines = subprocess.run(
        ["dpkg-query", "--show", "--showformat",
         "${db:Status-Status} " + line_format + "\n"], check=True, capture_output=True,
        text=True).stdout.splitlines()
    return [line.removeprefix("installed ") for line in lines
            if line.startswith("installed ")]
