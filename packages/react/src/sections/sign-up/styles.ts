import type { Sections } from '@pillion/content/types.ts';
import form from './form-more.css?url';

/** Styles for forms in use, and for fields that few forms have. */
export const FORM_STYLES: string = form;

/** A form with common fields only does not need that file. */
export default ({ form }: Sections['sign-up']): string[] => (form && !form.isStyledBySite ? [FORM_STYLES] : []);
