import { readFileSync } from 'node:fs';

/**
 * Loaded into a server before its own code. `Date` is off by the number of ms in the file CLOCK_JUMP_FILE, which is read at the start and
 * again at each SIGUSR2. Timers and `performance.now()` are unchanged, as on a machine whose clock is set.
 */
const RealDate = Date;
const readOffset = () => Number(readFileSync(process.env.CLOCK_JUMP_FILE ?? '', 'utf8'));
let offsetMs = readOffset();

process.on('SIGUSR2', () => {
  offsetMs = readOffset();
  console.log(`The clock is off by ${offsetMs} ms.`);
});

globalThis.Date = new Proxy(RealDate, {
  construct: (_target, given, newTarget) =>
    Reflect.construct(RealDate, given.length === 0 ? [RealDate.now() + offsetMs] : given, newTarget),
  get: (target, name, receiver) => (name === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, name, receiver)),
});
