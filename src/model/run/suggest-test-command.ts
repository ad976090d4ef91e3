/** What npm writes into a new package, in place of a test. */
const noTest = /no test specified/;

/**
 * Returns the command by which a repository is usually tested, or null. `paths`: of its files. `manifest`: the text of its `package.json`;
 * null for none.
 */
export function suggestTestCommand(paths: ReadonlySet<string>, manifest: string | null): string | null {
  if (manifest !== null && hasTestScript(manifest)) {
    if (paths.has('pnpm-lock.yaml')) return 'pnpm test';
    if (paths.has('yarn.lock')) return 'yarn test';
    return paths.has('bun.lock') || paths.has('bun.lockb') ? 'bun run test' : 'npm test';
  }
  if (paths.has('go.mod')) return 'go test ./...';
  if (paths.has('Cargo.toml')) return 'cargo test';
  if (['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'requirements.txt'].some((name) => paths.has(name)))
    return 'python3 -m pytest';
  return paths.has('Gemfile') ? 'bundle exec rake test' : null;
}

function hasTestScript(manifest: string): boolean {
  try {
    const { scripts } = JSON.parse(manifest) as { scripts?: { test?: unknown } };
    return typeof scripts?.test === 'string' && !noTest.test(scripts.test);
  } catch {
    return false;
  }
}
