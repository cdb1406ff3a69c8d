import type { Plugin } from 'vite';

export function threads(): Plugin;
