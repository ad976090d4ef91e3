import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { zipSync } from 'fflate';
import type { Agent } from '../../../contract/agent.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { type InputSet, inputLimits } from '../../../contract/input.ts';
import { startGitServer } from '../../../tests/support/services/git-server.ts';
import { endlessPdf, largePdf } from '../../../tests/support/services/sample-pdf.ts';
import type { Figure } from '../../figure.ts';
import { quantile } from '../../statistics.ts';
import type { BenchProcesses } from '../bench-processes.ts';
import { type Account, openAccount } from '../client/account.ts';
import { readUntil } from '../client/read-until.ts';
import type { Scenario } from '../scenario.ts';

const { fileBytes, setBytes, git: gitLimits } = inputLimits;

/** The largest files, archive, PDF and repository that the server takes, each once, while others read. */
export const inputScenario: Scenario = {
  name: 'inputs',
  run: async (bench) => {
    const account = await openAccount(bench.client(), 'instant');
    const others = await openAccount(bench.client(), 'instant');
    const quiet = quantile(await readUntil(bench.client(), others.token, wait(1_000)), 0.99) ?? 0;
    const measure = async (what: string, work: () => Promise<unknown>): Promise<Figure[]> => {
      const from = performance.now();
      let took = 0;
      const done = work().then(() => {
        took = performance.now() - from;
      });
      const meanwhile = await readUntil(bench.client(), others.token, done);
      return [
        { what, unit: 's', value: took / 1_000 },
        {
          ...{ what: `${what}, others' p99`, unit: 'ms', value: quantile(meanwhile, 0.99) ?? 0, floor: { atMost: 300 } },
          beside: [{ name: 'without it', value: quiet }],
        },
      ];
    };

    const many = setBytes / fileBytes;
    const files = await newSet(account);
    const text = textOf(fileBytes);
    const figures = await measure(`${many} files of 10 MiB given to a run`, async () => {
      for (let number = 1; number <= many; number += 1)
        await send(bench, account, 'PUT', `/inputSet/${files}/file?path=file-${number}.txt`, Buffer.from(`${number}${text.slice(1)}`));
    });
    const unpacked = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`src/file-${at}.txt`, Buffer.from(linesOf(setBytes / 500))]),
    );
    const archive = zipSync(unpacked, { level: 6 });
    const archived = await newSet(account);
    figures.push(
      ...(await measure(`a ZIP of ${mebibytes(archive.length)} MiB with 500 files, 50 MiB unpacked, given to a run`, () =>
        send(bench, account, 'POST', `/inputSet/${archived}/archive`, archive),
      )),
    );
    const pdf = largePdf(fileBytes, linesOf(512 * 1024).split('\n'));
    const withPdf = await newSet(account);
    figures.push(
      ...(await measure('a PDF of 10 MiB with 0.5 MiB of text given to a run', () =>
        send(bench, account, 'PUT', `/inputSet/${withPdf}/file?path=large.pdf`, pdf),
      )),
    );
    figures.push(
      ...(await measure('a PDF that never ends refused', async () => {
        const refused = await send(bench, account, 'PUT', `/inputSet/${withPdf}/file?path=endless.pdf`, endlessPdf()).catch(String);
        if (!refused?.includes('422')) throw new Error('The endless PDF was not refused.');
      })),
    );
    figures.push(...(await ofRepository(account, measure, bench.quick ? gitLimits.files / 25 : gitLimits.files)));
    return figures;
  },
};

/** Reads the largest repository into a set, lets a simulated developer change it, and publishes the run. */
async function ofRepository(
  account: Account,
  measure: (what: string, work: () => Promise<unknown>) => Promise<Figure[]>,
  files: number,
): Promise<Figure[]> {
  const git = await startGitServer();
  try {
    await git.git('bench', 'status');
    const folder = join(git.folderOf('bench'), 'src');
    await mkdir(folder);
    const size = Math.floor((gitLimits.bytes * 0.9) / gitLimits.files);
    // One after the other: a process may not have so many files open at once.
    for (let at = 0; at < files; at += 1) writeFileSync(join(folder, `file-${at}.txt`), randomBytes(size / 2).toString('hex'));
    await git.git('bench', 'add', '.');
    await git.git('bench', 'commit', '-qm', 'Begin');
    await git.publish('bench');
    const url = git.urlOf('bench');
    const what = `a repository of ${files.toLocaleString('en')} files, ${mebibytes(files * size)} MiB,`;
    const setId = await newSet(account);
    const figures = await measure(`${what} read`, () => demand(account, 'POST', `/inputSet/${setId}/repository`, { url }));
    const executionId = await simulatedRun(account, setId);
    await demand(account, 'PUT', '/project/default/git-target', { url, baseBranch: 'main', forge: 'none', token: 'token-f00d' });
    figures.push(
      ...(await measure(`${what} published to`, () => demand(account, 'POST', `/PipelineExecution/${executionId}/publish`, {}))),
    );
    return figures;
  } finally {
    await git.close();
  }
}

async function simulatedRun(account: Account, inputSetId: string): Promise<string> {
  const developer = (await demand<Agent[]>(account, 'GET', '/nuroagent')).find(({ name }) => name === 'developer');
  if (!developer) throw new Error('There is no developer.');
  const { id: agentId, title } = developer;
  await demand(account, 'PUT', `/nuroagent/${agentId}/api-configuration`, { providerType: 'simulated' });
  const steps = [{ name: title, agentId, nodeId: agentId }];
  const pipeline = await demand<Pipeline>(account, 'POST', '/Pipeline', { name: 'inputs', projectId: 'default', steps });
  const start = { pipelineId: pipeline.id, inputData: { task: 'Add a file.' }, inputSetId };
  const { id } = await demand<Execution>(account, 'POST', '/PipelineExecution/start', start);
  for (;;) {
    const { status } = await demand<Execution>(account, 'GET', `/PipelineExecution/${id}`);
    if (status === 'completed') return id;
    if (status === 'failed') throw new Error('The simulated run failed.');
    await wait(100);
  }
}

const newSet = async (account: Account) => (await demand<InputSet>(account, 'POST', '/inputSet', { projectId: 'default' })).id;

async function demand<T>(account: Account, method: string, path: string, body?: object): Promise<T> {
  const answer = await account.call<T>(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function send(bench: BenchProcesses, { token }: Account, method: string, path: string, body: Uint8Array): Promise<void> {
  const type = path.endsWith('/archive') ? 'application/zip' : 'application/octet-stream';
  const answer = await fetch(`${bench.server().url}/api${path}`, {
    ...{ method, body: body as Uint8Array<ArrayBuffer> },
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${said.slice(0, 200)}`);
}

/** Text that cannot be packed well. */
const textOf = (bytes: number) => randomBytes(Math.floor(bytes / 2)).toString('hex');

/** Text as of a program, which packs well. */
function linesOf(bytes: number): string {
  const line = () => `export const ${randomBytes(4).toString('hex')} = the quick brown fox jumps over the lazy dog and reads on;\n`;
  const lines = Array.from({ length: 200 }, line).join('');
  return lines.repeat(Math.ceil(bytes / lines.length)).slice(0, Math.floor(bytes));
}

const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
