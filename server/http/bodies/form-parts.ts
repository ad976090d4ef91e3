import { createHash } from 'node:crypto';
import type { FormParts } from '../../../contract/route.ts';
import { ApiError } from '../api-error.ts';

/** A file of a form. A repeated call is recognised by the hash of its bytes. */
class FormFile {
  readonly name: string;
  readonly content: Uint8Array;

  constructor(name: string, content: Uint8Array) {
    this.name = name;
    this.content = content;
  }

  toJSON(): unknown {
    return { name: this.name, sha256: createHash('sha256').update(this.content).digest('hex') };
  }
}

/** Parts that one form may have. */
const maxParts = 100;

/** Reads the parts of a form (`multipart/form-data`). Throws `bad_request` for one that is malformed, or that has two parts of one name. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormParts> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch((cause: unknown) => {
    throw new ApiError('bad_request', { cause });
  });
  const parts = new Map<string, FormParts[string]>();
  for (const [name, value] of form) {
    if (parts.has(name) || parts.size === maxParts) throw new ApiError('bad_request', { details: { part: name } });
    parts.set(name, typeof value === 'string' ? value : new FormFile(value.name, new Uint8Array(await value.arrayBuffer())));
  }
  return Object.fromEntries(parts);
}
