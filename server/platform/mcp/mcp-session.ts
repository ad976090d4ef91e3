import { Client, type JsonSchemaValidator, type jsonSchemaValidator, ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
import { maxProgressMs, usualMs } from './call-times.ts';
import { type McpChannel, unwatched } from './mcp-channel.ts';
import { McpFailed } from './mcp-failed.ts';
import { toMcpFailed } from './to-mcp-failed.ts';

const maxPages = 20;
const maxNameLength = 200;

/** What a call has brought: parts as the server sent them. */
export type McpAnswer = { content: readonly unknown[]; structured: unknown; isError: boolean };

export type McpSession = {
  /** What the server calls itself. */
  about: { name: string; version: string } | null;
  /** Returns the definitions as the server sent them, at most one more than `max`. */
  listTools: (max: number, signal: AbortSignal) => Promise<unknown[]>;
  callTool: (name: string, args: object, signal: AbortSignal) => Promise<McpAnswer>;
  /** Ends the session. Never rejects. */
  close: () => Promise<void>;
};

const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().max(10_000).optional() });
const answer = z.object({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
/** Output is data for a model: no schema of a server is compiled for it. */
const withoutValidation: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** Opens a session. Throws `McpFailed`, or the signal's reason; the channel is then closed. */
export async function openMcpSession(
  channel: McpChannel,
  signal: AbortSignal,
  { maxMs = usualMs, maxAllMs = maxProgressMs } = {},
): Promise<McpSession> {
  let watcher = unwatched;
  let calls = 0;
  channel.watch({ onFailure: (error) => watcher.onFailure(error), onProgress: () => watcher.onProgress() });
  const client = new Client(
    { name: 'artel', version: '1' },
    { capabilities: {}, jsonSchemaValidator: withoutValidation, ...(channel.negotiates && { versionNegotiation: { mode: 'auto' } }) },
  );

  /**
   * Requests follow one another. The first of result, failure of the channel and time limit counts. Progress extends the limit, up to one of
   * its own.
   */
  const within = async <T>(given: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    given.throwIfAborted();
    const late = new AbortController();
    const limit = AbortSignal.any([given, late.signal, AbortSignal.timeout(maxAllMs)]);
    const timer = setTimeout(() => late.abort(), maxMs);
    let onAbort = () => {};
    try {
      return await new Promise<T>((resolve, reject) => {
        watcher = { onFailure: reject, onProgress: () => timer.refresh() };
        onAbort = () => reject(new McpFailed('timeout'));
        limit.addEventListener('abort', onAbort, { once: true });
        work(limit).then(resolve, reject);
      });
    } catch (error) {
      given.throwIfAborted();
      throw toMcpFailed(error);
    } finally {
      clearTimeout(timer);
      watcher = unwatched;
      limit.removeEventListener('abort', onAbort);
    }
  };
  const options = (limit: AbortSignal) => ({ signal: limit, timeout: maxAllMs });
  const close = async () => {
    await channel.close();
    await client.close().catch(() => {});
  };

  try {
    await within(signal, (limit) => client.connect(channel.transport, options(limit)));
    if (!client.getServerCapabilities()?.tools) throw new McpFailed('no_tools');
  } catch (error) {
    close();
    throw error;
  }
  const named = client.getServerVersion();
  const short = (text: unknown) => visibleName(String(text ?? '').slice(0, maxNameLength));
  return {
    about: named ? { name: short(named.name), version: short(named.version) } : null,

    listTools: (max, given) =>
      within(given, async (limit) => {
        const tools: unknown[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages < maxPages; pages += 1) {
          const params = cursor === undefined ? {} : { cursor };
          const found = await client.request({ method: 'tools/list', params }, page, options(limit));
          for (const tool of found.tools) if (tools.length <= max) tools.push(tool);
          cursor = found.nextCursor;
          if (cursor === undefined || tools.length > max) break;
        }
        return tools;
      }),

    callTool: (name, args, given) =>
      within(given, async (limit) => {
        calls += 1;
        const params = { name, arguments: args as Record<string, unknown>, _meta: { progressToken: calls } };
        try {
          const found = await client.request({ method: 'tools/call', params }, answer, options(limit));
          return { content: found.content ?? [], structured: found.structuredContent, isError: found.isError ?? false };
        } catch (error) {
          // The server's own refusal, for instance of the arguments.
          if (!(error instanceof ProtocolError)) throw error;
          return { content: [{ type: 'text', text: error.message }], structured: undefined, isError: true };
        }
      }),

    close,
  };
}
