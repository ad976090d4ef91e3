import { z } from 'zod';
import type { ProviderType } from '../../../../contract/agent.ts';
import type { Egress } from '../../egress/egress.ts';
import { parseBoundedJson } from '../bounded-json.ts';

/** A model at a server on a person's own machine. `address`: that of its compatible API, with a version. */
type LocalModel = { address: URL; model: string; headers: Record<string, string>; call: Egress };

/** Asks the server's own API: a GET, or a POST with a body. Null for any failure. */
type Ask = (path: string, body?: object) => Promise<unknown>;

/** Returns the most tokens of a prompt with its answer that a server has loaded a model for; null where it does not tell. */
type ReadLoaded = (ask: Ask, model: string) => Promise<number | null>;

const tokens = z.number().int().min(1).max(100_000_000).optional().catch(undefined);
const running = z.object({ models: z.array(z.object({ name: z.string(), context_length: tokens })) });
const shown = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const listed = z.object({ state: z.string().optional().catch(undefined), loaded_context_length: tokens });

/** Returns the window of a model that Ollama has loaded, of the answer of `/api/ps`; null for one that is not loaded. https://docs.ollama.com/api/ps */
export function windowInPs(body: unknown, model: string): number | null {
  const name = model.includes(':') ? model : `${model}:latest`;
  return running.safeParse(body).data?.models.find((one) => one.name === name)?.context_length ?? null;
}

/**
 * Returns the windows that `/api/show` of Ollama tells: the `num_ctx` with which it loads the model, and the longest that the model was made for. Null for each that
 * it does not tell. https://docs.ollama.com/api-reference/show-model-details
 */
export function windowsInShow(body: unknown): { numCtx: number | null; length: number | null } {
  const { parameters = '', model_info: info = {} } = shown.safeParse(body).data ?? {};
  const settings = parameters.split('\n').map((line) => line.trim().split(/\s+/));
  const numCtx = Number(settings.find(([name]) => name === 'num_ctx')?.[1] ?? 0);
  const length = Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1];
  return {
    numCtx: Number.isSafeInteger(numCtx) && numCtx > 0 ? numCtx : null,
    length: Number.isSafeInteger(length) && Number(length) > 0 ? Number(length) : null,
  };
}

/** Returns the smallest of the windows that are known; null for none. */
export function smallestWindow(...windows: readonly (number | null | undefined)[]): number | null {
  const known = windows.filter((window) => typeof window === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

const readers: Partial<Record<ProviderType, ReadLoaded>> = {
  async ollama(ask, model) {
    const { numCtx, length } = windowsInShow(await ask('/api/show', { model }));
    let loaded = windowInPs(await ask('/api/ps'), model);
    if (loaded === null && numCtx === null) {
      // A request without a prompt loads the model, as the call would: only then its server says with which window.
      await ask('/api/generate', { model, stream: false });
      loaded = windowInPs(await ask('/api/ps'), model);
    }
    return loaded === null && numCtx === null ? null : smallestWindow(loaded, numCtx, length);
  },
  async lmstudio(ask, model) {
    const about = listed.safeParse(await ask(`/api/v0/models/${encodeURIComponent(model)}`)).data;
    return about?.state === 'loaded' ? (about.loaded_context_length ?? null) : null;
  },
};

/** Ollama's usual port: it is entered as any compatible server, too. */
const ollamaPort = '11434';
/** How long a window is believed (ms). A person loads the model with another one between two runs. */
const freshMs = 30_000;

/**
 * Returns what reads the window that a model is loaded with, or null for a provider whose servers do not cut prompts by it. Ollama reads what fits, and says
 * nothing. What is read is kept for half a minute; the reader never rejects.
 */
export function windowReader(
  provider: ProviderType,
  { address, model, headers, call }: LocalModel,
  clock: () => number = () => performance.now(),
): ((signal: AbortSignal) => Promise<number | null>) | null {
  const isOllama = provider === 'ollama' || ((provider === 'openai' || provider === 'compatible') && address.port === ollamaPort);
  const read = isOllama ? readers.ollama : readers[provider];
  if (!read) return null;
  const base = `${address.origin}${address.pathname.replace(/\/v\d+\/?$/, '').replace(/\/$/, '')}`;
  let known: { window: number | null; until: number } | null = null;
  return async (signal) => {
    if (known && clock() < known.until) return known.window;
    const ask: Ask = async (path, body) => {
      const answer = await call(`${base}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      });
      return answer.ok ? parseBoundedJson(await answer.text()) : null;
    };
    const window = await read((path, body) => ask(path, body).catch(() => null), model);
    known = { window, until: clock() + freshMs };
    return window;
  };
}
