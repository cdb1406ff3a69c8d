import { COMMON_KINDS } from './common-kinds.ts';
import type { FieldKind } from './form.ts';
import type { Kind } from './kind.ts';
import { RARE_KINDS } from './rare-kinds.ts';

/** Every kind of field that the site draws. For the server: a page takes the two tables apart, each with its chunk. */
export const KINDS: Record<FieldKind, Kind> = { ...COMMON_KINDS, ...RARE_KINDS };

/** Whether the site draws fields of Gravity Forms' type `type`. */
export const isKind = (type: string): type is FieldKind => Object.hasOwn(KINDS, type);
