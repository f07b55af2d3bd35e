// sbp-lab: the papers' experiments.

#include "passes/search/lab/LabMain.h"

int main(int argc, char** argv) {
  return sbp::search::lab::labMain(argc, argv);
}
