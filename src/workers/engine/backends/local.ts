import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { Answer, Backend } from './port.ts';
import { createRefusingBackend } from './refusing-backend.ts';

/** A backend without a server: the page itself keeps the canvas, and runs are not possible. */
export function createLocalBackend(document: CanvasDocument): Backend {
  let version = 0;
  const saved = (): Answer<{ version: number }> => {
    version += 1;
    return { ok: true, value: { version } };
  };
  const none = (): Answer<never[]> => ({ ok: true, value: [] });
  return createRefusingBackend('local.unavailable', {
    'project.canvas': () => ({ ok: true, value: { ...document, version } }),
    'project.patchCanvas': saved,
    'project.putCanvas': saved,
    'agent.list': none,
    'execution.list': none,
    'execution.logs': none,
    'question.list': none,
    'result.list': none,
    'result.search': none,
    'command.history': none,
    'execution.files': () => ({ ok: true, value: { files: [], refused: [] } }),
    'thought.ofProject': none,
  });
}
