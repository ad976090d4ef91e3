import { createRequire, syncBuiltinESMExports } from 'node:module';

/** What a program has made since the last look. */
export type Made = { schemas: number; streams: number };

const made: Made = { schemas: 0, streams: 0 };

/**
 * Loaded before a program, it counts the zod schemas and the web streams that the program makes. zod keeps the parts of each schema under
 * `_zod`, and defines it once a schema: so this counts all copies of the library, and wrapped schemas too.
 */
const { defineProperty } = Object;
Object.defineProperty = <T>(target: T, key: PropertyKey, descriptor: PropertyDescriptor & ThisType<unknown>): T => {
  if (key === '_zod') made.schemas += 1;
  return defineProperty(target, key, descriptor);
};

const fromNode = createRequire(import.meta.url)('node:stream/web') as Record<string, unknown>;
for (const name of ['ReadableStream', 'WritableStream', 'TransformStream', 'TextDecoderStream', 'TextEncoderStream', 'Response'] as const)
  countInstances(name);
syncBuiltinESMExports();

/** Puts a subclass that counts in the place of a class, where programs find it: as a global, and in Node's module. */
function countInstances(name: keyof typeof globalThis & string): void {
  type Streams = { new (...given: unknown[]): object; from?: (source: unknown) => object };
  const original = (globalThis as unknown as Record<string, Streams>)[name] as Streams;
  const counting: Streams = class extends original {
    constructor(...given: unknown[]) {
      super(...given);
      made.streams += 1;
    }
  };
  // It calls no constructor.
  if (original.from)
    counting.from = (source) => {
      made.streams += 1;
      return original.from?.(source) as object;
    };
  defineProperty(counting, 'name', { value: name });
  defineProperty(globalThis, name, { value: counting, writable: true, configurable: true });
  if (name in fromNode) fromNode[name] = counting;
}

/** Returns what was made since the last call. */
export function takeMade(): Made {
  const taken = { ...made };
  made.schemas = 0;
  made.streams = 0;
  return taken;
}
