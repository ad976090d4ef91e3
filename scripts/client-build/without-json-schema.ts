import type { Plugin } from 'vite';

/** The files of Zod that describe a schema as JSON Schema. */
const describing = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/;

/**
 * Leaves Zod's writers of JSON Schema out of a build: 5 kB in the page and again in its worker. Every schema refers to them, so the bundler
 * keeps them. The server alone describes schemas; in the page the attempt throws.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'artel:without-json-schema',
    apply: 'build',
    transform: { filter: { id: describing }, handler: absent },
  };
}

/** The same exports, each a function that makes a function that throws. */
function absent(code: string): string {
  const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => `absent as ${name}`);
  return `const absent = () => () => { throw new Error('JSON Schema is written by the server alone'); };\nexport { ${names.join(', ')} };`;
}
