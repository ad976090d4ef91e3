import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** `first-run.js SECONDS COMMAND...`: starts Artel by a command and finishes a simulated run on it, within so many seconds from the start. */
const [seconds, command, ...words] = process.argv.slice(2);
const began = Date.now();
const late = setTimeout(() => fail(`It took longer than ${seconds} seconds.`), Number(seconds) * 1000);
let isOver = false;
const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
// It is closed when no process of it writes any more: npx may end before the server that it has started.
const ended = new Promise((done) => child.once('close', done));
const url = await new Promise((ready) => {
  let output = '';
  child.stdout.on('data', (part) => {
    process.stdout.write(part);
    output += part;
    const [, address] = /^Artel is ready at (http\S+)$/m.exec(output) ?? [];
    if (address) ready(address);
  });
  void ended.then((code) => isOver || fail(`It ended with ${code}.`));
});

let token = '';
const person = { email: `${began}@example.com`, name: 'Ann', password: `a quiet river ${began}` };
({ accessToken: token } = await call('POST', '/auth/register', person));
const [agent] = await call('GET', '/nuroagent');
const steps = [{ name: 'First', agentId: agent.id }];
const pipeline = await call('POST', '/Pipeline', { name: 'First run', projectId: 'default', steps });
const { id } = await call('POST', '/PipelineExecution/start', { pipelineId: pipeline.id, inputData: { task: 'Words about tests' } });
for (let status = ''; status !== 'completed'; ) {
  await wait(200);
  ({ status } = await call('GET', `/PipelineExecution/${id}/details`));
  if (status === 'failed') fail('The run failed.');
}
clearTimeout(late);
console.log(`A run was finished ${((Date.now() - began) / 1000).toFixed(1)} seconds after the start.`);
isOver = true;
child.kill('SIGTERM');
await ended;

async function call(method, path, body) {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) fail(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function fail(why) {
  console.error(why);
  child.kill('SIGKILL');
  process.exit(1);
}
