import { expect, test } from 'vitest';
import { lacksDisk, lacksMemory } from '../../../../deploy/runner/watch-room.ts';

const gibibyte = 1024 ** 3;
const disk = { bavail: gibibyte / 4096, bsize: 4096, files: 1_000_000, ffree: 500_000 };

test('C5.03 a job lacks room once less of the disk, or fewer files, are free than the operator asks for', () => {
  expect(lacksDisk(disk, gibibyte)).toBe(false);
  expect(lacksDisk(disk, gibibyte + 1)).toBe(true);
  expect(lacksDisk({ ...disk, ffree: 9_999 }, 1)).toBe(true);
  expect(lacksDisk({ ...disk, files: 0, ffree: 0 }, 1)).toBe(false);
});

test('C5.03 a job lacks memory once the machine has too little left, also where no process of the job holds it', () => {
  const told = (available: number) => `MemTotal:       16000000 kB\nMemFree:          100000 kB\nMemAvailable:   ${available} kB\n`;
  expect(lacksMemory(told(900_000))).toBe(false);
  expect(lacksMemory(told(700_000))).toBe(true);
  expect(lacksMemory('')).toBe(false);
});
