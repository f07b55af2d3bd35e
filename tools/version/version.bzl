"""The version of the project: that of its tools, packages and programs."""

VERSION = "0.1.0"
