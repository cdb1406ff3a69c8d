import { NEUTRAL_PALETTE } from '@pillion/content/palette.ts';
import { defineSite } from '@pillion/server/site.ts';

/** A site that sets only its colours. */
export default defineSite({ palette: NEUTRAL_PALETTE });
