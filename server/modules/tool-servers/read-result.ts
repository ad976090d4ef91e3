import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
import { imageType } from '../../platform/llm/image-type.ts';
import type { ModelImage } from '../../platform/llm/language-model.ts';
import type { McpAnswer } from '../../platform/mcp/mcp-session.ts';
import { fill } from '../tools/index.ts';

/** The most parts of an answer that are read. */
const maxParts = 1_000;
/** The most images of an answer that a model is shown. */
const maxImages = 4;
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

type Words = { serverData: string; serverImage: string; serverSilent: string };

/**
 * Returns the text and the images of an answer: texts as they are, other parts by what they are, and structured content where no text is the
 * same.
 */
export function readResult({ content, structured, isError }: McpAnswer, words: Words): { text: string; images: ModelImage[] } {
  const images: ModelImage[] = [];
  const parts = content.slice(0, maxParts).flatMap((one) => {
    const parsed = part.safeParse(one);
    if (!parsed.success) return [];
    // A failure is told in words.
    const image = images.length < maxImages && !isError ? imageOf(parsed.data) : null;
    if (!image) return [textOf(parsed.data, words.serverData)];
    images.push(image);
    return [fill(words.serverImage, { number: images.length, type: image.mime, bytes: Buffer.byteLength(image.base64, 'base64') })];
  });
  if (structured !== undefined && !parts.some((one) => isSameData(one, structured))) parts.push(JSON.stringify(structured));
  return { text: parts.length > 0 ? parts.join('\n\n') : words.serverSilent, images };
}

/** Returns an image that models take, as the bytes are and not as the server calls them. */
function imageOf(one: z.output<typeof part>): ModelImage | null {
  const base64 = one.type === 'image' ? one.data : one.type === 'resource' && 'blob' in one.resource ? one.resource.blob : null;
  if (base64 === null) return null;
  const bytes = Buffer.from(base64, 'base64');
  const mime = imageType(bytes);
  return mime === null ? null : { mime, base64: bytes.toString('base64') };
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
