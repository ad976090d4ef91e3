import { buildServerWhenStale } from '../../scripts/build-server.ts';
import { serverProgram } from '../../scripts/server-build/server-bundle.ts';

/** Imported before all else: the servers of the benchmark are the built one, as `npm start` runs it. */
process.env.ARTEL_TEST_SERVER ??= serverProgram;
if (!(await buildServerWhenStale())) process.exit(2);
