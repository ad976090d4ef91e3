import { deflateSync } from 'node:zlib';
import { blobName } from '../../platform/git/blob-name.ts';

/** Git's digits of base 85, and the most bytes of a line. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
const lineBytes = 52;

const noObject = '0'.repeat(40);

/** Returns the part of a patch that `git apply` needs for a file that is not text: the names of both objects and their bytes, also backwards. */
export function binaryPatch(before: Uint8Array | null, after: Uint8Array | null, mode: string): string {
  const names = `index ${objectName(before)}..${objectName(after)}${mode}\n`;
  return `${names}GIT binary patch\n${literal(after ?? new Uint8Array())}\n${literal(before ?? new Uint8Array())}\n`;
}

function objectName(bytes: Uint8Array | null): string {
  return bytes === null ? noObject : blobName(bytes);
}

function literal(bytes: Uint8Array): string {
  const deflated = deflateSync(bytes);
  const lines = [`literal ${bytes.length}`];
  for (let at = 0; at < deflated.length; at += lineBytes) lines.push(lineOf(deflated.subarray(at, at + lineBytes)));
  return `${lines.join('\n')}\n`;
}

/** The first character tells the number of bytes: A to Z, then a to z. Four bytes are five digits. */
function lineOf(bytes: Buffer): string {
  const { length } = bytes;
  let line = String.fromCharCode(length <= 26 ? 64 + length : 70 + length);
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (length % 4)) % 4)]);
  for (let at = 0; at < padded.length; at += 4) {
    let word = padded.readUInt32BE(at);
    let group = '';
    for (let digit = 0; digit < 5; digit += 1) {
      group = `${digits[word % 85]}${group}`;
      word = Math.floor(word / 85);
    }
    line += group;
  }
  return line;
}
