import type { Plugin } from 'vite';

export function compactGlsl(source: string): string;
export function renameGlsl(sources: readonly string[], kept: ReadonlySet<string>): string[];
export function glsl(): Plugin;
