// biome-ignore-all lint/suspicious/noExplicitAny: WordPress' packages are untyped here, and so is what a selector finds.

/** WordPress' packages. Only functions that get functions are typed, so that TypeScript knows the parameters of these. */
interface WordPress {
  data: {
    useSelect<T>(read: (select: (store: string) => any) => T, dependencies: unknown[]): T;
    [name: string]: any;
  };
  element: {
    createElement(type: any, properties?: ElementProperties | SectionProps | null, ...children: any[]): any;
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

/** A section or item in the editor: WordPress' properties of a block. */
interface SectionBlock {
  clientId: string;
  attributes: Record<string, any>;
  setAttributes(values: Record<string, unknown>): void;
}

/** A field of a declaration (`sections.json`). Its other members depend on its kind. */
interface DeclaredField {
  kind: string;
  label: string;
  [name: string]: any;
}

/** A field with its name. */
interface SectionField extends DeclaredField {
  member: string;
}

/** The declaration of a section, or of an item with its section as `parent`. */
interface Declared {
  name: string;
  fields: Record<string, DeclaredField>;
  parent?: string;
  guide?: string;
}

interface SectionProps {
  block: SectionBlock;
  declaration: Declared;
  children?: unknown;
}

interface FieldProps extends SectionProps {
  field: SectionField;
}

/** What the plugin's scripts find in WordPress' pages. */
interface Window {
  wp: WordPress;
  jQuery: any;
  pillionSections: { el: WordPress['element']['createElement']; [name: string]: any };
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
