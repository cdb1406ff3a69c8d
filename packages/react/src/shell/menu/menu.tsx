import type { Menu as MenuContent } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';
import { Icon } from '../../ui/icon.tsx';
import { linkProps } from '../../ui/link-props.ts';

interface Props {
  label: string;
  menu: MenuContent;
  /** Path of the current page. Its link has `aria-current`. */
  current: string;
  className?: string | undefined;
  /** Order in the shell's entry animation (R39). */
  place: number;
}

/**
 * A WordPress menu as a named region; not rendered if it is empty (R26). Links to known networks show an icon (R17).
 */
export function Menu({ label, menu: { items }, current, className, place }: Props) {
  if (items.length === 0) return null;
  return (
    <nav className={className} aria-label={label} data-entry={place}>
      <ul>
        {each(items, (item) => (
          <li>
            <a {...linkProps(item)} aria-current={item.url === current ? 'page' : undefined}>
              {item.network && <Icon network={item.network} />}
              <span className={item.network ? 'visually-hidden' : undefined}>{item.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
