/** The numbers of the history's statuses and types, as the specification defines them. */
export const resultStatus = { processing: 1, completed: 2, failed: 3, cancelled: 4 } as const;
export const resultType = { processing: 1, success: 2, failure: 4 } as const;
