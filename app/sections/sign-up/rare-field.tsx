import { type ComponentType, lazy, Suspense } from 'react';
import type { Form } from '../../content/types.ts';
import type { FieldProps } from './notes.tsx';

export const MULTIPART = 'multipart/form-data';

/** How the browser encodes the form: only files need more than it does of itself. */
export const encodingOf = ({ fields }: Form) => (fields.some(({ upload }) => upload) ? MULTIPART : undefined);

type Shown = ComponentType<FieldProps>;

/** In a chunk of its own: few forms have one. Where that cannot be had, the server's HTML stands, and works. */
const FileField: Shown = import.meta.env.SSR
  ? (await import('./file-field.tsx')).default
  : lazy(() => import('./file-field.tsx').catch(() => new Promise<never>(() => {})));

export const RareField: Shown = (props) => (
  <Suspense>
    <FileField {...props} />
  </Suspense>
);
