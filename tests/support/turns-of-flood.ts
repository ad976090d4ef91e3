/**
 * Calls for another user, one call after another, while a flood of calls is answered. Returns how many answers of the flood came during each of that
 * user's calls: turns are counted, so a slow machine changes nothing. The flood calls `answered` for each of its answers.
 */
export async function turnsOfFlood(flood: (answered: () => void) => Promise<unknown>, other: () => Promise<unknown>): Promise<number[]> {
  let answers = 0;
  let isOver = false;
  const flooding = flood(() => {
    answers += 1;
  }).finally(() => {
    isOver = true;
  });
  const turns: number[] = [];
  while (!isOver) {
    const before = answers;
    await other();
    turns.push(answers - before);
  }
  await flooding;
  return turns;
}
