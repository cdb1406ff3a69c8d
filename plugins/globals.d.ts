// biome-ignore-all lint/suspicious/noExplicitAny: WordPress' packages are untyped here, and so is what a selector finds.

/** What the plugin's scripts find in WordPress' pages. */
interface Window {
  wp: any;
  jQuery: any;
  /** Values that PHP prints, and parts that the scripts share. */
  [name: `pillion${string}`]: any;
}

declare const wp: any;

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}
