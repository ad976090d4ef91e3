import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BodyLimits, canvasBody, usualBody } from '../../../../contract/body-limits.ts';
import type { Route } from '../../../../contract/route.ts';
import { routes } from '../../../../contract/routes.ts';
import { parseJson } from '../../../../server/http/bodies/parse-json.ts';
import { type Scan, scanJson } from '../../../../server/http/bodies/scan-json.ts';
import { largestCount } from '../../../support/hostile/largest-count.ts';

const wide: BodyLimits = { bytes: 2 ** 30, values: 2 ** 30, entries: 2 ** 30 };

function scan(text: string, limits: BodyLimits = usualBody): Promise<Scan> {
  return scanJson(Buffer.from(text), limits);
}

async function read(text: string): Promise<unknown> {
  const found = await scan(text, wide);
  if (found.problem) throw new SyntaxError(found.problem);
  return parseJson(Buffer.from(text), found.long, JSON.parse);
}

const repeat = (part: string, count: number) => Array.from({ length: count }, () => part).join(',');

test('R19.01 a body with too many small elements is refused, wherever they stand in it', async () => {
  const list = `[${repeat('{}', usualBody.values)}]`;
  for (const text of [list, `{"a":${list}}`, `{"a":{"b":${list}}}`]) expect(await scan(text)).toEqual({ problem: 'too_complex' });
  expect(await scan(`{"baseVersion":0,"patches":[${repeat('{}', 300_000)}]}`, canvasBody)).toEqual({ problem: 'too_complex' });
});

test('R19.01 the limit of entries holds for each collection by itself', async () => {
  const limits = { ...usualBody, entries: 10 };
  expect(await scan(`{"a":[${repeat('1', 10)}],"b":[${repeat('1', 10)}]}`, limits)).toMatchObject({ long: [] });
  expect(await scan(`{"a":[${repeat('1', 11)}]}`, limits)).toEqual({ problem: 'too_complex' });
});

test('R19.01 commas and brackets in texts are not counted', async () => {
  const text = JSON.stringify({ a: `${'[{,'.repeat(50_000)}"\\` });
  expect(await scan(text)).toMatchObject({ long: [] });
});

test('R19.01 a text or a number that cannot be read in parts is refused once it is too long', async () => {
  expect(await scan(`{"a":["${'x'.repeat(2_000_000)}"]}`, canvasBody)).toEqual({ problem: 'too_complex' });
  expect(await scan(`{"a":[1,"${'x'.repeat(2_000_000)}",2]}`, canvasBody)).toEqual({ problem: 'too_complex' });
  expect(await scan(`{"a":${'1'.repeat(2_000)}}`)).toEqual({ problem: 'malformed' });
});

test('R19.01 a text that is read in parts has the value that JSON.parse gives', async () => {
  const items = Array.from({ length: 12_000 }, (_, index) => ({ id: `n${index}`, title: `, ]}"\\ é ${index}`, list: [index, [], {}] }));
  const value = {
    before: 1,
    items,
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
    byNumber: Object.fromEntries(items.map((item, index) => [index * 7, item])),
    short: [1],
    after: { x: [] },
  };
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
    const found = await scan(text, wide);
    expect(found.problem === undefined && found.long.length).toBe(3);
    expect(await read(text)).toEqual(value);
  }
});

test('R19.01 the last value of a repeated name counts', async () => {
  const long = `[${repeat('1', 6_000)}]`;
  expect(await read(`{"a":${long},"a":[2]}`)).toEqual({ a: [2] });
  expect(await read(`{"a":[2],"a":${long}}`)).toMatchObject({ a: { length: 6_000 } });
});

const long = repeat('1', 6_000);
test.each([
  `{"a":[${long},]}`,
  `{"a":[,${long}]}`,
  `{"a":[${long},,1]}`,
  `{"a":[${long}}}`,
  `{"a":[${long}]]`,
  `{"a":[${long}`,
  `{[${long}]:1}`,
  `{"a":1[${long}]}`,
  `{"a":[${long}]"b"}`,
  `{"a" [${long}]}`,
  `{"a":[${' '.repeat(200_000)},1]}`,
  `{"a":[1,${' '.repeat(200_000)}]}`,
  `{"a":{${repeat('"b":1', 6_000)},2}}`,
  `{"a":["b":1,${long}]}`,
])('R19.01 a long text that is not JSON is refused (%#)', async (text) => {
  expect(() => JSON.parse(text)).toThrow();
  await expect(read(text)).rejects.toThrow(SyntaxError);
});

test('R19.01 the scanner accepts and refuses the same texts as JSON.parse, after a change of any one character', async () => {
  const base = JSON.stringify({ v: 0, list: [1, { a: 'x,"' }, [2]], record: { k: { id: 'k' }, l: null }, s: 'é' });
  await fc.assert(
    fc.asyncProperty(fc.nat(base.length - 1), fc.constantFrom(...'[]{},:"\\1 a'), async (at, character) => {
      const text = base.slice(0, at) + character + base.slice(at + 1);
      const expected = attempt(() => JSON.parse(text));
      const got = await read(text).then(
        (value) => ({ value }),
        () => null,
      );
      expect(got).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

function attempt(work: () => unknown): { value: unknown } | null {
  try {
    return { value: work() };
  } catch {
    return null;
  }
}

test('R19.01 the largest canvas fits: 20,000 nodes with all fields and 40,000 links, replaced or patched', () => {
  const node = 23;
  const link = 8;
  expect(20_000 * (node + 1) + 40_000 * (link + 1)).toBeLessThanOrEqual(canvasBody.values);
  expect(20_000 + 40_000).toBeLessThanOrEqual(canvasBody.entries);
});

test('R19.01 every list that a schema bounds fits into the body of its route', () => {
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    if (!route.body || route.takes) continue;
    const { values, entries } = route.bodyLimits ?? usualBody;
    const needed = largestCount(route.body, { person: 500 });
    expect([name, needed.values <= values, needed.entries <= entries]).toEqual([name, true, true]);
  }
});
