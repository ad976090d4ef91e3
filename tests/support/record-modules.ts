import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** With `--import` of this file a process writes the URL of each module that it loads into the file of `ARTEL_TEST_MODULES`, one a line. */
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(String(process.env.ARTEL_TEST_MODULES), `${url}\n`);
    return nextLoad(url, context);
  },
});
