import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A server without work, on its own thread: its latency shows how busy the machine is. */
const server = http.createServer((_request, response) => response.end('[]'));
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
