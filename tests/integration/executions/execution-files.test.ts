import { applyPatch, parsePatch } from 'diff';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { ExecutionMemory, ExecutionStatistics } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles, FileComparison, PullRequest } from '../../../contract/executions/file.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

const block = (path: string, ...lines: string[]) => [`\`\`\`ts path=${path}`, ...lines, '```'].join('\n');

/** Runs the agents; the first one answers the first text, and so on. */
async function run(account: RunAccount, task: string, ...answers: [agent: string, text: string][]): Promise<string> {
  models.calls.length = 0;
  models.answer((call) => ({ kind: 'text', text: answers[call.number - 1]?.[1] ?? '' }));
  const { id } = await account.start(await account.pipeline(...answers.map(([agent]) => agent)), task);
  await account.until(id, ({ status }) => status === 'completed');
  return id;
}

/** What is told of the change of a text without a move or another mode. */
const plain = { from: null, similarity: null, executable: null, isBinary: false };

const filesOf = async (id: string, account = ann) => (await account.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`)).body;
const comparisonOf = async (id: string, path: string, account = ann) =>
  (await account.call<FileComparison>('GET', `/PipelineExecution/${id}/files/comparison?path=${encodeURIComponent(path)}`)).body;
const pullRequestOf = async (id: string, account = ann) =>
  (await account.call<PullRequest>('GET', `/PipelineExecution/${id}/pull-request`)).body;
const download = (id: string, what: string, account = ann) =>
  fetch(`${account.url}/api/PipelineExecution/${id}/${what}`, { headers: { authorization: `Bearer ${account.accessToken}` } });

describe('the files of an execution', () => {
  test('R42.01 the files of an execution are the blocks with a path in the agents’ answers, each in its latest version', async () => {
    const id = await run(
      ann,
      'Write it',
      ['developer', `Done.\n\n${block('src/a.ts', 'first')}\n\n${block('src/b.ts', 'b')}\n\n\`\`\`\nno file\n\`\`\``],
      ['team-lead', block('./src/a.ts', 'second', 'line')],
      ['qa', 'Nothing was executed.'],
    );
    const { files, refused } = await filesOf(id);
    const { steps } = await ann.details(id);
    expect(refused).toEqual([]);
    expect(files).toEqual([
      {
        ...{
          path: 'src/a.ts',
          change: 'added',
          ...plain,
          size: 12,
          language: 'ts',
          stepId: steps[1]?.stepId,
          stepName: steps[1]?.name,
          orderIndex: 1,
        },
        ...{ agentId: ann.agent('team-lead').id, agentTitle: ann.agent('team-lead').title, role: 'TechnicalArchitect' },
        ...{ simulated: false, versions: 2, hasPrevious: true, createdAt: expect.any(String) },
      },
      expect.objectContaining({ path: 'src/b.ts', size: 2, stepId: steps[0]?.stepId, versions: 1, hasPrevious: false }),
    ]);
    expect(await comparisonOf(id, 'src/a.ts')).toEqual({
      path: 'src/a.ts',
      against: { from: 'step', stepName: steps[0]?.name, createdAt: expect.any(String) },
      ...{ additions: 2, deletions: 1, diff: expect.stringContaining('-first\n+second\n+line\n') },
      ...{ change: 'changed', from: null, similarity: null, executable: null, isBinary: false },
    });
    const { body: statistics } = await ann.call<ExecutionStatistics>('GET', `/PipelineExecution/${id}/statistics`);
    expect(statistics.files).toEqual({ count: 2, bytes: 14 });
    const { body: memory } = await ann.call<ExecutionMemory>('GET', `/PipelineExecution/${id}/memory`);
    expect(memory.files).toEqual(files);
  });

  test('R42.01 the files of an execution are served as text that no browser takes for a page', async () => {
    const html = '<script>alert(1)</script>';
    const id = await run(ann, 'Write a page', ['developer', block('public/страница.html', html)]);
    const answer = await download(id, `files/content?path=${encodeURIComponent('public/страница.html')}`);
    expect(await answer.text()).toBe(`${html}\n`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="________.html"; filename*=UTF-8''${encodeURIComponent('страница.html')}`,
      'cache-control': 'no-store',
    });
    for (const path of ['public/other.html', '../server/main.ts', '/etc/passwd']) {
      expect((await download(id, `files/content?path=${encodeURIComponent(path)}`)).status).toBe(404);
    }
    expect((await download(id, 'files/content')).status).toBe(400);
  });

  test('R42.01 files that cannot be stored are named, in the caller’s language, and the run continues', async () => {
    const id = await run(
      ann,
      'Be careful',
      ['developer', [block('README.md', 'x'), block('../../etc/cron.d/x', 'x'), '```ts path=cut.ts\nhalf'].join('\n')],
      ['qa', block('readme.md', 'y')],
    );
    const { files, refused } = await filesOf(id);
    const { steps } = await ann.details(id);
    expect(files.map(({ path }) => path)).toEqual(['README.md']);
    expect(refused).toEqual([
      { path: '../../etc/cron.d/x', reason: 'path_outside', message: 'The path leads out of the project.', stepId: steps[0]?.stepId },
      { path: 'cut.ts', reason: 'unclosed', message: 'The code block is not closed: the answer was cut off.', stepId: steps[0]?.stepId },
      { path: 'readme.md', reason: 'path_taken', message: expect.any(String), stepId: steps[1]?.stepId },
    ]);
    const russian = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`, undefined, { 'accept-language': 'ru' });
    expect(russian.body.refused[0]?.message).toBe('Путь ведёт за пределы проекта.');
  });

  test('R42.01 come as a ZIP in which no path leads out of its folder', async () => {
    const id = await run(ann, 'Pack it', ['developer', [block('src/a.ts', 'a'), block('/abs.ts', 'x'), block('b c.ts', 'b')].join('\n')]);
    const answer = await download(id, 'archive');
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="artel-[0-9a-f]{12}\.zip"; filename\*=UTF-8''artel-/);
    const unpacked = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Object.entries(unpacked).map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
      ['b c.ts', 'b\n'],
      ['src/a.ts', 'a\n'],
    ]);
    const none = await run(ann, 'Only words', ['assistant', 'Words']);
    expect((await download(none, 'archive')).status).toBe(404);
    expect(await filesOf(none)).toEqual({ files: [], refused: [] });
  });

  test('R42.01 the API description gives the files of an execution the types of the responses', async () => {
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { content: Record<string, unknown> }> } }>;
    };
    const typesOf = (what: string) => Object.keys(paths[`/PipelineExecution/{id}/${what}`]?.get.responses['200']?.content ?? {});
    expect([typesOf('files'), typesOf('files/content'), typesOf('archive'), typesOf('patch')]).toEqual([
      ['application/json'],
      ['text/plain'],
      ['application/zip'],
      ['text/x-patch'],
    ]);
  });

  test('R42.01 R40.01 stay when the pipeline is removed, and go when the execution is', async () => {
    const id = await run(ann, 'Keep it', ['developer', block('kept.ts', 'x')]);
    const { pipelineId } = await ann.details(id);
    expect((await ann.call('DELETE', `/Pipeline/${pipelineId}`)).status).toBe(204);
    expect((await filesOf(id)).files.map(({ path }) => path)).toEqual(['kept.ts']);
    expect((await ann.call('DELETE', `/PipelineExecution/${id}`)).status).toBe(204);
    expect((await download(id, 'files')).status).toBe(404);
  });
});

describe('a pull request', () => {
  test('R42.01 a pull request is a title, a description and a diff against the files of the project’s earlier runs', async () => {
    const bea = await signUp(server.url);
    const first = await run(bea, 'First version', [
      'developer',
      [block('src/a.ts', 'one', 'two', 'three'), block('src/same.ts', 's')].join('\n'),
    ]);
    const second = await run(bea, 'Second version\nwith more', [
      'developer',
      [block('src/a.ts', 'one', '2', 'three'), block('src/same.ts', 's'), block('new.ts', 'n')].join('\n'),
    ]);
    expect(await pullRequestOf(first, bea)).toMatchObject({
      additions: 4,
      deletions: 0,
      files: [{ change: 'added' }, { change: 'added' }],
    });
    const asked = await pullRequestOf(second, bea);
    expect(asked).toMatchObject({ title: 'Second version', additions: 2, deletions: 1, simulated: false });
    expect(asked.files).toEqual([
      { path: 'new.ts', change: 'added', ...plain, additions: 1, deletions: 0 },
      { path: 'src/a.ts', change: 'changed', ...plain, additions: 1, deletions: 1 },
    ]);
    expect(asked.diff).toBe(
      [
        ...['diff --git a/new.ts b/new.ts', 'new file mode 100644', '--- /dev/null', '+++ b/new.ts', '@@ -0,0 +1,1 @@', '+n'],
        ...['diff --git a/src/a.ts b/src/a.ts', '--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,3 +1,3 @@', ' one', '-two', '+2', ' three', ''],
      ].join('\n'),
    );
    expect(asked.description).toContain('> Second version\n> with more');
    expect(asked.description).toContain('- `src/a.ts`: changed, +1 −1');
    expect(asked.description).toContain('Not executed');
    // Agents are named by their names only.
    expect(asked.description).not.toMatch(/^- [^`\n]+ \(/m);
    expect((await filesOf(second, bea)).files.map(({ path, hasPrevious }) => [path, hasPrevious])).toEqual([
      ['new.ts', false],
      ['src/a.ts', true],
      ['src/same.ts', true],
    ]);

    const patch = await download(second, 'patch', bea);
    expect(patch.headers.get('content-type')).toBe('text/x-patch; charset=utf-8');
    const text = await patch.text();
    expect(text).toBe(asked.diff);
    const [, change] = parsePatch(text);
    expect(change && applyPatch('one\ntwo\nthree\n', change)).toBe('one\n2\nthree\n');

    expect(await comparisonOf(second, 'src/a.ts', bea)).toMatchObject({
      against: { from: 'execution' },
      additions: 1,
      deletions: 1,
      diff: expect.stringContaining('-two\n+2\n'),
    });
    expect(await comparisonOf(second, 'src/same.ts', bea)).toMatchObject({ against: { from: 'execution' }, additions: 0, diff: '' });
    expect(await comparisonOf(second, 'new.ts', bea)).toEqual({
      ...{ path: 'new.ts', against: null, additions: 0, deletions: 0, diff: '' },
      ...{ change: 'added', from: null, similarity: null, executable: null, isBinary: false },
    });
    expect((await download(second, 'files/comparison?path=none.ts', bea)).status).toBe(404);

    // Later runs change nothing in it.
    await run(bea, 'Third', ['developer', block('new.ts', 'other')]);
    expect(await pullRequestOf(second, bea)).toEqual(asked);
  });

  test('R42.01 a pull request is compared with completed runs of the same project and person', async () => {
    const cleo = await signUp(server.url);
    models.answer((call) => (call.number === 1 ? { kind: 'text', text: block('a.ts', 'failed') } : { kind: 'status', status: 401 }));
    const failed = await cleo.start(await cleo.pipeline('developer', 'qa'), 'Fails');
    await cleo.until(failed.id, ({ status }) => status === 'failed');
    expect((await filesOf(failed.id, cleo)).files).toHaveLength(1);
    await run(ann, 'Of another user', ['developer', block('a.ts', 'theirs')]);
    const id = await run(cleo, 'New', ['developer', block('a.ts', 'mine')]);
    expect(await pullRequestOf(id, cleo)).toMatchObject({ files: [{ path: 'a.ts', change: 'added' }] });
  });

  test('R42.01 the pull request of a run without changes has a text that says so', async () => {
    const id = await run(ann, 'x'.repeat(100), ['assistant', 'Words']);
    const asked = await pullRequestOf(id);
    expect(asked).toMatchObject({ title: `${'x'.repeat(71)}…`, diff: '', files: [], additions: 0, deletions: 0 });
    expect(asked.description).toContain('No file differs from what the project had before.');
    expect(await (await download(id, 'patch')).text()).toBe('');
  });

  test('R42.01 R25.01 a pull request with files of the simulated model is marked, in the language of the run', async () => {
    const simulated = await startAnother({ env: { ARTEL_CLIENT: 'off' } });
    try {
      const dora = await signUp(simulated.url, 'ru');
      const { id } = await dora.start(await dora.pipeline('developer', 'qa'), 'Сделай лендинг для пекарни');
      await dora.until(id, ({ status }) => status === 'completed');
      const { files } = await filesOf(id, dora);
      expect(files.length).toBeGreaterThanOrEqual(3);
      expect(files.every((file) => file.simulated)).toBe(true);
      const asked = await pullRequestOf(id, dora);
      expect(asked).toMatchObject({ simulated: true, title: 'Сделай лендинг для пекарни' });
      expect(asked.description).toContain('Часть написана имитацией');
      expect(asked.description).toContain('Не выполнялось');
    } finally {
      await simulated.stop();
    }
  });
});
