import { faFacebookF, faInstagram, faLinkedinIn, faTwitch, faXTwitter } from '@fortawesome/free-brands-svg-icons';
import type { SocialNetwork } from '../content/types.ts';

const ICONS = {
  twitter: faXTwitter,
  twitch: faTwitch,
  linkedin: faLinkedinIn,
  instagram: faInstagram,
  facebook: faFacebookF,
} as const satisfies Record<SocialNetwork, unknown>;

/** A network's mark (Font Awesome Free Brands, CC BY 4.0). It says nothing by itself: the link around it has the name. */
export function Icon({ network }: { network: SocialNetwork }) {
  const [width, height, , , path] = ICONS[network].icon;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} fill="currentColor" aria-hidden="true">
      <path d={String(path)} />
    </svg>
  );
}
