// Says which folders import each other, so that every folder can be read, tested and moved without the ones above it.
// `npm run check` runs it. It knows no exceptions: what two folders share belongs into a third one.
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { ROOT } from './lib/project.mjs';

/** The folders that are held to it. */
const CHECKED = ['app', 'server', 'shared', 'scripts'];

const SOURCE = /\.(?:ts|tsx|mjs)$/;
/** Tests may look into any folder: nothing imports them. */
const TEST = /\.test\.tsx?$/;

/** Types in JavaScript's comments: `import('./x.mjs').Type`. */
const IN_COMMENT = /import\('(\.[^']+)'\)/g;

/** One import: both files by their path from the root. */
export interface Import {
  from: string;
  to: string;
}

/** Folders that reach each other, and every import between them. */
export interface Cycle {
  folders: string[];
  imports: Import[];
}

type Node = { type: string; [member: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Every node of a syntax tree. */
function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  if (!isNode(value)) return;
  yield value;
  for (const member of Object.values(value)) if (typeof member === 'object') yield* nodesIn(member);
}

const textOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

const isImportMeta = (node: unknown) => isNode(node) && node.type === 'MetaProperty';

/** What the first argument of `import.meta.glob` names: one pattern or a list of them. */
function patternsOf(node: unknown): string[] {
  const items = isNode(node) && node.type === 'ArrayExpression' ? (node.elements as unknown[]) : [node];
  return items.flatMap((item) => textOf(item) ?? []);
}

/** @returns What one node imports: addresses as they are written, and patterns. */
function importedBy(node: Node): { address?: string | null; patterns?: string[] } {
  const [first, second] = (node.arguments as unknown[] | undefined) ?? [];
  switch (node.type) {
    // `import … from`, `export … from`, `import()` and `import('…').Type`, those of types alone too.
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return { address: textOf(node.source ?? node.argument) };
    case 'NewExpression': {
      // `new URL('./x.ts', import.meta.url)`: a thread's program.
      const base = isNode(second) && second.type === 'MemberExpression' ? second.object : null;
      return isImportMeta(base) ? { address: textOf(first) } : {};
    }
    case 'CallExpression': {
      const { object, property } = (node.callee ?? {}) as { object?: unknown; property?: { name?: string } };
      return isImportMeta(object) && property?.name === 'glob' ? { patterns: patternsOf(first) } : {};
    }
    default:
      return {};
  }
}

/** @returns Absolute paths of all files of ours that a file imports. */
function importsOf(file: string): string[] {
  const { program, comments, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const folder = dirname(file);
  const found: string[] = [];
  const note = (address: string) => found.push(resolve(folder, address.replace(/\?.*$/, '')));
  for (const node of nodesIn(program)) {
    const { address, patterns = [] } = importedBy(node);
    if (address?.startsWith('.')) note(address);
    for (const pattern of patterns) for (const path of globSync(pattern, { cwd: folder })) note(path);
  }
  for (const { value } of comments) for (const [, address = ''] of value.matchAll(IN_COMMENT)) note(address);
  return found.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** @returns Every import that leads from one folder into another. */
function importsBetweenFolders(root: string, folders: readonly string[]): Import[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const isChecked = (path: string) => folders.some((folder) => path.startsWith(join(root, folder, '/')));
  return files.flatMap((file) =>
    importsOf(file)
      .filter((path) => isChecked(path) && dirname(path) !== dirname(file))
      .map((path) => ({ from: relative(root, file), to: relative(root, path) })),
  );
}

/** Every folder that can be reached from one, by any number of imports. */
function reachable(from: string, next: Map<string, Set<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const other of next.get(folder) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  return seen;
}

/**
 * Looks for folders that import each other, directly or over others. Imports of types count: who reads a file has to
 * know them too.
 * @param root Folder that paths are told from. @param folders Folders below it that are looked through.
 */
export function cyclesIn(root: string, folders: readonly string[]): Cycle[] {
  const imports = importsBetweenFolders(root, folders);
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports)
    next.set(dirname(from), (next.get(dirname(from)) ?? new Set<string>()).add(dirname(to)));
  const reached = new Map([...next.keys()].map((folder) => [folder, reachable(folder, next)]));
  const isMutual = (a: string, b: string) => (reached.get(a)?.has(b) && reached.get(b)?.has(a)) ?? false;
  const cycles: Cycle[] = [];
  for (const folder of [...next.keys()].sort()) {
    if (!isMutual(folder, folder) || cycles.some((cycle) => cycle.folders.includes(folder))) continue;
    const members = [...next.keys()].filter((other) => isMutual(folder, other)).sort();
    const between = imports.filter(({ from, to }) => members.includes(dirname(from)) && members.includes(dirname(to)));
    cycles.push({ folders: members, imports: between });
  }
  return cycles;
}

/** The cycles as a person reads them: which file imports which. */
export function reportOf(cycles: Cycle[]): string {
  return cycles
    .map(({ folders, imports }) => {
      const lines = imports.map(({ from, to }) => `  ${from} imports ${to}`);
      return `These folders import each other: ${folders.join(', ')}\n${[...new Set(lines)].sort().join('\n')}\n`;
    })
    .join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const cycles = cyclesIn(ROOT, CHECKED);
  if (cycles.length > 0) {
    console.error(`${reportOf(cycles)}\nMove what they share into a folder that imports neither.`);
    process.exitCode = 1;
  }
}
