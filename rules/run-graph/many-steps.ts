/** A run of so many steps or more waits for its turn: runs of many steps are stored one after another, and work as far as memory allows. */
export const manySteps = 200;
