"""The version of the project: of its tools, its packages, its programs."""

VERSION = "0.1.0"
