#include "CLibPQ.h"

const char *neighbour_clibpq(void) { return "CLibPQ"; }
