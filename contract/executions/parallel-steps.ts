/** Steps that run at the same time in one execution: the default of branches that run together, and the maximum. */
export const parallelSteps = 4;
export const maxParallelSteps = 16;
/** The setting of a new project: branches run together, and a canvas without branches works one step after another. */
export const parallelByBranches = 0;
