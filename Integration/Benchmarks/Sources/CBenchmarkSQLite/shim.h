#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sqlite3.h>
