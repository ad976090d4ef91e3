import { createInterface } from 'node:readline';
import { z } from 'zod';
import { PlayedForge } from './played-forge.ts';

/**
 * A played forge as a program of its own, so that a server can be killed beside it: `node tests/support/forges/serve.ts gitlab 7001`. It prints where it
 * is, and then carries out one call of the forge for each line: `{"call": "label", "args": [{"number": 1, "isRequest": false}, "artel", "ann"]}`.
 */
const kind = z.enum(['github', 'gitlab', 'gitea']).parse(process.argv[2]);
const forge = await PlayedForge.start(kind, { port: Number(process.argv[3] ?? 0) });
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
print({ url: forge.url, token: forge.token });

const calls = [
  'addHook',
  'branches',
  'check',
  'closeThread',
  'comments',
  'commit',
  'commits',
  'label',
  'open',
  'review',
  'say',
  'unlabel',
] as const;
const line = z.object({ call: z.enum(calls), args: z.array(z.unknown()) });
for await (const text of createInterface({ input: process.stdin })) {
  const { call, args } = line.parse(JSON.parse(text));
  print(await (forge[call] as (...args: unknown[]) => unknown)(...args));
}
await forge.close();
