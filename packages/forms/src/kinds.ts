import { COMMON_KINDS } from './common-kinds.ts';
import { EXTRA_KINDS } from './extra-kinds.ts';
import type { FieldKind } from './form.ts';
import type { Kind } from './kind.ts';

/** All kinds of field that the site supports. For the server only: pages load the two tables separately. */
export const KINDS: Record<FieldKind, Kind> = { ...COMMON_KINDS, ...EXTRA_KINDS };

/** Whether the site supports this kind of field. */
export const isKind = (type: string): type is FieldKind => Object.hasOwn(KINDS, type);
