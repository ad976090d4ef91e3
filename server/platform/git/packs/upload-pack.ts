import { type ServerRef, Stopped } from '../repository.ts';
import { type AnswerBytes, JoinedBytes } from './answer-bytes.ts';
import { delimiterPacket, flushPacket, type Packet, packet, packetsOf } from './packet-lines.ts';

type GitHttpAnswer = { status: number; headers: Record<string, string>; body: AnswerBytes };
export type GitHttpCall = (
  path: string,
  method: 'GET' | 'POST',
  headers: Record<string, string>,
  body: Buffer | null,
) => Promise<GitHttpAnswer>;

/** What is asked for. `depth`: so many commits, null for objects that are no commits. `hasNoBlobs`: commits and folders alone, from a server that can leave the rest out. */
type Wanted = { oids: readonly string[]; depth: number | null; hasNoBlobs?: boolean };

export type UploadPack = {
  refs: ServerRef[];
  /** Whether blobs can be left out, and asked for one by one. */
  canFilter: boolean;
  /** Returns a pack as it came. */
  fetch: (wanted: Wanted) => Promise<JoinedBytes>;
};

const infoPath = '/info/refs?service=git-upload-pack';
const packPath = '/git-upload-pack';
const agent = 'agent=git/artel';
const protocol2 = { 'git-protocol': 'version=2' };

/**
 * Opens a repository for reading, by version 2 of Git's protocol, or by the first one where the server knows no other:
 * https://git-scm.com/docs/protocol-v2. Throws `Stopped`.
 */
export async function openUploadPack(call: GitHttpCall): Promise<UploadPack> {
  const { headers, body } = demandOk(await call(infoPath, 'GET', protocol2, null));
  if (!headers['content-type']?.startsWith('application/x-git-upload-pack-advertisement')) throw new Stopped('not_found');
  const lines = linesOf(body).filter((line) => !line.startsWith('# service='));
  return lines[0] === 'version 2' ? openSecond(call, lines) : openFirst(call, lines);
}

async function openSecond(call: GitHttpCall, capabilities: readonly string[]): Promise<UploadPack> {
  const features =
    capabilities
      .find((line) => line.startsWith('fetch='))
      ?.slice('fetch='.length)
      .split(' ') ?? [];
  const post = async (command: string, args: readonly string[]) => {
    const head = [packet(`command=${command}`), packet(agent), delimiterPacket];
    return send(call, Buffer.concat([...head, ...args.map(packet), flushPacket]), protocol2);
  };
  const listed = linesOf(await post('ls-refs', ['peel', 'symrefs']));
  return {
    refs: listed.map(readRef),
    canFilter: features.includes('filter') && features.includes('shallow'),
    fetch: async ({ oids, depth, hasNoBlobs = false }) => {
      const args = [
        ...['no-progress', 'ofs-delta'],
        ...(depth === null ? [] : [`deepen ${depth}`]),
        ...(hasNoBlobs ? ['filter blob:none'] : []),
        ...oids.map((oid) => `want ${oid}`),
        'done',
      ];
      return packIn(await post('fetch', args), (line) => line === 'packfile');
    },
  };
}

function openFirst(call: GitHttpCall, lines: readonly string[]): UploadPack {
  const [first = '', capabilityLine = ''] = (lines[0] ?? '').split('\0');
  const capabilities = capabilityLine.split(' ');
  if (lines.length > 0 && !capabilities.includes('side-band-64k')) throw new Stopped('failed');
  const refs = readFirstRefs([first, ...lines.slice(1)], capabilities);
  return {
    refs,
    canFilter: false,
    fetch: async ({ oids: [oid = ''], depth }) => {
      const given = ['side-band-64k', 'ofs-delta', 'no-progress', 'shallow'].filter((one) => capabilities.includes(one));
      const isCut = depth !== null && given.includes('shallow');
      const parts = [packet(`want ${oid} ${given.join(' ')}`), ...(isCut ? [packet(`deepen ${depth}`)] : []), flushPacket, packet('done')];
      return packIn(await send(call, Buffer.concat(parts), {}), (line) => line === 'NAK');
    },
  };
}

async function send(call: GitHttpCall, body: Buffer, extra: Record<string, string>): Promise<AnswerBytes> {
  const accept = 'application/x-git-upload-pack-result';
  const headers = { accept, 'content-type': 'application/x-git-upload-pack-request', ...extra };
  return demandOk(await call(packPath, 'POST', headers, body)).body;
}

/** Throws `Stopped` with the reason for an answer that is none. */
export function demandOk(answer: GitHttpAnswer): GitHttpAnswer {
  const { status } = answer;
  if (status === 401 || status === 403) throw new Stopped('needs_token');
  if (status === 404 || status === 410) throw new Stopped('not_found');
  if (status !== 200) throw new Stopped('failed');
  return answer;
}

/** Returns the lines of an answer. Throws `Stopped` for one that says an error. */
export function linesOf(bytes: AnswerBytes): string[] {
  return [...packetsOf(bytes)].flatMap((one) => (one.kind === 'data' ? [lineOf(bytes, one)] : []));
}

function lineOf(bytes: AnswerBytes, { from, length }: Extract<Packet, { kind: 'data' }>): string {
  const line = bytes.read(from, length).toString('utf8').replace(/\n$/, '');
  if (line.startsWith('ERR ')) throw new Stopped('failed');
  return line;
}

/** A line of version 2: `<oid> <name> symref-target:<name> peeled:<oid>`. */
function readRef(line: string): ServerRef {
  const [oid = '', ref = '', ...attributes] = line.split(' ');
  const attribute = (name: string) => attributes.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  return { oid, ref, target: attribute('symref-target'), peeled: attribute('peeled') };
}

function readFirstRefs(lines: readonly string[], capabilities: readonly string[]): ServerRef[] {
  const refs = new Map<string, ServerRef>();
  for (const line of lines) {
    const [oid = '', name = ''] = line.split(' ');
    const peeledOf = name.endsWith('^{}') ? refs.get(name.slice(0, -3)) : undefined;
    if (peeledOf) peeledOf.peeled = oid;
    else if (name !== '') refs.set(name, { oid, ref: name });
  }
  const target = capabilities.find((one) => one.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length);
  const head = refs.get('HEAD');
  if (head && target !== undefined) head.target = target;
  return [...refs.values()];
}

const packChannel = 1;
const errorChannel = 3;

/** Returns the pack that follows a line of the answer: its packets begin with the number of a channel. */
function packIn(bytes: AnswerBytes, isStart: (line: string) => boolean): JoinedBytes {
  const pack = new JoinedBytes(bytes);
  let hasStarted = false;
  for (const one of packetsOf(bytes)) {
    if (one.kind !== 'data') continue;
    if (!hasStarted) {
      hasStarted = isStart(lineOf(bytes, one));
      continue;
    }
    const channel = bytes.read(one.from, 1)[0];
    if (channel === errorChannel) throw new Stopped('failed');
    if (channel === packChannel) pack.add(one.from + 1, one.length - 1);
  }
  if (!hasStarted) throw new Stopped('failed');
  return pack;
}
