import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const codeOf = (attempt: () => unknown) => {
  try {
    attempt();
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

/** Stands in for the library that reads PDFs: its one page tells what the process may do. */
export async function getDocumentProxy() {
  const str = JSON.stringify({
    environment: Object.keys(process.env).filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
    reads: codeOf(() => readFileSync('/etc/passwd')),
    readsParent: codeOf(() => readFileSync(`/proc/${process.ppid}/environ`)),
    writes: codeOf(() => writeFileSync('/tmp/artel-written-by-a-pdf', '')),
    starts: codeOf(() => spawnSync('/bin/true')),
  });
  return { numPages: 1, getPage: async () => ({ getTextContent: async () => ({ items: [{ str }] }), cleanup: () => {} }) };
}
