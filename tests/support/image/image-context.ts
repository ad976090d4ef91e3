import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';

/** Returns the files that a build of an image can copy: those of the repository that .dockerignore does not leave out. */
export function imageContext(root: string): string[] {
  const { isIgnored, isClosed } = readIgnored(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const files: string[] = [];
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isClosed(path)) visit(path);
      else if (entry.isFile() && !isIgnored(path)) files.push(path);
    }
  };
  visit('');
  return files;
}

type Ignored = {
  isIgnored: (path: string) => boolean;
  /** Whether a folder is ignored with all that it holds. */
  isClosed: (folder: string) => boolean;
};

/** The last line that names a path or a folder above it decides, as in Docker. */
function readIgnored(text: string): Ignored {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const rules = lines.map((line) => {
    const pattern = line.replace(/^!/, '').replace(/\/$/, '');
    return { pattern, isIgnoring: !line.startsWith('!'), isMatch: picomatch([pattern, `${pattern}/**`], { dot: true }) };
  });
  const isIgnored = (path: string) => rules.findLast(({ isMatch }) => isMatch(path))?.isIgnoring ?? false;
  const isReopened = (folder: string) => rules.some(({ isIgnoring, pattern }) => !isIgnoring && pattern.startsWith(`${folder}/`));
  return { isIgnored, isClosed: (folder) => isIgnored(folder) && !isReopened(folder) };
}
