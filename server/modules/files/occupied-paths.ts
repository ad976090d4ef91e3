/**
 * The paths of a tree. A new path is taken if it differs from another one only in case, or needs a folder where a file is: one of the two
 * would be lost on unpacking. A file that is there can be written, whatever stands beside it.
 */
export class OccupiedPaths {
  readonly #paths = new Set<string>();
  /** In lower case, as the folders are. */
  readonly #names = new Set<string>();
  readonly #folders = new Set<string>();

  occupy(path: string): void {
    this.#paths.add(path);
    this.#names.add(path.toLowerCase());
    for (const folder of foldersOf(path)) this.#folders.add(folder);
  }

  isTaken(path: string): boolean {
    if (this.#paths.has(path)) return false;
    const name = path.toLowerCase();
    return this.#names.has(name) || this.#folders.has(name) || foldersOf(path).some((folder) => this.#names.has(folder));
  }
}

/** Returns every folder above a file, in lower case. */
function foldersOf(path: string): string[] {
  const names = path.toLowerCase().split('/');
  return names.slice(1).map((_name, index) => names.slice(0, index + 1).join('/'));
}
