#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include "runtime/plan/Plan.h"
#include "runtime/proof/Waits.h"
#include "runtime/proof/Proof.h"
int main(int n, char** v) {
  for (int i = 1; i < n; ++i) {
    std::ifstream f(v[i]); std::stringstream s; s << f.rdbuf();
    auto plan = sbp::plan::fromJson(s.str());
    if (!plan.ok()) { std::cout << plan.status() << "\n"; continue; }
    auto t = std::chrono::steady_clock::now();
    for (size_t e = 0; e < plan->entries.size(); ++e)
      std::cout << v[i] << " " << plan->entries[e].name << " any " << sbp::proof::checkWaits(*plan, e, sbp::proof::Channel::kAnyOrder) << " in order " << sbp::proof::checkWaits(*plan, e, sbp::proof::Channel::kInOrder) << "\n";
    std::cout << std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count() << " s\n";
  }
}
