import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serverNodeOptions } from '../../scripts/node-options.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('R10.01 npm start and the image start the server as the cluster does', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: { start: string } };
  expect(scripts.start).toBe(['node', ...serverNodeOptions, 'scripts/start.ts'].join(' '));
  const lastLine = textOf('Dockerfile').trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(lastLine.replace(/^CMD /, ''))).toEqual(['node', ...serverNodeOptions, 'server/main.ts']);
});
