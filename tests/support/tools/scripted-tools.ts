import { appendFileSync, existsSync } from 'node:fs';
import type { RunTool, ToolProvider } from '../../../server/modules/tools/index.ts';

/**
 * Loaded into a bundled server before its own code. Agents then have tools of each kind beside those for files. `TOOL_LOG` names a file to which each
 * call that is carried out is appended. `slow` waits while that file with `.hold` exists.
 */
const logFile = process.env.TOOL_LOG ?? '/dev/null';
const parameters = { type: 'object', properties: { text: { type: 'string' } } };

const scripted = (name: string, kind: Pick<RunTool, 'effect' | 'source' | 'policy'>, answer: (text: string) => string): RunTool => ({
  ...{ name, key: `scripted:${name}`, description: `The tool ${name}.`, parameters, ...kind },
  async carryOut(args, { signal }) {
    const { text = '' } = args as { text?: string };
    appendFileSync(logFile, `${name} ${text}\n`);
    // The test holds the call by a file: it runs in another process.
    while (name === 'slow' && existsSync(`${logFile}.hold`)) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (text === 'fault') throw new Error('A bug of a tool.');
    if (text === 'fails') return { ok: false, failure: { code: 'tool_failed', message: 'It says no.' } };
    return { ok: true, text: answer(text) };
  },
});

const write = { effect: 'write', source: 'server', policy: 'auto' } as const;
const tools: RunTool[] = [
  scripted('look', { effect: 'read', source: 'server', policy: 'auto' }, (text) =>
    text === 'huge' ? 'x'.repeat(1024 * 1024 + 1) : `Seen: ${text}`,
  ),
  scripted('count', { effect: 'read', source: 'files', policy: 'auto' }, (text) =>
    text === 'long' ? `${'y'.repeat(40_000)}~~~~` : `${text.length}`,
  ),
  scripted('send', write, (text) => `Sent: ${text}`),
  scripted('slow', write, (text) => `Slowly sent: ${text}`),
  scripted('ask', { effect: 'read', source: 'files', policy: 'ask' }, (text) => `Asked: ${text}`),
  scripted('never', { effect: 'read', source: 'files', policy: 'never' }, () => 'This is never said.'),
];

/** The bundle of the server calls it with its provider of file tools. */
const addScriptedTools = (own: ToolProvider): ToolProvider => ({
  toolsFor: async (step) => [...(await own.toolsFor(step)), ...tools],
});
Object.assign(globalThis, { addScriptedTools });
