import './built-server.ts';

import { loadavg } from 'node:os';
import type { Figure } from '../figure.ts';
import { reportFigures, seconds } from '../figure-report.ts';
import { root, startBenchProcesses } from './bench-processes.ts';
import { goals } from './goals.ts';
import { installSize } from './measure/install-size.ts';
import { readOptions } from './options.ts';
import type { Scenario } from './scenario.ts';
import { canvasScenario } from './scenarios/canvas.ts';
import { commandScenario } from './scenarios/commands.ts';
import { crowdScenario } from './scenarios/crowd.ts';
import { fireScenario } from './scenarios/fires.ts';
import { followerScenario } from './scenarios/followers.ts';
import { graphScenario } from './scenarios/graphs.ts';
import { inputScenario } from './scenarios/inputs.ts';
import { killScenario } from './scenarios/kill.ts';
import { largeTeamScenario } from './scenarios/large-team.ts';
import { answerScenario, waitingScenario } from './scenarios/questions.ts';
import { runCountScenario } from './scenarios/run-counts.ts';
import { runScenarios } from './scenarios/runs.ts';
import { slowClientsScenario } from './scenarios/slow-clients.ts';
import { socketScenario } from './scenarios/sockets.ts';
import { memoryScenario, startScenario } from './scenarios/start.ts';
import { takeoverScenario } from './scenarios/takeover.ts';

const installScenario: Scenario = {
  name: 'install',
  run: async () => {
    const { wholeMb, withoutToolsMb, packages } = await installSize(root);
    return [
      { what: 'install, with Node and PostgreSQL', unit: 'MB', value: wholeMb, floor: { atMost: 700 }, note: `${packages} packages` },
      { what: 'install, without development tools', unit: 'MB', value: withoutToolsMb, floor: { atMost: 400 } },
    ];
  },
};

/**
 * `npm run bench:server`: the server under load, beside a bare durable engine and bare commits on the same kind of PostgreSQL in the
 * same run. Ends with a table, the goals that are missed, and one line of JSON; the exit status is 0 if everything could be measured.
 * `-- --quick` looks at a few scenarios within a minute, with smaller amounts. `--only name` measures one scenario, `--repeat n` takes medians.
 */
const scenarios: Scenario[] = [
  startScenario,
  ...runScenarios,
  runCountScenario,
  fireScenario,
  graphScenario,
  answerScenario,
  waitingScenario,
  memoryScenario,
  commandScenario,
  crowdScenario,
  canvasScenario,
  largeTeamScenario,
  inputScenario,
  slowClientsScenario,
  socketScenario,
  killScenario,
  takeoverScenario,
  followerScenario,
  installScenario,
];

const options = readOptions(
  process.argv.slice(2),
  scenarios.map(({ name }) => name),
);
if (typeof options === 'string') fail(options);
if (process.platform !== 'linux') fail('The server benchmark reads processor times and memory from /proc and runs on Linux only.');

const begun = performance.now();
const problems: string[] = [];
const repeats: Figure[][] = [];
const loadBefore = loadavg()[0] ?? 0;
const opening = startBenchProcesses(options.quick);
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt());
const bench = await opening.catch((error: Error) => (interrupted ? new Promise<never>(() => {}) : fail(error.message)));

for (let repeat = 0; repeat < options.repeats; repeat += 1) {
  const figures: Figure[] = [];
  for (const scenario of scenarios.filter(({ name }) => options.only.length === 0 || options.only.includes(name))) {
    const from = performance.now();
    try {
      figures.push(...(await scenario.run(bench)));
      console.log(`${scenario.name}: ${seconds(from)} s`);
    } catch (error) {
      if (interrupted) await new Promise(() => {});
      problems.push(`${scenario.name}: ${(error as Error).message.split('\n')[0]}`);
      console.log(problems.at(-1));
    }
  }
  repeats.push(figures);
}
await bench.end();

reportFigures({
  about: { bench: 'server', quick: options.quick, repeats: options.repeats },
  repeats,
  problems,
  goals,
  begun,
  load: loadBefore,
});

/** Ends all processes, also while they start. */
async function interrupt(): Promise<void> {
  interrupted = true;
  await opening.then(({ end }) => end()).catch(() => {});
  process.exit(130);
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
