/** Where the proxy listens below the folder that a job sees, and where its forwarder does in the job's own network. */
const socketName = 'socket';
const port = 3_128;

/**
 * Gives a command the way to a proxy that listens on a socket of the file system: a port of its own network, from which each connection goes to the
 * socket. The command begins once the port is open, and its end is the end of the forwarder.
 */
const forward = `const [socket, port, file, ...args] = process.argv.slice(1);
const net = require('node:net');
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  client.pipe(proxy).pipe(client);
  client.on('error', () => {}).on('close', () => proxy.destroy());
  proxy.on('error', () => {}).on('close', (hasFailed) => hasFailed ? client.destroy() : client.end());
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = require('node:child_process').spawn(file, args, { stdio: 'inherit' });
  child.on('error', () => process.exit(126));
  child.on('exit', (code) => process.exit(code ?? 1));
});`;

export function forwarded(node: string, folder: string): string[] {
  return [node, '-e', forward, '--', socketIn(folder), String(port)];
}

export function socketIn(folder: string): string {
  return `${folder}/${socketName}`;
}

/** How programs are told of a proxy. npm and Yarn also read files of the repository, which have no say over these. */
export function proxyVariables(): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const own = 'localhost,127.0.0.1,::1';
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy', 'npm_config_https_proxy'];
  const ofYarn = ['YARN_HTTP_PROXY', 'YARN_HTTPS_PROXY'];
  return { ...Object.fromEntries([...names, ...ofYarn].map((name) => [name, proxy])), NO_PROXY: own, no_proxy: own };
}
