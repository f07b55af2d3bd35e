"""Solves a problem with toulbar2: python3 toulbar2_solve.py FILE SECONDS

Prints the least cost, or null if it could not be proven in time, and the seconds of solving without
reading the file. Runs in any Python with pytoulbar2.
"""

import json
import sys
import time

import pytoulbar2

problem = pytoulbar2.CFN()
problem.Read(sys.argv[1])
begin = time.perf_counter()
solution = problem.Solve(timeLimit=int(sys.argv[2]))
seconds = time.perf_counter() - begin
is_proven = solution is not None and problem.GetDDualBound() >= solution[1] * (1 - 1e-9)
print(json.dumps({"cost": solution[1] if is_proven else None, "seconds": seconds}))
