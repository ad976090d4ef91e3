import { arch, cpus, release } from 'node:os';

/** The machine, for a benchmark's line of JSON. */
export function machine(): { cores: number; cpu: string | undefined; os: string } {
  return { cores: cpus().length, cpu: cpus()[0]?.model, os: `${process.platform} ${release()} ${arch()}` };
}
