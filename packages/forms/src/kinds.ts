import { COMMON_KINDS } from './common-kinds.ts';
import type { FieldKind } from './form.ts';
import type { Kind } from './kind.ts';
import { RARE_KINDS } from './rare-kinds.ts';

/** All kinds of field that the site supports. For the server only: pages load the two tables separately. */
export const KINDS: Record<FieldKind, Kind> = { ...COMMON_KINDS, ...RARE_KINDS };

/** Whether the site supports this kind of field. */
export const isKind = (type: string): type is FieldKind => Object.hasOwn(KINDS, type);
