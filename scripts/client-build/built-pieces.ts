/** The part of Vite's manifest that is read here. */
export type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>;

type BuiltPieces = { scripts: string[]; styles: string[] };

/** The files that some chunks need, each once, in loading order. Throws for a chunk that is not in the build. */
export function builtPieces(manifest: Manifest, names: readonly string[]): BuiltPieces {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visited = new Set<string>();
  const visit = (name: string) => {
    if (visited.has(name)) return;
    visited.add(name);
    const piece = manifest[name];
    if (!piece) throw new Error(`The build has no ${name}`);
    for (const next of piece.imports ?? []) visit(next);
    for (const file of piece.css ?? []) styles.add(file);
    scripts.add(piece.file);
  };
  for (const name of names) visit(name);
  return { scripts: [...scripts], styles: [...styles] };
}
