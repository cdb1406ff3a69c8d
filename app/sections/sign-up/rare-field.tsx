import { type ComponentType, lazy } from 'react';
import type { Form } from '../../content/types.ts';
import type { FieldProps } from './notes.tsx';

/** How the browser encodes the form: only files need more than it does of itself. */
export const encodingOf = ({ fields }: Form) =>
  fields.some(({ upload }) => upload) ? 'multipart/form-data' : undefined;

/** In a chunk of its own: few forms have one. Where that cannot be had, the server's HTML stands, and works. */
export const FileField: ComponentType<FieldProps> = import.meta.env.SSR
  ? (await import('./file-field.tsx')).default
  : lazy(() => import('./file-field.tsx').catch(() => new Promise<never>(() => {})));
