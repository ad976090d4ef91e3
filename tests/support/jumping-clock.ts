import { readFileSync } from 'node:fs';

/**
 * Loaded into a server before its own code: `Date` is then off by as many ms as the file CLOCK_JUMP_FILE says, read anew at each
 * SIGUSR2. Timers and `performance.now()` go on as ever, as they do when a machine's clock is set.
 */
const RealDate = Date;
let offsetMs = 0;

process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(process.env.CLOCK_JUMP_FILE ?? '', 'utf8'));
  console.log(`The clock is off by ${offsetMs} ms.`);
});

globalThis.Date = new Proxy(RealDate, {
  construct: (_target, given, newTarget) =>
    Reflect.construct(RealDate, given.length === 0 ? [RealDate.now() + offsetMs] : given, newTarget),
  get: (target, name, receiver) => (name === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, name, receiver)),
});
