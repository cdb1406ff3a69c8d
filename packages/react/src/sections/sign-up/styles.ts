import type { Sections } from '@pillion/content/types.ts';
import formStyles from './form-more.css?url';

/** Styles for forms in use, and for fields that few forms have. */
export const FORM_STYLES: string = formStyles;

/** Stylesheets that the section needs before its script runs. A form with common fields only needs none. */
export default ({ form }: Sections['sign-up']): string[] => (form && !form.isStyledBySite ? [FORM_STYLES] : []);
