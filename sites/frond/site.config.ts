import { defineSite } from '@pillion/server/site.ts';
import { PALETTE } from './colours.ts';

export default defineSite({
  palette: PALETTE,
  styles: './theme.css',
  music: false,
});
