import { type Figure, type Goal, goalValue, meetsGoal } from './figure.ts';

/** `650 commands/s or more`, `0.95 x with models or more`. */
export function formatGoal(goal: Goal): string {
  const unit = goal.of === undefined ? goal.unit : `x ${goal.of}`;
  return 'atLeast' in goal ? `${goal.atLeast} ${unit} or more` : `${goal.atMost} ${unit} at most`;
}

/** Says which goals are missed, and which were not measured. */
export function goalSentences(goals: Record<string, Goal>, figures: Figure[]): string[] {
  const all = Object.values(goals);
  const measured = all.map((goal) => ({ goal, figure: figureOf(goal, figures) }));
  const missed = measured.filter(({ goal, figure }) => figure !== undefined && !meetsGoal(figure, goal));
  const left = measured.filter(({ figure }) => figure === undefined);
  const names = (list: typeof measured) => list.map(({ goal: { scenario, figure } }) => `${scenario}: ${figure}`).join('; ');
  return [
    ...(all.length === 0 ? [] : [`Goals: ${all.length - missed.length - left.length} of ${all.length} reached.`]),
    ...(missed.length === 0 ? [] : [`Goals missed: ${names(missed)}.`]),
    ...(left.length === 0 ? [] : [`Goals not measured: ${names(left)}.`]),
  ];
}

/** The goals as the JSON line has them: null where nothing was measured. */
export function goalRecords(goals: Record<string, Goal>, figures: Figure[]): object[] {
  return Object.entries(goals).map(([name, goal]) => {
    const figure = figureOf(goal, figures);
    if (figure === undefined) return { name, ...goal, value: null, reached: null };
    return { name, ...goal, value: Number(goalValue(figure, goal).toPrecision(6)), reached: meetsGoal(figure, goal) };
  });
}

/** A figure without a single call in its time says nothing of its goal. */
function figureOf(goal: Goal, figures: Figure[]): Figure | undefined {
  return figures.find((figure) => figure.goal === goal && !Number.isNaN(goalValue(figure, goal)));
}
