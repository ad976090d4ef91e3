import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A package as a registry has it: its name, its manifest without a name, and its files. */
export type PlayedPackage = { name: string; manifest: { version: string } & Record<string, unknown>; files: Record<string, string> };

/** A registry of npm on loopback that has one version of each package. */
export async function startPlayedRegistry(packages: readonly PlayedPackage[]) {
  const archives = new Map(packages.map((one) => [one.name, pack(one)]));
  /** The paths that were asked for. */
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    const [, name = '', archive] = (request.url ?? '').split('/');
    const found = packages.find((one) => one.name === name);
    if (!found) return response.writeHead(404).end('{}');
    if (archive !== undefined) return response.end(archives.get(name));
    const { version } = found.manifest;
    const dist = { tarball: `${url()}/${name}/${version}.tgz` };
    const versions = { [version]: { ...found.manifest, name, dist } };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function pack({ name, manifest, files }: PlayedPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'artel-package-'));
  try {
    mkdirSync(join(folder, 'package'));
    const all = { ...files, 'package.json': JSON.stringify({ ...manifest, name }) };
    for (const [path, text] of Object.entries(all)) writeFileSync(join(folder, 'package', path), text, { mode: 0o755 });
    execFileSync('tar', ['-czf', 'archive.tgz', 'package'], { cwd: folder });
    return readFileSync(join(folder, 'archive.tgz'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
