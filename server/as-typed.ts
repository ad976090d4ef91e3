/** Returns a refusal with the options of the command `artel` in place of the settings that they stand for: it names them, as `PORT=--port DATA_DIR=--data`. */
export function asTyped(line: string, typed = process.env.ARTEL_TYPED ?? ''): string {
  const options = new Map(typed.split(' ').map((pair) => [pair.split('=')[0], pair.split('=')[1]]));
  return line.replace(/\b(?:PORT|HOST|DATA_DIR)\b/g, (setting) => options.get(setting) ?? setting);
}
