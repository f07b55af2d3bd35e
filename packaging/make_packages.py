#!/usr/bin/python3
"""Makes the tarball and the Debian package from the same tree (see BUILD)."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import libraries

# Path in the tree for each path in the sources; the first pattern that matches counts.
PLACES = [
    (r"plugins/\w+/(\w+\.so)", r"lib/sbp/plugins/\1"),
    (r"(plugins/.*)", r"share/sbp/\1"),
    (r"packaging/cmake/(.*\.cmake)", r"lib/cmake/sbp/\1"),
    (r"(models/.*|machines/.*)", r"share/sbp/\1"),
    (r"(CHANGELOG\.md|LICENSE|README\.md|docs/.*)", r"share/doc/sbp/\1"),
    (r"(.*\.(?:h|inc|td))", r"include/sbp/\1"),
]

# Debian packages that are linked statically into the tools, or into the programs they make.
LINKED_STATICALLY = [
    "libabsl-dev", "libc6-dev", "libcli11-dev", "libfmt-dev", "libgcc-12-dev",
    "liblld-22-dev", "libmlir-22-dev", "libstdc++-12-dev", "nlohmann-json3-dev",
]

# The oldest glibc with all functions that the tools and their programs use: Debian 12's.
CONTROL = """Package: sbp
Version: {version}
Architecture: amd64
Maintainer: The sbp authors
Section: devel
Priority: optional
Installed-Size: {kilobytes}
Depends: libc6 (>= 2.36)
Recommends: python3
Suggests: libucx0, clang-22, cmake, libmlir-22-dev, llvm-22-dev, mlir-22-tools
Description: compiler of neural networks to one program for many ranks
 sbpc compiles a neural network that was written for one device into one native
 program that N ranks run together. python3 runs the generators of models, libucx0 lets
 programs talk between hosts, and the other suggestions build plug-ins.
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--tarball", required=True)
    parser.add_argument("--deb", required=True)
    parser.add_argument("--copyright", required=True)
    parser.add_argument("--llvm", nargs="+", required=True)
    parser.add_argument("--tools", nargs="+", required=True)
    parser.add_argument("--files", nargs="+", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder, pathlib.Path(options.tarball).name.removesuffix(
            ".tar.gz"))
        prefix.mkdir()
        install(prefix, options)
        write_tarball(prefix, options.tarball)
        write_deb(prefix, options.version, options.deb)


def install(prefix, options):
    bundled = libraries.needed_by(options.tools, options.llvm)
    for tool in options.tools:
        install_binary(tool, prefix / "bin" / pathlib.Path(tool).name,
                       library_path="$ORIGIN/../lib/sbp")
    for name, file in bundled.items():
        install_binary(file, prefix / "lib/sbp" / name, library_path="$ORIGIN")
    for file in options.files:
        copy(file, prefix / place_of(file))

    documents = prefix / "share/doc/sbp"
    packages = {libraries.package_of(file) for file in bundled.values()}
    for package in sorted(packages.union(LINKED_STATICALLY)):
        text = documents / "licences" / package
        text.parent.mkdir(exist_ok=True)
        text.write_text(libraries.copyright_of(package))
    copy(options.copyright, documents / "copyright")


def place_of(file):
    path = re.sub(r"^bazel-out/[^/]+/bin/", "", os.path.normpath(file))
    for pattern, place in PLACES:
        if re.fullmatch(pattern, path):
            return re.sub(pattern, place, path)
    raise ValueError(f"nobody says where {path} goes")


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    # Bazel makes all files executable; here only scripts and programs are.
    with open(source, "rb") as file:
        is_script = file.read(2) == b"#!"
    target.chmod(0o755 if is_script else 0o644)


def install_binary(source, target, library_path):
    """Installs a program or a library without debug symbols. It looks for libraries along
    `library_path` before the system's folders."""
    copy(source, target)
    target.chmod(0o755)
    # strip comes first, as it would damage a file that patchelf has changed.
    subprocess.run(["strip", "--strip-unneeded", target], check=True)
    subprocess.run(["patchelf", "--set-rpath", library_path, target], check=True)


def write_tarball(prefix, path):
    subprocess.run(["tar", "--create", "--gzip", "--file", path, "--sort=name",
                    "--owner=0", "--group=0", "--numeric-owner",
                    "--directory", prefix.parent, prefix.name], check=True)


def write_deb(prefix, version, path):
    """Makes a package that installs the tree to /usr."""
    root = prefix.parent / "deb"
    root.mkdir()
    prefix.rename(root / "usr")
    kilobytes = sum(file.stat().st_size for file in root.rglob("*")) // 1024
    control = root / "DEBIAN/control"
    control.parent.mkdir()
    control.write_text(CONTROL.format(version=version, kilobytes=kilobytes))
    # This level takes hardly longer than copying; the default level takes minutes.
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", "-z3",
                    root, path], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
