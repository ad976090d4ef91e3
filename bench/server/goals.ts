import type { Figure, Goal } from '../figure.ts';
import type { ScenarioName } from './scenario.ts';

/** The peer of five-step runs: DBOS, whose steps make the same model calls. Measured in turns with them, in the same run of the benchmark. */
const dbos = 'with models';

/** What the server should reach on two cores without other load. `of` makes the bound a multiple of the figure of a peer. */
export const goals = {
  runRate: { scenario: 'runs-16', figure: 'five-step runs, 16 in flight', unit: 'runs/s', of: dbos, atLeast: 0.95 },
  runP99: { scenario: 'runs-16', figure: 'five-step runs, 16 in flight, p99', unit: 'ms', of: dbos, atMost: 1.2 },
  runProcessor: { scenario: 'runs-16', figure: 'processor of a five-step run, with PostgreSQL', unit: 'ms', atMost: 10.8 },
  runAlone: { scenario: 'runs-1', figure: 'five-step runs, one in flight', unit: 'ms', of: dbos, atMost: 1.1 },
  runAllocated: { scenario: 'run-counts', figure: 'allocated by a five-step run', unit: 'KiB', atMost: 1_500 },
  runStatements: { scenario: 'run-counts', figure: 'statements of a five-step run', unit: 'statements', atMost: 7 },
  commandRate: { scenario: 'commands', figure: 'single commands', unit: 'commands/s', atLeast: 650 },
  commandProcessor: { scenario: 'commands', figure: "processor of a command, the server's", unit: 'ms', atMost: 2.1 },
  followerMemory: { scenario: 'followers', figure: 'memory with 5,000 followers', unit: 'MB', atMost: 500 },
  followersAtWork: { scenario: 'followers', figure: '5,000 followers, until all are at work', unit: 's', atMost: 14 },
  branches: { scenario: 'graphs', figure: '64 branches, model answers in 50 ms', unit: 'ms', atMost: 300 },
  canvasSave: { scenario: 'canvas', figure: 'canvas of 5,000 nodes saved', unit: 's', atMost: 0.6 },
  killedRuns: { scenario: 'kill', figure: 'killed runs, from ready to the last end', unit: 's', atMost: 0.5 },
  idleMemory: { scenario: 'start', figure: 'memory, idle', unit: 'MB', atMost: 160 },
  loadedMemory: { scenario: 'memory', figure: 'memory, after load', unit: 'MB', atMost: 250 },
  firstStart: { scenario: 'start', figure: 'start, first', unit: 's', atMost: 2 },
  laterStart: { scenario: 'start', figure: 'start, later', unit: 's', atMost: 0.9 },
  largeTeam: { scenario: 'large-team', figure: 'first start of a run of 3,000 agents', unit: 's', atMost: 1 },
} as const satisfies Record<string, Goal & { scenario: ScenarioName }>;

/** The figure with its goal, which has the same unit. */
export function toward<G extends Goal>(goal: G, figure: Figure & { unit: G['unit'] }): Figure {
  return { ...figure, goal };
}
