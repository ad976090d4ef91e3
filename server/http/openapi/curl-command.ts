import type { OperationExample } from '../../../contract/operations/example-of.ts';
import type { Route } from '../../../contract/route.ts';

/** Returns the example request as a `curl` command. `$ARTEL` is the address of the server, `$TOKEN` an access token. */
export function curlCommand(route: Route, { params = {}, query = {}, body }: OperationExample): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();
  const method = route.method === 'GET' ? '' : `-X ${route.method} `;
  return [
    `curl ${method}"$ARTEL/api${path}${search === '' ? '' : `?${search}`}"`,
    ...(route.auth === 'public' ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(route.takes
      ? [`-H 'Content-Type: ${route.takes}'`, `--data-binary @${route.takes === 'application/zip' ? 'files.zip' : 'file'}`]
      : []),
    ...(body === undefined || route.takes ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ...(route.produces === 'application/zip' ? ['-o files.zip'] : []),
    ...(route.produces === 'application/x-git-bundle' ? ['-o run.bundle'] : []),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
