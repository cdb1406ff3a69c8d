// biome-ignore-all lint/suspicious/noExplicitAny: what a selector finds is untyped here.

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}

/** Vite resolves it (packages/server/vite/plugin-scripts.mjs). */
declare function require(path: string): unknown;
