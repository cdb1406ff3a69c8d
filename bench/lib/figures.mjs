// What several benches need: figures of processes, statistics, rows of a table.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const printRow = (name, ...cells) =>
  console.log(`  ${name.padEnd(44)} ${cells.map((cell) => String(cell).padStart(14)).join('')}`);

export const formatMs = (value, digits = 1) => `${value.toFixed(digits)} ms`;

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** @param sorted Smallest first. @param share 0.99: the 99th percentile. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Processor time of a process in milliseconds: `utime` and `stime`, which the kernel counts in ticks of 10 ms (proc(5)). */
export function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory of a process in MB (proc(5)). @param which `VmRSS`: current, `VmHWM`: peak. */
export const memoryOf = (pid, which = 'VmRSS') =>
  Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;

/** Whether the module is the program that Node was started with. @param url `import.meta.url` */
export const isProgram = (url) => url === pathToFileURL(process.argv[1] ?? '').href;
