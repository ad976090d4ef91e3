import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { McpAnswer } from '../../platform/mcp/mcp-session.ts';
import { fill } from '../tools/index.ts';

/** The most parts of an answer that are read. */
const maxParts = 1_000;
const maxNamed = 200;

const text = z.string();
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.enum(['image', 'audio']), data: text, mimeType: text.catch('?') }),
  z.object({ type: z.literal('resource_link'), uri: text, name: text.catch('') }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([z.object({ uri: text, text }), z.object({ uri: text, blob: text, mimeType: text.catch('?') })]),
  }),
]);

/** Returns the text of an answer: texts as they are, other parts by what they are, and structured content where no text is the same. */
export function resultText({ content, structured }: McpAnswer, words: { serverData: string; serverSilent: string }): string {
  const parts = content.slice(0, maxParts).flatMap((one) => {
    const parsed = part.safeParse(one);
    return parsed.success ? [textOf(parsed.data, words.serverData)] : [];
  });
  if (structured !== undefined && !parts.some((one) => isSameData(one, structured))) parts.push(JSON.stringify(structured));
  return parts.length > 0 ? parts.join('\n\n') : words.serverSilent;
}

function isSameData(text: string, data: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), data);
  } catch {
    return false;
  }
}

function textOf(one: z.output<typeof part>, serverData: string): string {
  const leftOut = (kind: string, type: string, base64: string) =>
    fill(serverData, { kind, type: type.slice(0, maxNamed), bytes: Math.floor((base64.length * 3) / 4) });
  switch (one.type) {
    case 'text':
      return one.text;
    case 'image':
    case 'audio':
      return leftOut(one.type, one.mimeType, one.data);
    case 'resource_link':
      return `${one.name.slice(0, maxNamed)} <${one.uri.slice(0, 2_000)}>`;
    case 'resource': {
      const { resource } = one;
      const uri = resource.uri.slice(0, 2_000);
      return 'text' in resource ? `${uri}:\n${resource.text}` : `${uri}: ${leftOut('resource', resource.mimeType, resource.blob)}`;
    }
  }
}
