"""A bare Debian as a folder, and commands that run as if it were all there is.

The machine that runs the tests is a Debian itself, so what its essential packages have
installed is a bare one of the same version: files, and the entries in dpkg's database. No
other package's file is there: no compiler, no LLVM, no Bazel, and no network.
"""

import os
import pathlib
import re
import shutil
import subprocess

# As Debian has them since version 12; packages still name files in /bin and /lib.
MERGED = ("bin", "lib", "lib32", "lib64", "libx32", "sbin")


class CannotIsolate(Exception):
    """The kernel lets nobody live in a folder here; the message says why."""


class BareDebian:
    """The system in the folder `root`, with a user's home, /home/user."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        for name in MERGED:
            (self.root / "usr" / name).mkdir(parents=True)
            (self.root / name).symlink_to(f"usr/{name}")
        for folder in ("dev", "proc", "tmp", "home/user", "var/lib/dpkg/info",
                       "var/lib/dpkg/updates"):
            (self.root / folder).mkdir(parents=True)
        # How dpkg names its records of packages.
        shutil.copy2("/var/lib/dpkg/info/format", self.root / "var/lib/dpkg/info")
        self.home = self.root / "home/user"
        self.installed = set()
        self.install(*essential_packages())

    def install(self, *packages):
        """Adds packages of this machine, with those that they depend on."""
        for package in with_dependencies(packages) - self.installed:
            self.installed.add(package)
            self._copy_files(package)
            status = subprocess.run(["dpkg-query", "--status", package], check=True,
                                    capture_output=True, text=True).stdout
            with open(self.root / "var/lib/dpkg/status", "a") as database:
                database.write(status + "\n")

    def run_as_root(self, command, **keywords):
        """Runs the words `command` as the administrator, who may write anywhere."""
        return self._run(["--bind", self.root, "/"], 0, "/root", command, **keywords)

    def run_as_user(self, command, **keywords):
        """Runs the words `command` as somebody who may write to no more than a home."""
        return self._run(["--ro-bind", self.root, "/", "--bind", self.home, "/home/user"],
                         1000, "/home/user", command, **keywords)

    def _copy_files(self, package):
        paths = subprocess.run(["dpkg-query", "--listfiles", package], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        for path in paths:
            target = self.root / path.lstrip("/")
            # Some lines are about diversions, and folders belong to many packages.
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
    """Raises CannotIsolate where commands cannot be run in a folder."""
    trial = subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc",
                            "/proc", "--dev", "/dev", "true"], capture_output=True,
                           text=True)
    if trial.returncode != 0:
        raise CannotIsolate(trial.stderr.strip())


def essential_packages():
    lines = dpkg_query("${Essential} ${Package}")
    return [line.split()[1] for line in lines if line.startswith("yes ")]


def with_dependencies(packages):
    """Names of all that must be installed for `packages`, themselves among them."""
    dependencies, providers = {}, {}
    for line in dpkg_query("${Package}|${Pre-Depends}, ${Depends}|${Provides}"):
        # Alternatives have bars too, but names and what is provided have none.
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
    """The names of packages in `a (>= 1) | b:any, c`."""
    return [re.match(r"[^\s:(]+", word.strip())[0]
            for word in re.split("[,|]", relation) if word.strip()]


def dpkg_query(line_format):
    """A line for each package that is installed."""
    lines = subprocess.run(
        ["dpkg-query", "--show", "--showformat",
         "${db:Status-Status} " + line_format + "\n"], check=True, capture_output=True,
        text=True).stdout.splitlines()
    return [line.removeprefix("installed ") for line in lines
            if line.startswith("installed ")]
