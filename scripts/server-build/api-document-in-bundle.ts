import { join } from 'node:path';
import type { Plugin } from 'vite';
import { slashed } from './places-of-sources.ts';

/** Puts the written description of the API into the bundle, in place of what makes it: to make the example of each call takes 300 ms. */
export function apiDocumentInBundle(root: string): Plugin {
  const maker = slashed(join(root, 'server', 'http', 'openapi', 'openapi-document.ts'));
  return {
    name: 'api-document-in-bundle',
    enforce: 'pre',
    transform: async (_code, id) => {
      if (slashed(id) !== maker) return null;
      const { openApiDocument } = await import('../../server/http/openapi/openapi-document.ts');
      const code = `const written = ${JSON.stringify(JSON.stringify(openApiDocument('')))};
export function openApiDocument(version) {
  const { info, ...rest } = JSON.parse(written);
  return { openapi: rest.openapi, info: { ...info, version }, ...rest };
}`;
      return { code, map: null };
    },
  };
}
