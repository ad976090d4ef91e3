/** Role and state of a card, by their numbers in the graph: a word and a colour. */
export const roles: [string, string][] = [
  ['Planner', '#6c8cff'],
  ['Researcher', '#3fc1a5'],
  ['Coder', '#f2a33c'],
  ['Reviewer', '#e0607e'],
  ['Critic', '#a777e3'],
  ['Tool', '#5aa9e6'],
  ['Memory', '#8bc34a'],
  ['Router', '#ff7f50'],
];
export const states: [string, string][] = [
  ['idle', '#8a93a6'],
  ['running', '#3d8bfd'],
  ['done', '#2fb170'],
  ['error', '#e5484d'],
];

export const roleOf = (number: number) => roles[number] ?? (['?', '#888'] as [string, string]);
export const stateOf = (number: number) => states[number] ?? (['?', '#888'] as [string, string]);
