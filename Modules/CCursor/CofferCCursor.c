#include "CofferCCursor.h"

_Thread_local coffer_cursor_t coffer_cursor_current = {0};
_Thread_local void *coffer_enclosing_current = 0;
_Thread_local uintptr_t coffer_raw_current = 0;
_Thread_local int32_t coffer_conversion_current = 0;
