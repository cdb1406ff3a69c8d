// biome-ignore-all lint/suspicious/noExplicitAny: WordPress' packages are untyped here.
// Types for the plugin's scripts and for the `edit.ts` of a section.

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

interface Declarations {
  sections: Record<string, Declared & { isOfWordPress?: boolean }>;
  items: Record<string, Declared>;
  longestDrawing: number;
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
  pillionSections: import('./blocks/sections.ts').SectionParts;
  /** Values that PHP prints. */
  [name: `pillion${string}`]: any;
}

declare const wp: WordPress;

/** The editor parts of sections, written by the build. */
declare module 'virtual:pillion-editors' {
  const editors: Record<string, () => void>;
  export default editors;
}
