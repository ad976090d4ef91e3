import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ErrorBody } from '../../contract/errors.ts';
import type { InputAddition, InputSet } from '../../contract/input.ts';
import { signUp } from '../../tests/support/run-account.ts';
import type { ModelServer } from '../../tests/support/services/model-server.ts';
import type { TestServer } from '../../tests/support/start-server.ts';
import { editsFor } from './scripted-edits.ts';

const run = promisify(execFile);
const megabyte = 1_000_000;

export type RepositoryFigures = {
  name?: string;
  files: number;
  MB: number;
  fetchSeconds: number;
  againSeconds: number;
  /** The most memory of the server's process while it fetched (MB). */
  serverMB: number;
  editSeconds: number;
  calls: string;
  patch: string;
};

type Place = { server: TestServer; models: ModelServer; url: string; folder: string };

/** Fetches a repository as a base, twice, changes it by a run whose model is a script, and applies the patch of the run to a clone. */
export async function measureRepository({ server, models, url, folder }: Place): Promise<RepositoryFigures> {
  const ann = await signUp(server.url);
  const fetchInto = async () => {
    const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
    const begun = performance.now();
    const { status, body } = await ann.call<InputAddition & ErrorBody>('POST', `/inputSet/${set.id}/repository`, { url });
    return { id: set.id, seconds: seconds(begun), answer: status === 200 ? body.set : null, problem: body.message };
  };
  const memory = watchMemory(server.pid);
  const first = await fetchInto();
  const serverMB = memory.end();
  const empty = { fetchSeconds: first.seconds, againSeconds: 0, serverMB, editSeconds: 0, calls: '', files: 0, MB: 0 };
  if (first.answer === null) return { ...empty, patch: first.problem ?? 'refused' };
  const again = await fetchInto();
  const clone = await mkdtemp(join(tmpdir(), 'artel-bench-'));
  try {
    await run('git', ['-c', 'safe.directory=*', 'clone', '-q', '--depth', '1', `file://${folder}`, clone]);
    const edits = await editsFor(clone);
    models.answer(({ body }) => {
      const asked = body.messages.some(({ role }) => role === 'tool');
      const calls = edits.map(({ name, args }, at) => ({ id: `c${at}`, name, arguments: JSON.stringify(args) }));
      return asked ? { kind: 'text', text: 'Done.' } : { kind: 'calls', calls };
    });
    const begun = performance.now();
    const { id } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: first.id });
    await ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
    const editSeconds = seconds(begun);
    const { body: calls } = await ann.call<{ tool: string; state: string }[]>('GET', `/PipelineExecution/${id}/calls?limit=100`);
    const headers = { authorization: `Bearer ${ann.accessToken}` };
    const patch = await fetch(`${server.url}/api/PipelineExecution/${id}/patch`, { headers });
    await writeFile(join(clone, '..', `${id}.patch`), Buffer.from(await patch.arrayBuffer()));
    const { count, bytes } = first.answer;
    return {
      ...{
        files: count,
        MB: Math.round(bytes / megabyte),
        fetchSeconds: first.seconds,
        againSeconds: again.seconds,
        serverMB,
        editSeconds,
      },
      calls: `${calls.filter(({ state }) => state === 'done').length} of ${edits.length}`,
      patch: await applied(clone, join(clone, '..', `${id}.patch`)),
    };
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

async function applied(clone: string, patch: string): Promise<string> {
  try {
    await run('git', ['-C', clone, 'apply', '--check', patch]);
    await run('git', ['-C', clone, 'apply', patch]);
    const { stdout } = await run('git', ['-C', clone, 'status', '--porcelain']);
    return `applies, ${stdout.trim().split('\n').length} files`;
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error).slice(0, 200);
  } finally {
    await rm(patch, { force: true });
  }
}

function seconds(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}

/** Reads the resident memory of a process several times a second (Linux). */
function watchMemory(pid: number): { end: () => number } {
  let most = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    most = Math.max(most, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024);
  }, 200);
  return {
    end: () => {
      clearInterval(timer);
      return Math.round(most / megabyte);
    },
  };
}
