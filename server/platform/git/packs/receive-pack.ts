import { Stopped } from '../repository.ts';
import { bytesInMemory } from './answer-bytes.ts';
import { flushPacket, packet, packetsOf } from './packet-lines.ts';
import { demandOk, type GitHttpCall, linesOf } from './upload-pack.ts';

/** A branch that is to be moved. `from` is null for a new one. */
type RefUpdate = { ref: string; from: string | null; to: string };

/** `moved`: the branch is not where it was thought to be, but at `theirs`. `refused`: the server has said why. */
type PushOutcome = { kind: 'taken' } | { kind: 'moved'; theirs: string | null } | { kind: 'refused'; text: string };

const infoPath = '/info/refs?service=git-receive-pack';
const packPath = '/git-receive-pack';
const noObject = '0'.repeat(40);

/** Sends a pack, and moves a branch to a commit in it: https://git-scm.com/docs/pack-protocol. Throws `Stopped`. */
export async function sendPack(call: GitHttpCall, { ref, from, to }: RefUpdate, pack: Buffer): Promise<PushOutcome> {
  const { headers, body } = demandOk(await call(infoPath, 'GET', {}, null));
  if (!headers['content-type']?.startsWith('application/x-git-receive-pack-advertisement')) throw new Stopped('not_found');
  const lines = linesOf(body).filter((line) => !line.startsWith('# service='));
  const [first = '', capabilityLine = ''] = (lines[0] ?? '').split('\0');
  const there = [first, ...lines.slice(1)].find((line) => line.slice(noObject.length + 1) === ref)?.slice(0, noObject.length) ?? null;
  if (there !== from) return { kind: 'moved', theirs: there };
  const capabilities = capabilityLine.split(' ');
  if (!capabilities.includes('report-status')) throw new Stopped('failed');
  const isSideBand = capabilities.includes('side-band-64k');
  const given = ['report-status', ...(isSideBand ? ['side-band-64k'] : []), 'agent=git/artel'].join(' ');
  const command = packet(`${from ?? noObject} ${to} ${ref}\0 ${given}`);
  const accept = 'application/x-git-receive-pack-result';
  const sent = { accept, 'content-type': 'application/x-git-receive-pack-request' };
  const answer = demandOk(await call(packPath, 'POST', sent, Buffer.concat([command, flushPacket, pack])));
  const all = answer.body.read(0, answer.body.length);
  return isSideBand ? outcomeOf(channelOf(all, reportChannel), channelOf(all, talkChannel)) : outcomeOf(all, Buffer.alloc(0));
}

const reportChannel = 1;
const talkChannel = 2;
const errorChannel = 3;

function channelOf(answer: Buffer, asked: number): Buffer {
  const bytes = bytesInMemory(answer);
  const parts: Buffer[] = [];
  for (const one of packetsOf(bytes)) {
    if (one.kind !== 'data') continue;
    const channel = bytes.read(one.from, 1)[0];
    if (channel === errorChannel) throw new Stopped('failed');
    if (channel === asked) parts.push(bytes.read(one.from + 1, one.length - 1));
  }
  return Buffer.concat(parts);
}

const maxRefusal = 300;

/** Reads what became of the branch. A refusal begins with what the server's programs have said, such as the sentence of a hook. */
function outcomeOf(report: Buffer, said: Buffer): PushOutcome {
  const lines = linesOf(bytesInMemory(report));
  if (lines.length === 0) throw new Stopped('failed');
  const wrong = lines.filter((line) => line !== 'unpack ok' && !line.startsWith('ok '));
  if (wrong.length === 0) return { kind: 'taken' };
  const reasons = wrong.map((line) => line.replace(/^ng (\S+) /, '- $1: '));
  return { kind: 'refused', text: `${said} ${reasons.join(' ')}`.replace(/\s+/g, ' ').trim().slice(0, maxRefusal) };
}
