import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresOf } from '../bench-processes.ts';
import { goals, toward } from '../goals.ts';
import { memoryMb } from '../measure/memory.ts';
import { keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';
import { oneRun } from './runs.ts';

/** The time and memory of a server before its first user. */
export const startScenario: Scenario = {
  name: 'start',
  run: async (bench) => {
    const begun = performance.now();
    const server = await bench.anotherServer();
    const first = performance.now() - begun;
    await server.kill('SIGTERM');
    const again = performance.now();
    const later = await server.restart();
    const second = performance.now() - again;
    await wait(bench.quick ? 1_000 : 5_000);
    const idle = memoryMb(later.pid, postgresOf(later));
    await later.stop();
    return [
      toward(goals.firstStart, { what: 'start, data folder created', unit: 's', value: first / 1_000, floor: { atMost: 4 } }),
      toward(goals.laterStart, { what: 'start, later', unit: 's', value: second / 1_000, floor: { atMost: 2.5 } }),
      toward(goals.idleMemory, { what: 'memory, idle', unit: 'MB', value: idle, floor: { atMost: 300 } }),
    ];
  },
};

/** Memory after load: measured after the runs. */
export const memoryScenario: Scenario = {
  name: 'memory',
  run: async (bench) => {
    const followedAccount = await bench.followedAccount('instant');
    await keepInFlight(16, bench.quick ? 1 : 3, () => oneRun(followedAccount));
    const { server, postgres } = bench.parts();
    const value = memoryMb(server, postgres);
    return [toward(goals.loadedMemory, { what: 'memory, after load', unit: 'MB', value, floor: { atMost: 450 } })];
  },
};
