#include "CofferCCursor.h"

_Thread_local coffer_cursor_t coffer_cursor_current = {0};
