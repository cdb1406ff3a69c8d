/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110, 14.1.2).
 * @param size Size of the file in bytes.
 * @returns The requested range; `null` to send the whole file (no header, or several ranges or another unit, which a
 * server may ignore); `unsatisfiable` if no byte of the file is in the range.
 */
export function readByteRange(header: string | null, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null; // malformed: ignored
  return start >= size ? 'unsatisfiable' : { start, end };
}
