import { randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import type { Session } from '../../contract/account.ts';
import type { Agent } from '../../contract/agent.ts';
import type { Execution } from '../../contract/executions/execution.ts';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { findBrowser, pageBrowserArguments } from '../../scripts/find-browser.ts';
import { startServer } from '../../tests/support/start-server.ts';
import { pageEvents, traceWhile } from '../trace.ts';
import { noteUsableCanvas, openToUsableCanvas } from '../usable-canvas.ts';
import type { RuleTimes } from './rules.ts';

const viewport = { width: 1_600, height: 900 };
const openings = 8;
/** The number of parallel executions, each with all the agents of a new account. */
const executions = 5;
const runMostMs = 180_000;

/**
 * Opens the workspace of a new account on a separate server, several times with a warm cache. Then five executions stream their simulated
 * answers into it. Returns the ms from the address to a canvas with cards that has drawn a frame. Also returns the processor time of the
 * longest task of the page's main thread meanwhile. Null without a browser.
 */
export async function timeWorkspace(): Promise<RuleTimes[] | null> {
  const executablePath = findBrowser();
  if (executablePath === null || !(await buildClientWhenStale())) return null;
  const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const browser = await chromium.launch({ executablePath, args: pageBrowserArguments });
  try {
    const context = await browser.newContext({ viewport, locale: 'en-GB' });
    const session = await signUp(server.url);
    const page = await enter(context, server.url, session);
    const opened: number[] = [];
    for (let opening = 0; opening <= openings; opening += 1) {
      const usable = await openToUsableCanvas(page, `${server.url}/test-project?lang=en`);
      // The first one fills the cache.
      if (opening > 0) opened.push(usable);
    }
    const longest = await streamInto(browser, page, server.url, session.accessToken);
    return [
      { name: 'the workspace opens, cached, to a usable canvas', limitMs: 1_000, times: opened },
      { name: `longest task of the page while ${executions} executions stream, of a processor`, limitMs: 50, times: [longest] },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function signUp(url: string): Promise<Session> {
  const person = { email: `${randomUUID()}@example.com`, password: 'a long quiet river', name: 'Bench' };
  return (await send(url, null, 'POST', '/auth/register', person)) as Session;
}

/** Opens a signed-in page that records its measurements here, each time it is loaded. */
async function enter(context: BrowserContext, url: string, { accessToken, refreshToken }: Session): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/boot.js`);
  await page.evaluate(
    ([access, refresh]) => {
      localStorage.setItem('accessToken', access as string);
      localStorage.setItem('refreshToken', refresh as string);
    },
    [accessToken, refreshToken],
  );
  await noteUsableCanvas(page);
  return page;
}

/**
 * The processor time of the page's longest task (ms), from the start of the executions to the end of the last. The text is watched as it
 * comes. Without a graphics card the browser draws on the same processors, and a task is by the clock as long as it had to wait for them.
 */
async function streamInto(browser: Browser, page: Page, url: string, token: string): Promise<number> {
  await page.waitForSelector('[data-testid="connection"][data-state="connected"]');
  await page.getByTestId('console-bar').getByRole('button').last().click();
  await page.getByRole('tab').nth(2).click();
  const events = await traceWhile(browser, page, ['devtools.timeline', 'disabled-by-default-devtools.timeline'], () =>
    runAll(page, url, token),
  );
  const tasks = pageEvents(events).filter(({ name, tdur }) => name === 'RunTask' && tdur !== undefined);
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}

/** Starts the executions, and resolves when the last of them has ended. */
async function runAll(page: Page, url: string, token: string): Promise<void> {
  const agents = (await send(url, token, 'GET', '/nuroagent')) as Agent[];
  const steps = agents.map(({ id, title }) => ({ name: title, agentId: id, nodeId: id }));
  const pipeline = (await send(url, token, 'POST', '/Pipeline', { name: 'Stream', projectId: 'default', steps })) as Pipeline;
  const started = await Promise.all(
    Array.from({ length: executions }, (_, number) =>
      send(url, token, 'POST', '/PipelineExecution/start', {
        pipelineId: pipeline.id,
        inputData: { task: `Export the orders, ${number}` },
      }),
    ),
  );
  const ids = new Set((started as Execution[]).map(({ id }) => id));
  for (const limit = performance.now() + runMostMs; ids.size > 0; ) {
    if (performance.now() > limit) throw new Error('The executions did not end');
    await page.waitForTimeout(500);
    for (const id of ids) {
      const { status } = (await send(url, token, 'GET', `/PipelineExecution/${id}`)) as Execution;
      if (status === 'failed' || status === 'cancelled') throw new Error(`An execution was ${status}`);
      if (status === 'completed') ids.delete(id);
    }
  }
}

async function send(url: string, token: string | null, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      'accept-language': 'en',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
