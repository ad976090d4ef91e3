import { readYaml } from './read-yaml.ts';

type Fields = Record<string, unknown>;
export type Service = Fields & {
  environment?: Record<string, string>;
  volumes?: string[];
  networks?: string[];
  depends_on?: string[] | Record<string, unknown>;
  profiles?: string[];
};
export type Compose = { services: Record<string, Service>; volumes: Fields; networks: Fields };

/** Returns a compose file with the services that it extends, merged as compose does it: fields of a mapping one by one, lists joined. */
export function readCompose(file: string): Compose {
  const whole = readYaml<Compose>(file);
  const services = Object.entries(whole.services).map(([name, { extends: base, ...own }]) => {
    if (base === undefined) return [name, own];
    const { file: from, service } = base as { file: string; service: string };
    const found = readYaml<Compose>(from).services[service];
    if (found === undefined) throw new Error(`${file} extends ${service}, which ${from} does not have.`);
    return [name, merge(found, own)];
  });
  return { ...whole, services: Object.fromEntries(services) as Record<string, Service> };
}

function merge(base: unknown, own: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(own)) return [...base, ...own];
  if (!isFields(base) || !isFields(own)) return own;
  const merged = { ...base };
  for (const [name, value] of Object.entries(own)) merged[name] = name in base ? merge(base[name], value) : value;
  return merged;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts values in the place of `${NAME:-default}` and `${NAME:?sentence}`; the sentence is thrown where there is none. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, fallback: string) => {
    if (values[name]) return values[name];
    if (kind === '?') throw new Error(fallback);
    return fallback;
  });
}
