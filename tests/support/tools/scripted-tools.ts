import { appendFileSync, existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { RunTool, ToolProvider } from '../../../server/modules/tools/index.ts';

/**
 * Loaded into a server before its own code. Agents then have tools of each kind beside those for files. `TOOL_LOG` names a file to which each
 * call that is carried out is appended. `slow` waits while that file with `.hold` exists.
 */
const own = import.meta.url;
if (!own.endsWith('?provider'))
  registerHooks({
    resolve(specifier, context, next) {
      const isFileTools = specifier.endsWith('/file-tools.ts') && !context.parentURL?.startsWith(own);
      return isFileTools ? { url: `${own}?provider`, shortCircuit: true, format: 'module-typescript' } : next(specifier, context);
    },
  });

const logFile = process.env.TOOL_LOG ?? '/dev/null';
const parameters = { type: 'object', properties: { text: { type: 'string' } } };

const scripted = (name: string, kind: Pick<RunTool, 'effect' | 'source' | 'policy'>, answer: (text: string) => string): RunTool => ({
  ...{ name, key: `scripted:${name}`, description: `The tool ${name}.`, parameters, ...kind },
  async carryOut(args, { signal }) {
    const { text = '' } = args as { text?: string };
    appendFileSync(logFile, `${name} ${text}\n`);
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

/** In the place of the provider of file tools, with it. */
export function createFileTools(deps: unknown): ToolProvider {
  return {
    async toolsFor(step) {
      const { createFileTools: real } = (await import('../../../server/modules/tools/files/file-tools.ts')) as {
        createFileTools: (deps: unknown) => ToolProvider;
      };
      return [...(await real(deps).toolsFor(step)), ...tools];
    },
  };
}
