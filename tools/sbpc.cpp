// sbpc: from a model to one program for all ranks.

#include "codegen/driver/SbpcMain.h"

int main(int argc, char** argv) { return sbp::sbpcMain(argc, argv); }
