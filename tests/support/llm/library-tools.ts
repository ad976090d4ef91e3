import { z } from 'zod';
import type { RunTool } from '../../../server/modules/tools/index.ts';
import { failed, schemaTool } from '../../../server/modules/tools/index.ts';

const path = z.string();

/** The tools for files that an agent has in a run, on a few files in memory: with the names, the arguments and the results of the real ones. */
export function libraryTools(files: Map<string, string>): RunTool[] {
  const about = (name: string, description: string, effect: RunTool['effect']) =>
    ({ name, description, effect, source: 'files', policy: 'auto' }) as const;
  return [
    schemaTool(
      about('list_files', 'Lists the files of this run with their sizes in bytes.', 'read'),
      z.object({ path: path.optional() }),
      async () => ({
        ok: true,
        text: [...files].map(([name, text]) => `${name} (${Buffer.byteLength(text)})`).join('\n'),
      }),
    ),
    schemaTool(
      about(
        'read_file',
        'Reads a text file of this run. Each line comes after its number and a tab. `from`: the first line, `lines`: how many.',
        'read',
      ),
      z.object({ path, from: z.number().optional(), lines: z.number().optional() }),
      async ({ path: name, from = 1, lines = 400 }) => {
        const text = files.get(name);
        return text === undefined ? failed('There is no such file.') : { ok: true, text: numbered(text, from, lines).join('\n') };
      },
    ),
    schemaTool(
      about('search_files', 'Finds the lines of all files of this run that contain `query`. `context`: lines around each.', 'read'),
      z.object({ query: z.string(), regex: z.boolean().optional(), path: path.optional(), context: z.number().optional() }),
      async ({ query, path: only }) => ({ ok: true, text: found(files, query, only).join('\n') }),
    ),
    schemaTool(
      about(
        'edit_file',
        'Replaces an exact text in a file of this run. `old` must occur once. `replaceAll` replaces it everywhere.',
        'idempotent',
      ),
      z.object({ path, old: z.string(), new: z.string(), replaceAll: z.boolean().optional() }),
      async ({ path: name, old, new: text }) => {
        const parts = (files.get(name) ?? '').split(old);
        if (parts.length !== 2) return failed(`${parts.length - 1} places have this text.`);
        files.set(name, parts.join(text));
        return { ok: true, text: `Changed: ${name}.` };
      },
    ),
    schemaTool(
      about('write_file', 'Writes a text file of this run as a whole: a new one, or a new version of one.', 'idempotent'),
      z.object({ path, content: z.string() }),
      async ({ path: name, content }) => {
        files.set(name, content);
        return { ok: true, text: `Written: ${name}, ${Buffer.byteLength(content)} bytes.` };
      },
    ),
  ];
}

function numbered(text: string, from: number, count: number): string[] {
  return text
    .split('\n')
    .slice(from - 1, from - 1 + count)
    .map((line, at) => `${from + at}\t${line}`);
}

function found(files: Map<string, string>, query: string, only: string | undefined): string[] {
  return [...files].flatMap(([name, text]) => {
    if (only !== undefined && name !== only) return [];
    const hits = numbered(text, 1, Number.MAX_SAFE_INTEGER).filter((line) => line.includes(query));
    return hits.length > 0 ? [name, ...hits.slice(0, 200)] : [];
  });
}
