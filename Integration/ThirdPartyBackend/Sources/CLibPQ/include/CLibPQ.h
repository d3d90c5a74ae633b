#pragma once

/// The name of the target, which other packages have too.
const char *neighbour_clibpq(void);
