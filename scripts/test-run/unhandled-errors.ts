import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

export const unhandledErrorsVariable = 'VITEST_UNHANDLED_ERRORS';

/** A reporter of Vitest: writes the messages of errors outside the tests, which its JSON report leaves out, to the file of the variable. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly { message: string }[]): void {
    writeFileSync(process.env[unhandledErrorsVariable] ?? '', JSON.stringify(errors.map(({ message }) => message)));
  }
}
