import { expect, test } from 'vitest';
import { readParts } from '../../../../server/platform/database/backup/backup-file.ts';
import { readMigrations } from '../../../../server/platform/database/migrate.ts';
import { migrationsFolder } from '../../../support/open-test-database.ts';
import { releases } from '../../../support/releases/releases.ts';

test('R10.01 a migration of a release never changes and is never removed', async () => {
  const today = (await readMigrations(migrationsFolder)).map(({ name, checksum }) => ({ name, checksum }));
  expect(releases.length).toBeGreaterThan(3);
  for (const { path } of releases) {
    const first = await readParts(path).next();
    if (first.done || first.value.kind !== 'header') throw new Error(`${path} is no backup.`);
    const released = first.value.header.migrations;
    expect(released.length).toBeGreaterThan(50);
    expect(today.filter(({ name }) => released.some((one) => one.name === name))).toEqual(released);
  }
});
