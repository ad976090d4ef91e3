import type { Problem } from './problem.ts';

/** The maximum of listed problems; the report also has their total. */
const maxNamed = 20;

/**
 * Returns the report about a canvas that cannot run: the number of problems and the first one, then a numbered list. Each kind of problem
 * has a hint. W8.01
 */
export function validationReport(problems: readonly [Problem, ...Problem[]]): Problem {
  const [first] = problems;
  const named = problems.slice(0, maxNamed);
  const left = problems.length - named.length;
  const hints = new Set(problems.map(({ code }) => hintFor(code)));
  const nodeIds = problems.flatMap((problem) => problem.nodeIds ?? []);
  const connectionIds = problems.flatMap((problem) => problem.connectionIds ?? []);
  return {
    ...(nodeIds.length > 0 && { nodeIds }),
    ...(connectionIds.length > 0 && { connectionIds }),
    code: 'pipeline.validationFailed',
    params: { ...first.params, cause: first.code, count: problems.length },
    details: [
      ...named.map(({ code, params }, at) => ({ code: 'pipeline.brokenRule', params: { ...params, cause: code, number: at + 1 } })),
      ...(left > 0 ? [{ code: 'pipeline.moreBrokenRules', params: { count: left } }] : []),
      ...[...hints].map((hint) => ({ code: `pipeline.hint.${hint}` })),
    ],
  };
}

function hintFor(code: string): 'server' | 'agent' | 'dialog' | 'link' | 'graph' | 'card' {
  if (code === 'agent.notChecked') return 'server';
  if (code === 'agent.serverIdTwice') return 'card';
  const [area] = code.split('.');
  return area === 'agent' || area === 'dialog' || area === 'link' || area === 'graph' ? area : 'card';
}
