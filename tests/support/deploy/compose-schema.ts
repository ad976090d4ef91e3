import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** The schema of compose files: github.com/compose-spec/compose-spec, `schema/compose-spec.json`, Apache License 2.0. */
const written = JSON.parse(gunzipSync(readFileSync(join(import.meta.dirname, 'compose-spec.json.gz'))).toString()) as object;
const schema = z.fromJSONSchema({ ...written, $schema: 'http://json-schema.org/draft-07/schema#' } as JsonSchema);

/** Returns what the schema of compose files says against a file. */
export function composeProblems(file: unknown): string[] {
  return (schema.safeParse(file).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
