import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type BuiltStage, buildImage } from '../../support/image/build-image.ts';
import { setUpFolder } from '../../support/set-up/for-vitest.ts';
import { importsOf } from '../../support/source-tree/import-graph.ts';

const repository = join(import.meta.dirname, '../../..');
/** What the stages of each image run: the build of the client with all its pages, the server, and the commands of an operator. */
const images = {
  Dockerfile: ['vite.config.ts', 'src/**/*.{ts,tsx}', 'server/**/*.ts', 'scripts/{backup,nightly-backup,restore,account}.ts'],
  'deploy/runner/Dockerfile': ['deploy/runner/*.ts'],
};
type Dockerfile = keyof typeof images;

const folder = setUpFolder();
const stages: Record<Dockerfile, BuiltStage[]> = { Dockerfile: [], 'deploy/runner/Dockerfile': [] };
beforeAll(async () => {
  for (const [index, name] of (Object.keys(images) as Dockerfile[]).entries())
    stages[name] = await buildImage(name, join(folder.path, String(index)), { runs: false });
});

test.each(Object.keys(images) as Dockerfile[])('R10.01 what runs in the image of %s finds each file that it imports', (name) => {
  const programs = images[name];
  const found = stages[name].map((stage) => importsIn(stage, programs));
  expect(found.flatMap(({ missing }) => missing)).toEqual([]);
  for (const program of programs)
    expect([program, stages[name].some((stage) => filesIn(stage, program).length > 0)]).toEqual([program, true]);
  expect(found.flatMap(({ files }) => files).length).toBeGreaterThan(15);
});

test('the suite that builds the images runs again when one of their files has changed', () => {
  const { wireit } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { wireit: Record<string, { files?: string[] }> };
  const inputs = ['inputs:server', 'suite:integration-rest'].flatMap((name) => wireit[name]?.files ?? []);
  const known = new Set(globSync(inputs, { cwd: repository }));
  const copied = Object.values(stages).flat();
  const files = [...Object.keys(images), '.dockerignore', ...copied.flatMap((stage) => filesIn(stage, '**/*.*'))];
  expect(files.filter((file) => !known.has(file))).toEqual([]);
});

const filesIn = ({ root, workdir }: BuiltStage, pattern: string) => globSync(pattern, { cwd: join(root, workdir) });

/** All files of a stage that these programs reach, and the imports among them that lead nowhere. */
function importsIn(stage: BuiltStage, programs: string[]): { files: string[]; missing: string[] } {
  const files = programs.flatMap((program) => filesIn(stage, program));
  const known = new Set(files);
  const missing: string[] = [];
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const specifier of importsOf(join(stage.root, stage.workdir, file)).filter((name) => /^\.\.?\//.test(name))) {
      const target = join(dirname(file), specifier.replace(/\?.*$/, ''));
      // A text that looks like an import leads nowhere in the repository too.
      if (known.has(target) || !existsSync(join(repository, target))) continue;
      known.add(target);
      if (existsSync(join(stage.root, stage.workdir, target))) files.push(target);
      else missing.push(`${file} imports ${target}`);
    }
  }
  return { files, missing };
}
