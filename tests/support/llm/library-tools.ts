import { toolsForFiles } from '../../../server/modules/tools/files/file-tools.ts';
import { belowRoot, hashOf, type RunFiles } from '../../../server/modules/tools/files/run-files.ts';
import { createSearchThread, type RunTool, type ToolStep } from '../../../server/modules/tools/index.ts';

/** The tools for files that an agent has in a run, as they are, on a few files in memory. */
export async function libraryTools(files: Map<string, string>): Promise<RunTool[]> {
  const step = { hasFiles: true, fileAccess: 'write', language: 'en' } as ToolStep;
  const tools = await toolsForFiles(inMemory(files), createSearchThread({ error: () => {} })).toolsFor(step);
  return tools.map((tool) => ({
    ...tool,
    carryOut: async (args, context) => {
      const result = await tool.carryOut(args, context);
      if (!result.ok) return result;
      for (const change of result.writes ?? [])
        if ('removed' in change) files.delete(change.path);
        else files.set(change.path, change.content ?? '');
      return { ok: true, text: result.text };
    },
  }));
}

function inMemory(files: Map<string, string>): RunFiles {
  const textOf = async (_run: string, path: string) => {
    const text = files.get(path);
    return text === undefined ? null : { text, sha256: hashOf(text) };
  };
  const listed = () =>
    [...files].map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
      encoding: null,
      replaced: 0,
      own: null,
      isInBase: true,
      isReplaceable: true,
    }));
  return {
    list: async () => new Map(listed().map((file) => [file.path, file])),
    named: async (_run: string, paths: readonly string[]) =>
      new Map(listed().flatMap((file) => (paths.map(belowRoot).includes(file.path) ? [[file.path, file] as const] : []))),
    isFolder: async (_run: string, path: string) => [...files.keys()].some((one) => one.startsWith(`${path}/`)),
    namesOnly: async () => new Map<string, string>(),
    textOf,
    readTexts: async function* () {
      for (const [path, text] of files) yield { path, text };
    },
    repository: { stamp: async () => '', newest: async () => null, held: async () => [] },
    base: { paths: async () => listed(), text: textOf },
  } as unknown as RunFiles;
}
