#pragma once

/// Returns the name of the target. Targets of other packages have the same name.
const char *neighbour_clibpq(void);
