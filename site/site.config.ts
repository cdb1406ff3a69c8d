import { defineSite } from '@pillion/server/site.ts';
import { SHARE_GROUND } from './share-ground.ts';
import { SHARE_TYPEFACES } from './share-typefaces.ts';
import { signUpNumberSlot } from './sign-up-number/slot.ts';
import theme from './theme.tokens.json';

export default defineSite({
  theme,
  styles: './theme/theme.css',
  rightToLeftStyles: './theme/right-to-left.css',
  shareGround: SHARE_GROUND,
  shareTypefaces: SHARE_TYPEFACES,
  signUpNumber: signUpNumberSlot,
  hero: './scene/mount-scene.ts',
  icons: { favicon: './favicon.svg', app: './app-icon.svg' },
  errorPage: { art: './error-page/art.tsx', styles: './error-page/art.css' },
});
