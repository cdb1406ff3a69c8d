import { defineSite } from '@pillion/server/site.ts';
import theme from './theme.tokens.json';

/** A site that sets only its theme. Both modes are light. */
export default defineSite({ theme });
