import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** Writes the build id into the client's page. The server sends its own with every response, so an open page detects a newer client. */
export function buildId(): Plugin {
  return {
    name: 'artel:build-id',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => [{ tag: 'meta', attrs: { name: 'build', content: idOf(Object.keys(bundle ?? {})) }, injectTo: 'head' }],
    },
  };
}

/** An id of the files of a build. Their names have hashes of their content. */
export function idOf(files: readonly string[]): string {
  return createHash('sha256')
    .update([...files].sort().join('\n'))
    .digest('base64url')
    .slice(0, 16);
}
