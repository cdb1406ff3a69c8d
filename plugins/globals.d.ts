// biome-ignore-all lint/suspicious/noExplicitAny: WordPress' packages are untyped here, and so is what a selector finds.

/** WordPress' packages. Only functions that get functions are typed, so that TypeScript knows the parameters of these. */
interface WordPress {
  data: {
    useSelect<T>(read: (select: (store: string) => any) => T, dependencies: unknown[]): T;
    [name: string]: any;
  };
  element: {
    createElement(type: any, properties?: ElementProperties | null, ...children: any[]): any;
    useCallback<T>(callback: T, dependencies: unknown[]): T;
    useMemo<T>(make: () => T, dependencies: unknown[]): T;
    useRef(start?: any): { current: any };
    useState(start?: any): [value: any, set: (next: any) => void];
    [name: string]: any;
  };
  [name: string]: any;
}

/** Properties of an element. The parameter of a handler is an event, or the value of a control. */
interface ElementProperties {
  [handler: `on${string}`]: ((value: any) => unknown) | null | undefined;
  [name: string]: any;
}

/** What the plugin's scripts find in WordPress' pages. */
interface Window {
  wp: WordPress;
  jQuery: any;
  /** Values that PHP prints, and parts that the scripts share. */
  [name: `pillion${string}`]: any;
}

declare const wp: WordPress;

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface Element {
  closest(selector: string): any;
}
