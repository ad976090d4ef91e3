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
      const code = `const written = JSON.parse(${JSON.stringify(JSON.stringify(openApiDocument('')))});
export const openApiDocument = (version) => ({ ...written, info: { ...written.info, version } });`;
      return { code, map: null };
    },
  };
}
