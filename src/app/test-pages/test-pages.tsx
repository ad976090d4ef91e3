import { AuthTestPage } from './auth-test-page.tsx';
import { LoginTestPage } from './login-test-page.tsx';
import { SimpleTestPage } from './simple-test-page.tsx';
import { StorageTestPage } from './storage-test-page.tsx';
import type { TestPageName } from './test-page.tsx';
import { watchStorage } from './watch-storage.ts';

const pages = { 'test-auth': AuthTestPage, 'login-test': LoginTestPage, 'simple-test': SimpleTestPage, 'storage-test': StorageTestPage };

watchStorage();

/** The test pages for developers and operators. The server refuses their URLs with `ARTEL_TEST_PAGES=off`. P2.24 */
export function TestPages({ name }: { name: TestPageName }) {
  const Page = pages[name];
  return <Page />;
}
