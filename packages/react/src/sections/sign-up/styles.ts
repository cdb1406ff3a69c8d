import type { Sections } from '@pillion/content/types.ts';
import form from './form-more.css?url';

/** What fields look like that few forms have, and any form while it is used. */
export const FORM_STYLES: string = form;

/** A form of common fields alone is drawn without that file. */
export default ({ form }: Sections['sign-up']): string[] => (form && !form.isStyledBySite ? [FORM_STYLES] : []);
