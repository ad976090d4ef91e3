type Entry = { content: Uint8Array; changedAt: number };

/** The files of a repository in memory, with the part of Node's `fs.promises` that isomorphic-git uses. Folders exist as soon as they are asked for. */
export function memoryFiles() {
  const files = new Map<string, Entry>();
  const folders = new Set<string>(['/']);
  let clock = 0;

  const missing = (path: string) => Object.assign(new Error(`No such file: ${path}`), { code: 'ENOENT' });
  const find = (path: string): Entry => {
    const entry = files.get(path);
    if (!entry) throw missing(path);
    return entry;
  };
  const stat = async (path: string) => {
    const isFolder = folders.has(path);
    const size = isFolder ? 0 : find(path).content.length;
    const at = isFolder ? 0 : find(path).changedAt;
    return {
      ...{ isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false },
      ...{ size, mode: isFolder ? 0o40755 : 0o100644, mtimeMs: at, ctimeMs: at, dev: 0, ino: 0, uid: 0, gid: 0 },
    };
  };

  return {
    promises: {
      async readFile(path: string, options?: string | { encoding?: string }): Promise<Uint8Array | string> {
        const { content } = find(path);
        const encoding = typeof options === 'string' ? options : options?.encoding;
        return encoding ? Buffer.from(content).toString('utf8') : content;
      },
      async writeFile(path: string, content: Uint8Array | string): Promise<void> {
        clock += 1;
        files.set(path, { content: typeof content === 'string' ? Buffer.from(content) : content, changedAt: clock });
      },
      async unlink(path: string): Promise<void> {
        if (!files.delete(path)) throw missing(path);
      },
      async mkdir(path: string): Promise<void> {
        folders.add(path);
      },
      async rmdir(path: string): Promise<void> {
        folders.delete(path);
      },
      async readdir(path: string): Promise<string[]> {
        const prefix = path.endsWith('/') ? path : `${path}/`;
        const below = [...files.keys(), ...folders].filter((name) => name.startsWith(prefix) && name !== prefix);
        if (below.length === 0 && !folders.has(path)) throw missing(path);
        return [...new Set(below.map((name) => name.slice(prefix.length).split('/')[0] as string))];
      },
      stat,
      lstat: stat,
      async readlink(path: string): Promise<never> {
        throw missing(path);
      },
      async symlink(_target: string, path: string): Promise<never> {
        throw missing(path);
      },
      async chmod(): Promise<void> {},
    },
  };
}
