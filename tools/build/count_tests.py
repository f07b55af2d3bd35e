#!/usr/bin/env python3
"""Counts the test cases of a Bazel run: count_tests.py EVENTS STATUS

EVENTS is the file of --build_event_json_file, STATUS Bazel's exit status. Prints the failed targets
and, last, "N passed, N failed". A gtest counts with its cases, any other test as one case. A target
that did not build, or ended before it could report, is one failure. Exits with 0 if Bazel did and
nothing failed.
"""

import json
import pathlib
import sys
import urllib.parse
import xml.etree.ElementTree


def main():
    events, status = sys.argv[1], int(sys.argv[2])
    tests = read_events(events)
    passed = failed = 0
    for label, (test_passed, report) in sorted(tests.items()):
        good, bad = cases_of(report)
        if not test_passed:
            bad = max(bad, 1)
            print(f"FAILED {label}")
        elif good + bad == 0:
            good = 1
        passed += good
        failed += bad
    # A target that is no test may have failed to build.
    if status != 0 and failed == 0:
        failed = 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if status == 0 and failed == 0 else 1)


def read_events(path):
    """Returns {label: (whether it passed, path of its test.xml or None)}."""
    tests = {}
    for line in pathlib.Path(path).read_text().splitlines():
        event = json.loads(line)
        identity = event["id"]
        if "targetConfigured" in identity and event.get("configured", {}).get(
                "testSize"):
            tests.setdefault(identity["targetConfigured"]["label"], (False, None))
        if "testResult" in identity and "testResult" in event:
            result = event["testResult"]
            outputs = {output["name"]: output["uri"]
                       for output in result.get("testActionOutput", [])}
            report = outputs.get("test.xml")
            tests[identity["testResult"]["label"]] = (
                result["status"] == "PASSED",
                report and urllib.parse.unquote(urllib.parse.urlparse(report).path))
    return tests


def cases_of(report):
    """Returns the numbers of passed and failed cases in a test.xml; skipped cases are
    neither."""
    if not report:
        return 0, 0
    try:
        root = xml.etree.ElementTree.parse(report).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return 0, 0
    passed = failed = 0
    for case in root.iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is None and case.get("result") != "skipped":
            passed += 1
    return passed, failed


if __name__ == "__main__":
    main()
