#include "CSQLite.h"

const char *neighbour_csqlite(void) { return "CSQLite"; }
