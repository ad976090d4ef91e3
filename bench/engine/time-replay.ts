import { produceWithPatches } from 'immer';
import { ReplayAxis } from '../../src/model/replay/replay-axis.ts';
import { replayMarks, spentAlong } from '../../src/model/replay/replay-marks.ts';
import type { ReplayState } from '../../src/model/workspace-state.ts';
import { Recording } from '../../src/workers/engine/replay/recording.ts';
import { showMoment } from '../../src/workers/engine/replay/show-moment.ts';
import { recordedRun } from '../../tests/support/engine/recorded-run.ts';

/** A run of 10,000 events: 250 cards in a review loop of 20 rounds. */
const steps = 250;
const rounds = 20;

/** Opening a replay of 10,000 events, without reading them, and showing any moment of it: from the place to the message to the page. */
export function timeReplay(samples: number): { name: string; limitMs: number; times: number[] }[] {
  const { details, events } = recordedRun(steps, rounds);
  const opening: number[] = [];
  for (let sample = -2; sample < Math.max(5, samples / 20); sample += 1) {
    const started = performance.now();
    const recording = new Recording(details, null, events);
    const axis = new ReplayAxis(events, false);
    structuredClone({
      ...{ ...recording.momentAt(events.length), lines: recording.lines },
      ...{ marks: replayMarks(events, axis), spent: spentAlong(events, axis) },
    });
    if (sample >= 0) opening.push(performance.now() - started);
  }
  const recording = new Recording(details, null, events);
  const axis = new ReplayAxis(events, false);
  const seeking: number[] = [];
  const { run, steps: places, added } = recording.momentAt(events.length);
  let shown: Pick<ReplayState, 'run' | 'steps' | 'versions'> = { run, steps: places, versions: added };
  for (let sample = -20; sample < samples; sample += 1) {
    const placeMs = (((sample + 21) * 7_919) % 10_007) * (axis.durationMs / 10_007);
    const started = performance.now();
    const to = recording.momentAt(axis.eventsAt(placeMs));
    const [next, patches] = produceWithPatches(shown, (draft) => showMoment(draft, shown, to));
    structuredClone(patches);
    shown = next;
    if (sample >= 0) seeking.push(performance.now() - started);
  }
  return [
    { name: `opening a replay of ${events.length} events`, limitMs: 300, times: opening },
    { name: 'showing another moment of it', limitMs: 16, times: seeking },
  ];
}
