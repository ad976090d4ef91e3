import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importGraph, staticImportGraph } from '../../support/source-tree/import-graph.ts';

const waysToServer = [
  /^src\/api\//,
  /^src\/session\//,
  /\/backends\/(?:http|server)\.ts$/,
  /\/engine\.worker\.ts$/,
  /\/browser-environment\.ts$/,
];
const network = /\bfetch\s*\(|\bXMLHttpRequest\b|\bnew (?:WebSocket|EventSource)\b|\bsendBeacon\b/;

test.each(['src/app/routes/demo-route.tsx', 'src/workers/demo.worker.ts'])(
  'P2.19 the demonstration imports no connection to a server: %s',
  (entry) => {
    const { files, packages } = importGraph(entry);
    expect(files.length).toBeGreaterThan(40);
    expect(files).toContain('src/workers/demo.worker.ts');
    expect(files.filter((file) => waysToServer.some((way) => way.test(file)))).toEqual([]);
    expect(packages).not.toContain('ky');
    expect(files.filter((file) => /\.tsx?$/.test(file) && network.test(readFileSync(file, 'utf8')))).toEqual([]);
  },
);

test.each(['src/app/main.tsx', 'src/app/router.tsx', 'src/app/routes/with-tooltips.tsx', 'src/app/routes/demo-route.tsx'])(
  'P2.19 the page of the demonstration begins without schemas: %s',
  (entry) => {
    const { files, packages } = staticImportGraph(entry);
    expect(files.length).toBeGreaterThan(1);
    expect(packages.filter((name) => /^zod\b/.test(name))).toEqual([]);
  },
);

test('P2.19 the engine of a signed-in user imports an HTTP client', () => {
  const { files, packages } = importGraph('src/workers/engine.worker.ts');
  expect(files).toContain('src/api/create-api.ts');
  expect(packages).toContain('ky');
});

test('W2.05 layouts are computed in the worker, and never on the page', () => {
  const layout = 'src/model/layout/layout-of.ts';
  const worker = 'src/workers/engine.worker.ts';
  expect(importGraph(worker).files).toContain(layout);
  for (const route of ['server-workspace', 'bench-route']) {
    expect(importGraph(`src/app/routes/${route}.tsx`).files).toContain(layout);
    expect(importGraph(`src/app/routes/${route}.tsx`, worker).files).not.toContain(layout);
  }
});
