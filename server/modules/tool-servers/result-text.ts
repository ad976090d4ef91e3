import { z } from 'zod';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
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

/** Returns the text of an answer: texts as they are, other parts by what they are. Structured content counts where there is no text. */
export function resultText({ content, structured }: McpAnswer, words: { serverData: string; serverSilent: string }): string {
  const parts = content.slice(0, maxParts).flatMap((one) => {
    const parsed = part.safeParse(one);
    return parsed.success ? [textOf(parsed.data, words.serverData)] : [];
  });
  if (parts.length > 0) return parts.join('\n\n');
  return structured === undefined ? words.serverSilent : JSON.stringify(structured);
}

function textOf(one: z.output<typeof part>, serverData: string): string {
  const leftOut = (kind: string, type: string, base64: string) =>
    fill(serverData, { kind, type: visibleName(type.slice(0, maxNamed)), bytes: Math.floor((base64.length * 3) / 4) });
  switch (one.type) {
    case 'text':
      return one.text;
    case 'image':
    case 'audio':
      return leftOut(one.type, one.mimeType, one.data);
    case 'resource_link':
      return `${visibleName(one.name.slice(0, maxNamed))} <${visibleName(one.uri.slice(0, 2_000))}>`;
    case 'resource': {
      const { resource } = one;
      const uri = visibleName(resource.uri.slice(0, 2_000));
      return 'text' in resource ? `${uri}:\n${resource.text}` : `${uri}: ${leftOut('resource', resource.mimeType, resource.blob)}`;
    }
  }
}
