import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Answer, Backend } from './port.ts';
import { createRefusingBackend } from './refusing-backend.ts';

/** A backend without a server: the page itself keeps the canvas, and runs are not possible. */
export function createLocalBackend(document: CanvasDocument): Backend {
  let version = 0;
  const saved = async (): Promise<Answer<{ version: number }>> => {
    version += 1;
    return { ok: true, value: { version } };
  };
  return createRefusingBackend('local.unavailable', {
    readCanvas: async () => ({ ok: true, value: { ...document, version } }),
    patchCanvas: saved,
    putCanvas: saved,
    listAgents: async () => ({ ok: true, value: [] }),
    listExecutions: async () => ({ ok: true, value: [] }),
    readLogs: async () => ({ ok: true, value: [] }),
    listWaiting: async () => ({ ok: true, value: [] }),
    listQuestions: async () => ({ ok: true, value: [] }),
    listResults: async () => ({ ok: true, value: [] }),
    searchResults: async () => ({ ok: true, value: { items: [], total: 0 } }),
    listCommands: async () => ({ ok: true, value: [] }),
    listFiles: async () => ({ ok: true, value: { files: [], refused: [] } }),
    listThoughts: async () => ({ ok: true, value: [] }),
  });
}
