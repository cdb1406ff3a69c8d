import { defineSite } from '@pillion/server/site.ts';
import theme from './theme.tokens.json';

export default defineSite({
  theme,
  music: false,
  icons: { favicon: './favicon.svg', app: './app-icon.svg' },
});
