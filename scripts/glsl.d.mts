import type { Plugin } from 'vite';

export function compactGlsl(source: string): string;
export function glsl(): Plugin;
