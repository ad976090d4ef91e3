import { expect, test } from 'vitest';
import { suggestTestCommand } from '../../../../src/model/run/suggest-test-command.ts';

const withTest = JSON.stringify({ scripts: { test: 'vitest' } });

test.for<[string[], string | null, string | null]>([
  [['package.json'], withTest, 'npm test'],
  [['package.json', 'pnpm-lock.yaml'], withTest, 'pnpm test'],
  [['package.json', 'yarn.lock'], withTest, 'yarn test'],
  [['package.json', 'bun.lock'], withTest, 'bun run test'],
  [['package.json'], '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}', null],
  [['package.json', 'go.mod'], '{"scripts":{}}', 'go test ./...'],
  [['package.json'], '{ broken', null],
  [['package.json'], 'null', null],
  [['Cargo.toml'], null, 'cargo test'],
  [['pyproject.toml'], null, 'python3 -m pytest'],
  [['Gemfile'], null, 'bundle exec rake test'],
  [['readme.md'], null, null],
])('C5.07 files %j with the manifest %j are tested by %j', ([paths, manifest, command]) => {
  expect(suggestTestCommand(new Set(paths), manifest)).toBe(command);
});
